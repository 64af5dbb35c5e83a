import type { DatasetTurn, SystemMemoryItem } from '@keepsake/bench'
import { z } from 'zod'
import { OTHER_VERSION } from './http-client.ts'
import {
  dataOf,
  findMemobaseRefusal,
  itemsOfEvent,
  memobaseEvent,
  memobaseProfile,
  memobaseResult,
  readMemobaseOperations,
  splitIntoStatements,
  textOfProfile,
  type MemobaseProfile,
  type MemobaseResult,
} from './memobase-answers.ts'
import type { PeerDefinition, PeerRequests, PeerService } from './peer.ts'
import { batchTurns, instantOf, nameOf, roleOf } from './send-turns.ts'

const MESSAGES_PER_BLOB = 20
/**
 * The interface takes a budget of tokens, not a number of memories. HaluMem gave it 250 tokens where other
 * systems return 10 memories and 500 where they return 20 (appendix B.1).
 */
const TOKENS_PER_MEMORY = 25
/** More than any profile holds: without it, some clients of the service ask for a thousand tokens only. */
const WHOLE_PROFILE_TOKENS = 1_000_000
const FEWEST_EVENTS = 10

const inserted = dataOf(z.object({ id: z.string(), chat_results: z.array(memobaseResult).nullish() }))
const flushed = dataOf(z.array(memobaseResult).nullish())
const profiles = dataOf(z.object({ profiles: z.array(memobaseProfile) }))
const events = dataOf(z.object({ events: z.array(memobaseEvent) }))
const context = dataOf(z.object({ context: z.string() }))

/**
 * Memobase, `/api/v1` as its npm client `@memobase/memobase` 0.0.18 and its Python client speak it, hosted or
 * self-hosted. Talk goes into the user's buffer as chat blobs; the buffer is flushed after every dialogue and
 * the service asked to answer when that is processed, which takes as long as its language model does.
 *
 * A flush tells which slots of the profile it added, changed and deleted, and names the event that holds what
 * was learned: HaluMem read a dialogue's memories from the service's own database (appendix B.1), this reads
 * them from those events. Retrieval is the service's composed context, whose dashed lines count as memories.
 */
export const memobase: PeerDefinition = {
  name: 'memobase',
  speaks: 'Memobase /api/v1 (@memobase/memobase 0.0.18)',
  defaultUrl: 'https://api.memobase.dev',
  keyVariable: 'MEMOBASE_API_KEY',
  needsKey: true,
  keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
  findRefusal: findMemobaseRefusal,
  settings: {
    messagesPerBlob: MESSAGES_PER_BLOB,
    tokensPerMemory: TOKENS_PER_MEMORY,
    flush: 'after every dialogue',
    turnTimes: 'one a message',
  },
  nameUser: (uuid) => uuid,
  speak: speakMemobase,
}

function speakMemobase(peer: PeerService): PeerRequests {
  const { client, user } = peer
  /** By session's name. */
  const learned = new Map<string, readonly SystemMemoryItem[]>()
  let profile: readonly MemobaseProfile[] = []
  return {
    addUser: async () => {
      const body = { data: { made_by: 'keepsake-bench' }, id: user }
      const reads = dataOf(z.object({ id: z.literal(user) }))
      await client.ask('POST /api/v1/users', reads, { body, isSafeToRepeat: false })
    },
    async add(turns, session) {
      const results = await insert(peer, turns)
      const before = textsOf(profile)
      profile = await readProfile(peer)
      learned.set(session, [...(learned.get(session) ?? []), ...(await readEvents(peer, results))])
      return readMemobaseOperations(results, before, textsOf(profile))
    },
    dialogueMemories: (session) => learned.get(session) ?? [],
    /** The profile; what events say besides cannot be listed whole. */
    async list() {
      profile = await readProfile(peer)
      return profile.map((slot) => ({ id: slot.id, text: textOfProfile(slot), turns: null }))
    },
    async search(query, { limit, tokens }) {
      const { data } = await client.ask(`GET /api/v1/users/context/${user}`, context, {
        query: {
          max_token_size: String(Math.min(tokens, limit * TOKENS_PER_MEMORY)),
          chats_str: JSON.stringify([{ role: 'user', content: query }]),
        },
      })
      const statements = splitIntoStatements(data.context, 'dashed lines')
      return {
        items: statements.map((text, index) => ({ id: `context#${index + 1}`, text, turns: null })),
        lines: data.context.split('\n'),
      }
    },
    /** A slot of the profile; the lines of a context have no id of the service's and cannot be corrected. */
    async update(id, content) {
      const line = `PUT /api/v1/users/profile/${user}/${encodeURIComponent(id)}` as const
      const slot = (await readProfile(peer)).find((candidate) => candidate.id === id)
      if (slot === undefined)
        throw client.fault(line, {
          problem: 'was not sent, as the profile has no such slot',
          advice: 'Correct memories by the ids that memories() gives.',
        })
      await client.tell(line, { body: { content, attributes: slot.attributes } })
    },
    deletions: [[`DELETE /api/v1/users/${user}`]],
  }
}

/** Inserts and flushes, to be answered only when it is processed. */
async function insert(
  { client, user, processingMs: timeoutMs }: PeerService,
  turns: readonly DatasetTurn[],
): Promise<readonly MemobaseResult[]> {
  const whenProcessed = { query: { wait_process: 'true' }, isSafeToRepeat: false, timeoutMs }
  const results: MemobaseResult[] = []
  for (const batch of batchTurns(turns, { turns: MESSAGES_PER_BLOB })) {
    const body = { blob_type: 'chat', blob_data: { messages: batch.map(messageOf) } }
    const options = { ...whenProcessed, body }
    const { data } = await client.ask(`POST /api/v1/blobs/insert/${user}`, inserted, options)
    results.push(...(data.chat_results ?? []))
  }
  const { data } = await client.ask(`POST /api/v1/users/buffer/${user}/chat`, flushed, whenProcessed)
  return [...results, ...(data ?? [])]
}

async function readProfile({ client, user }: PeerService): Promise<readonly MemobaseProfile[]> {
  const query = { max_token_size: String(WHOLE_PROFILE_TOKENS) }
  return (await client.ask(`GET /api/v1/users/profile/${user}`, profiles, { query })).data.profiles
}

/** The events of the results, which are the newest: nobody else writes to this user. */
async function readEvents(
  { client, user }: PeerService,
  results: readonly MemobaseResult[],
): Promise<readonly SystemMemoryItem[]> {
  const ids = results.flatMap((result) => result.event_id ?? [])
  if (ids.length === 0) return []
  const line = `GET /api/v1/users/event/${user}` as const
  const query = { topk: String(Math.max(FEWEST_EVENTS, ids.length)) }
  const { data } = await client.ask(line, events, { query })
  return ids.flatMap((id) => {
    const event = data.events.find((candidate) => candidate.id === id)
    if (event !== undefined) return itemsOfEvent(event)
    throw client.fault(line, {
      status: 200,
      problem: `did not list the event ${id} that a flush had just named`,
      advice: OTHER_VERSION,
    })
  })
}

function messageOf(turn: DatasetTurn) {
  const alias = nameOf(turn)
  return {
    role: roleOf(turn),
    content: turn.text,
    ...(alias === null ? {} : { alias }),
    created_at: instantOf(turn.at),
  }
}

function textsOf(profile: readonly MemobaseProfile[]): ReadonlyMap<string, string> {
  return new Map(profile.map((slot) => [slot.id, textOfProfile(slot)]))
}

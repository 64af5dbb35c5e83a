import type { DatasetTurn, SystemMemoryItem, SystemOperation } from '@keepsake/bench'
import { z } from 'zod'
import { OTHER_VERSION, type Refusal } from './http-client.ts'
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

const dataOf = <T extends z.ZodType>(data: T) => z.object({ data })
/** Every answer of Memobase: `errno` is 0 when it did what was asked. */
const envelope = z.object({ errno: z.number(), errmsg: z.string().nullish() })

/** What processing a piece of the buffer did to the profile. */
const result = z.object({
  event_id: z.string().nullish(),
  add_profiles: z.array(z.string()).nullish(),
  update_profiles: z.array(z.string()).nullish(),
  delete_profiles: z.array(z.string()).nullish(),
})

type Result = z.infer<typeof result>

const attributes = z.object({ topic: z.string(), sub_topic: z.string() })

const slot = z.object({ id: z.string(), content: z.string(), attributes })

type Slot = z.infer<typeof slot>

const event = z.object({
  id: z.string(),
  event_data: z
    .object({
      event_tip: z.string().nullish(),
      profile_delta: z
        .array(z.object({ content: z.string(), attributes: attributes.partial().nullish() }))
        .nullish(),
    })
    .nullish(),
})

type LearnedEvent = z.infer<typeof event>

const inserted = dataOf(z.object({ id: z.string(), chat_results: z.array(result).nullish() }))
const flushed = dataOf(z.array(result).nullish())
const profiles = dataOf(z.object({ profiles: z.array(slot) }))
const events = dataOf(z.object({ events: z.array(event) }))
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
  findRefusal,
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
  let profile: readonly Slot[] = []
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
      return profile.map((slot) => ({ id: slot.id, text: textOfSlot(slot), turns: null }))
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
    update: (id, content) => correctSlot(peer, id, content),
    deletions: [[`DELETE /api/v1/users/${user}`]],
  }
}

/** A slot of the profile; the lines of a context have no id of the service's and cannot be corrected. */
async function correctSlot(peer: PeerService, id: string, content: string): Promise<void> {
  const line = `PUT /api/v1/users/profile/${peer.user}/${encodeURIComponent(id)}` as const
  const slot = (await readProfile(peer)).find((candidate) => candidate.id === id)
  if (slot === undefined)
    throw peer.client.fault(line, {
      problem: 'was not sent, as the profile has no such slot',
      advice: 'Correct memories by the ids that memories() gives.',
    })
  await peer.client.tell(line, { body: { content, attributes: slot.attributes } })
}

/** Inserts and flushes, to be answered only when it is processed. */
async function insert(
  { client, user, processingMs: timeoutMs }: PeerService,
  turns: readonly DatasetTurn[],
): Promise<readonly Result[]> {
  const whenProcessed = { query: { wait_process: 'true' }, isSafeToRepeat: false, timeoutMs }
  const results: Result[] = []
  for (const batch of batchTurns(turns, { turns: MESSAGES_PER_BLOB })) {
    const body = { blob_type: 'chat', blob_data: { messages: batch.map(messageOf) } }
    const options = { ...whenProcessed, body }
    const { data } = await client.ask(`POST /api/v1/blobs/insert/${user}`, inserted, options)
    results.push(...(data.chat_results ?? []))
  }
  const { data } = await client.ask(`POST /api/v1/users/buffer/${user}/chat`, flushed, whenProcessed)
  return [...results, ...(data ?? [])]
}

async function readProfile({ client, user }: PeerService): Promise<readonly Slot[]> {
  const query = { max_token_size: String(WHOLE_PROFILE_TOKENS) }
  return (await client.ask(`GET /api/v1/users/profile/${user}`, profiles, { query })).data.profiles
}

/** The events of the results, which are the newest: nobody else writes to this user. */
async function readEvents(
  { client, user }: PeerService,
  results: readonly Result[],
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

/** Finds the refusal that Memobase puts into an answer of status 200. */
function findRefusal(body: unknown): Refusal | null {
  const read = envelope.safeParse(body)
  if (!read.success || read.data.errno === 0) return null
  const { errno, errmsg } = read.data
  return {
    problem: `was refused with error ${errno}${errmsg ? ` (${errmsg})` : ''}`,
    isRetryable: errno >= 500,
    isAbsent: errno === 404,
    isUntaken: errno === 503,
    advice:
      errno === 401 || errno === 403
        ? 'Check the key in MEMOBASE_API_KEY.'
        : 'Look at the service for the reason; 503 also means that the plan has no tokens left.',
  }
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

function textsOf(profile: readonly Slot[]): ReadonlyMap<string, string> {
  return new Map(profile.map((slot) => [slot.id, textOfSlot(slot)]))
}

/** A profile's slot as one statement. */
function textOfSlot({ attributes, content }: Slot): string {
  return `${attributes.topic} / ${attributes.sub_topic}: ${content}`
}

/** The changes of a profile that stood as `before` and stands as `after`, by id. */
export function readMemobaseOperations(
  results: readonly Result[],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly SystemOperation[] {
  const was = (memory: string) => before.get(memory) ?? null
  const is = (memory: string) => after.get(memory) ?? null
  const told = (
    kind: SystemOperation['kind'],
    memories: readonly string[] | null | undefined,
  ): SystemOperation[] =>
    (memories ?? []).map((memory) => ({
      kind,
      memory,
      before: kind === 'add' ? null : was(memory),
      after: kind === 'delete' ? null : is(memory),
    }))
  return results.flatMap((result) => [
    ...told('add', result.add_profiles),
    ...told('modify', result.update_profiles),
    ...told('delete', result.delete_profiles),
  ])
}

/** What an event says was learned: each change of the profile, and each line of its account of what happened. */
function itemsOfEvent(event: LearnedEvent): readonly SystemMemoryItem[] {
  const deltas = (event.event_data?.profile_delta ?? []).map((delta) => {
    const topic = [delta.attributes?.topic, delta.attributes?.sub_topic].filter(Boolean).join(' / ')
    return topic === '' ? delta.content : `${topic}: ${delta.content}`
  })
  const tips = splitIntoStatements(event.event_data?.event_tip ?? '', 'every line')
  return [...deltas, ...tips].map((text, index) => ({ id: `${event.id}#${index + 1}`, text, turns: null }))
}

/** The statements of a text that the service composed, without the dash before each. */
function splitIntoStatements(text: string, which: 'every line' | 'dashed lines'): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && (which === 'every line' || line.startsWith('- ')))
    .map((line) => line.replace(/^- /u, '').trim())
}

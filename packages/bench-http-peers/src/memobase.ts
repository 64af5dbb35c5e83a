import type { DatasetTurn, SystemMemoryItem, SystemOperation } from '@keepsake/bench'
import { z } from 'zod'
import type { Refusal } from './http-client.ts'
import { idField, someRecords, textField, textsField } from './odd-fields.ts'
import type { PeerDefinition, PeerRequests, PeerService } from './peer.ts'
import { batchTurns, instantOf, nameOf, roleOf } from './send-turns.ts'

const MESSAGES_PER_BLOB = 20
/** The interface takes tokens, not a number of memories. HaluMem gave 250 tokens for 10 memories, 500 for 20 (appendix B.1). */
const TOKENS_PER_MEMORY = 25
/** More than any profile holds: without it, some clients of the service ask for a thousand tokens only. */
const WHOLE_PROFILE_TOKENS = 1_000_000
const FEWEST_EVENTS = 10
/** How often an event is looked for that a flush has named: it may be listed a little later. */
const LOOKS_FOR_EVENTS = 10

const dataOf = <T extends z.ZodType>(data: T) => z.object({ data })
/** Every answer of Memobase: `errno` is 0 when it did what was asked. */
const envelope = z.object({ errno: z.number(), errmsg: z.string().nullish() })

/** What processing a piece of the buffer did to the profile. */
const result = z.object({
  event_id: idField,
  add_profiles: textsField,
  update_profiles: textsField,
  delete_profiles: textsField,
})

type Result = z.infer<typeof result>

const attributes = z.object({ topic: textField, sub_topic: textField })

const slot = z.object({
  id: idField,
  content: textField,
  attributes: attributes.nullish().transform((of) => of ?? { topic: '', sub_topic: '' }),
})

type Slot = z.infer<typeof slot>

const event = z.object({
  id: idField,
  event_data: z
    .object({
      event_tip: textField,
      profile_delta: someRecords(z.object({ content: textField, attributes: attributes.nullish() })),
    })
    .nullish(),
})

type LearnedEvent = z.infer<typeof event>

const inserted = dataOf(z.object({ chat_results: someRecords(result) }))
const flushed = dataOf(someRecords(result))
const profiles = dataOf(z.object({ profiles: someRecords(slot) }))
const events = dataOf(z.object({ events: someRecords(event) }))
const context = dataOf(z.object({ context: textField }))

/**
 * Memobase, `/api/v1` as its npm client `@memobase/memobase` 0.0.18 and its Python client speak it, hosted or
 * self-hosted. Talk goes into the user's buffer as chat blobs; the buffer is flushed after every dialogue and
 * the service asked to answer when that is processed, which takes as long as its language model does.
 *
 * A flush reports which slots of the profile it added, changed and deleted, and names the event that holds what
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
    tokensPerMemory: `${TOKENS_PER_MEMORY} in the paper's protocol, else the budget of all`,
    flush: 'after every dialogue',
    turnTimes: 'one a message',
  },
  nameUser: (uuid) => uuid,
  speak: speakMemobase,
}

function speakMemobase(peer: PeerService): PeerRequests {
  const { client, user } = peer
  /** By session's name. */
  const memoriesBySession = new Map<string, readonly SystemMemoryItem[]>()
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
      const memories = (await readEvents(peer, results)) ?? changedSlots(results, profile)
      memoriesBySession.set(session, [...(memoriesBySession.get(session) ?? []), ...memories])
      return readMemobaseOperations(results, before, textsOf(profile))
    },
    dialogueMemories: (session) => memoriesBySession.get(session) ?? [],
    /** The profile; what events say besides cannot be listed whole. */
    async list() {
      profile = await readProfile(peer)
      return profile.map((slot) => ({ id: slot.id, text: textOfSlot(slot), turns: null }))
    },
    async search(query, { limit, tokens, asPublished = false }) {
      const { data } = await client.ask(`GET /api/v1/users/context/${user}`, context, {
        query: {
          max_token_size: String(asPublished ? limit * TOKENS_PER_MEMORY : tokens),
          chats_str: JSON.stringify([{ role: 'user', content: query }]),
        },
      })
      const dashed = splitIntoStatements(data.context, 'dashed lines')
      const statements = dashed.length > 0 ? dashed : splitIntoStatements(data.context, 'every line')
      return {
        items: statements.map((text, index) => ({ id: `context#${index + 1}`, text, turns: null })),
        lines: data.context.split('\n'),
      }
    },
    deletions: [[`DELETE /api/v1/users/${user}`]],
  }
}

/** Inserts turns into the buffer and flushes it. The service answers when they are processed. */
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
    results.push(...data.chat_results)
  }
  const { data } = await client.ask(`POST /api/v1/users/buffer/${user}/chat`, flushed, whenProcessed)
  return [...results, ...data]
}

async function readProfile({ client, user }: PeerService): Promise<readonly Slot[]> {
  const query = { max_token_size: String(WHOLE_PROFILE_TOKENS) }
  return (await client.ask(`GET /api/v1/users/profile/${user}`, profiles, { query })).data.profiles
}

/** Reads the newest events, which may be listed a little after their flush, several times; `null` when one is still not listed. */
async function readEvents(
  { client, user, sleep, pollMs }: PeerService,
  results: readonly Result[],
): Promise<readonly SystemMemoryItem[] | null> {
  const ids = results.flatMap((result) => (result.event_id === '' ? [] : [result.event_id]))
  if (ids.length === 0) return results.some(isChange) ? null : []
  const query = { topk: String(Math.max(FEWEST_EVENTS, ids.length)) }
  for (let look = 1; look <= LOOKS_FOR_EVENTS; look += 1) {
    const { data } = await client.ask(`GET /api/v1/users/event/${user}`, events, { query })
    const flushEvents = ids.map((id) => data.events.find((candidate) => candidate.id === id))
    const listed = flushEvents.filter((event) => event !== undefined)
    if (listed.length === ids.length) return listed.flatMap(itemsOfEvent)
    if (look < LOOKS_FOR_EVENTS) await sleep(pollMs)
  }
  return null
}

function isChange({ add_profiles, update_profiles }: Result): boolean {
  return add_profiles.length + update_profiles.length > 0
}

/** What a flush left, as the slots of the profile that it added or changed. Used when the service does not list its events. */
function changedSlots(results: readonly Result[], profile: readonly Slot[]): SystemMemoryItem[] {
  const ids = new Set(results.flatMap((one) => [...one.add_profiles, ...one.update_profiles]))
  return profile
    .filter(({ id }) => ids.has(id))
    .map((slot) => ({ id: slot.id, text: textOfSlot(slot), turns: null }))
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
  return withTopic(attributes, content)
}

function withTopic(of: z.infer<typeof attributes> | null | undefined, content: string): string {
  if (content.trim() === '') return ''
  const topic = [of?.topic, of?.sub_topic].filter(Boolean).join(' / ')
  return topic === '' ? content : `${topic}: ${content}`
}

/** The changes of a profile that stood as `before` and stands as `after`, by id. */
export function readMemobaseOperations(
  results: readonly Result[],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly SystemOperation[] {
  const was = (memory: string) => before.get(memory) ?? null
  const is = (memory: string) => after.get(memory) ?? null
  const operationsOf = (kind: SystemOperation['kind'], memories: readonly string[]): SystemOperation[] =>
    memories.map((memory) => ({
      kind,
      memory,
      before: kind === 'add' ? null : was(memory),
      after: kind === 'delete' ? null : is(memory),
    }))
  return results.flatMap((result) => [
    ...operationsOf('add', result.add_profiles),
    ...operationsOf('modify', result.update_profiles),
    ...operationsOf('delete', result.delete_profiles),
  ])
}

/** What an event says was learned: each change of the profile, and each line of its account of what happened. */
function itemsOfEvent(event: LearnedEvent): readonly SystemMemoryItem[] {
  const deltas = (event.event_data?.profile_delta ?? []).map((delta) => {
    return withTopic(delta.attributes, delta.content)
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

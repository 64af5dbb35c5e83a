import type { DatasetTurn, SystemMemoryItem, SystemOperation } from '@keepsake/bench'
import { z } from 'zod'
import type { Refusal } from './http-client.ts'
import { idField, someRecords, textField, textsField } from './odd-fields.ts'
import type { PeerDefinition, PeerRequests, PeerService } from './peer.ts'
import { batchTurns, instantOf, nameOf, roleOf } from './send-turns.ts'

/** A blob is the service's unit of data. */
const MESSAGES_PER_BLOB = 20
/** The interface limits a search by tokens. HaluMem allowed 250 tokens for 10 memories and 500 for 20 (appendix B.1). */
const TOKENS_PER_MEMORY = 25
/** More tokens than any profile has, so that it is listed whole. */
const WHOLE_PROFILE_TOKENS = 1_000_000
const MIN_EVENTS_LISTED = 10
/** An event may be listed a little after the flush that reported it: the list is read this many times at most. */
const MAX_EVENT_READS = 10

const dataOf = <T extends z.ZodType>(data: T) => z.object({ data })
/** Every answer of Memobase has an `errno`, which is 0 after success. */
const envelope = z.object({ errno: z.number(), errmsg: z.string().nullish() })

/** The changes that processing a part of the buffer made to the profile. Each list holds ids of slots. */
const result = z.object({
  event_id: idField,
  add_profiles: textsField,
  update_profiles: textsField,
  delete_profiles: textsField,
})

type Result = z.infer<typeof result>

/** The topic of a slot. */
const attributes = z.object({ topic: textField, sub_topic: textField })

/** One statement of the profile. */
const slot = z.object({
  id: idField,
  content: textField,
  attributes: attributes.nullish().transform((topic) => topic ?? { topic: '', sub_topic: '' }),
})

type Slot = z.infer<typeof slot>

/** The service's account of one flush: a text of what happened, and the changes of the profile. */
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
 * Memobase, hosted or self-hosted, through `/api/v1` as its npm client `@memobase/memobase` 0.0.18 and its Python
 * client use it. Messages go into the user's buffer as chat blobs. The buffer is flushed after every dialogue, and
 * the service answers when it has processed it, which takes as long as its language model.
 *
 * A flush reports which slots of the profile it added, changed and deleted, and the id of an event with what was
 * learned. HaluMem read a dialogue's memories from the service's database (appendix B.1); this adapter reads
 * them from those events. A search returns a context that the service composes: its dashed lines count as memories.
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
  /** Memories by the name of their session. */
  const memoriesBySession = new Map<string, readonly SystemMemoryItem[]>()
  let profile: readonly Slot[] = []
  return {
    addUser: async () => {
      const body = { data: { made_by: 'keepsake-bench' }, id: user }
      const schema = dataOf(z.object({ id: z.literal(user) }))
      await client.ask('POST /api/v1/users', schema, { body, isSafeToRepeat: false })
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
    /** Lists only the profile, since the service cannot list all events. */
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

/** Inserts turns into the buffer and flushes it. The service answers when it has processed them. */
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

/** Reads the events of these results, several times if necessary. `null`: one of them is still not listed. */
async function readEvents(
  { client, user, sleep, pollMs }: PeerService,
  results: readonly Result[],
): Promise<readonly SystemMemoryItem[] | null> {
  const ids = results.flatMap((result) => (result.event_id === '' ? [] : [result.event_id]))
  if (ids.length === 0) return results.some(isChange) ? null : []
  const query = { topk: String(Math.max(MIN_EVENTS_LISTED, ids.length)) }
  for (let attempt = 1; attempt <= MAX_EVENT_READS; attempt += 1) {
    const { data } = await client.ask(`GET /api/v1/users/event/${user}`, events, { query })
    const flushEvents = ids.map((id) => data.events.find((candidate) => candidate.id === id))
    const listed = flushEvents.filter((event) => event !== undefined)
    if (listed.length === ids.length) return listed.flatMap(itemsOfEvent)
    if (attempt < MAX_EVENT_READS) await sleep(pollMs)
  }
  return null
}

function isChange({ add_profiles, update_profiles }: Result): boolean {
  return add_profiles.length + update_profiles.length > 0
}

/** Returns the slots that a flush added or changed. They stand for its events when the service does not list those. */
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
    mayHaveActed: errno !== 503,
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

/** Writes a slot as one statement. */
function textOfSlot({ attributes, content }: Slot): string {
  return withTopic(attributes, content)
}

function withTopic(topic: z.infer<typeof attributes> | null | undefined, content: string): string {
  if (content.trim() === '') return ''
  const title = [topic?.topic, topic?.sub_topic].filter(Boolean).join(' / ')
  return title === '' ? content : `${title}: ${content}`
}

/** Converts the changes of a profile to operations. `before` and `after` hold the profile's texts by slot id. */
export function readMemobaseOperations(
  results: readonly Result[],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly SystemOperation[] {
  const operationsOf = (kind: SystemOperation['kind'], memories: readonly string[]): SystemOperation[] =>
    memories.map((memory) => ({
      kind,
      memory,
      before: kind === 'add' ? null : (before.get(memory) ?? null),
      after: kind === 'delete' ? null : (after.get(memory) ?? null),
    }))
  return results.flatMap((result) => [
    ...operationsOf('add', result.add_profiles),
    ...operationsOf('modify', result.update_profiles),
    ...operationsOf('delete', result.delete_profiles),
  ])
}

/** Returns the memories of an event: the changes of the profile, and the lines of its text. */
function itemsOfEvent(event: LearnedEvent): readonly SystemMemoryItem[] {
  const deltas = (event.event_data?.profile_delta ?? []).map((delta) => {
    return withTopic(delta.attributes, delta.content)
  })
  const tips = splitIntoStatements(event.event_data?.event_tip ?? '', 'every line')
  return [...deltas, ...tips].map((text, index) => ({ id: `${event.id}#${index + 1}`, text, turns: null }))
}

/** Splits a text of the service into its statements, without the dash before each. */
function splitIntoStatements(text: string, which: 'every line' | 'dashed lines'): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && (which === 'every line' || line.startsWith('- ')))
    .map((line) => line.replace(/^- /u, '').trim())
}

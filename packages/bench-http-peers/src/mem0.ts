import type { RetrieveOptions, SystemOperation } from '@keepsake/bench'
import { z } from 'zod'
import { idField, recordsField, scoreField, someRecords, stateField, textField } from './odd-fields.ts'
import {
  awaitProcessed,
  readPages,
  type PeerDefinition,
  type PeerItem,
  type PeerRequests,
  type PeerService,
} from './peer.ts'
import { batchTurns, instantOf, roleOf, textWithName } from './send-turns.ts'

/** HaluMem's scripts send this many messages at once to the other systems. Mem0 documents no limit. */
const MESSAGES_PER_ADD = 20
const PAGE_SIZE = 100
/** The server lists at most this many memories and has no pages, so that a list of this length may be incomplete. */
const LONGEST_LIST = 1_000

/** A memory in a list of the platform or of the server. */
const item = z.object({
  id: idField,
  memory: textField,
  score: scoreField,
  metadata: z.record(z.string(), z.unknown()).nullish().catch(null),
})
type Mem0Item = z.infer<typeof item>
const listed = recordsField(item)
/** A relation from the graph store. Some versions write `destination`, others `target`. */
const relationSchema = z
  .object({
    source: textField,
    relationship: textField,
    destination: textField,
    target: textField,
    score: scoreField,
  })
  .transform(({ source, relationship, destination, target, score }) => ({
    id: '',
    memory: [source, relationship.replaceAll('_', ' '), destination === '' ? target : destination]
      .join(' ')
      .trim(),
    score,
    metadata: null,
  }))
/** The answer to a list or a search. */
const items = z.preprocess(
  wrapList,
  // Only a server with a graph store answers with relations.
  z.object({ results: listed, relations: someRecords(relationSchema).catch([]) }),
)
/** A change that an addition caused. The platform writes the text under `data`, the server next to the id. Some versions omit the old text. */
export const mem0Change = z
  .object({
    id: z.union([z.string().min(1), z.number().transform(String)]),
    event: z
      .string()
      .toUpperCase()
      .pipe(z.enum(['ADD', 'UPDATE', 'DELETE', 'NOOP', 'NONE'])),
    memory: z.string().nullish(),
    data: z.object({ memory: z.string().nullish() }).nullish(),
    previous_memory: z.string().nullish(),
    old_memory: z.string().nullish(),
  })
  .transform(({ id, event, ...change }) => ({
    id,
    event,
    text: change.memory ?? change.data?.memory ?? null,
    before: change.previous_memory ?? change.old_memory ?? null,
  }))
  .refine((change) => change.text !== null || (change.event !== 'ADD' && change.event !== 'UPDATE'), {
    path: ['memory'],
    message: 'an added or updated memory came without its text',
  })

type Mem0Change = z.infer<typeof mem0Change>

/** `null` when the changes have an unknown form: the harness then compares the memories before and after. */
const changes = z.array(mem0Change).nullable().catch(null)
/** The answer to an addition that was processed at once. */
const processedAnswer = z.preprocess(wrapList, z.object({ results: changes }))
/** The platform's answer to an addition: the id of an event to wait for, or the result. */
const additionAnswer = z.union([z.object({ event_id: z.string() }), processedAnswer])
const event = z.object({ status: stateField, results: z.unknown().optional() })

/** Some versions answer with a bare list. */
function wrapList(answer: unknown): unknown {
  return Array.isArray(answer) ? { results: answer } : answer
}

/** Takes the first memories and relations, `limit` together. Relations take up to half, or more if there are few memories. */
function mixWithRelations(
  memories: readonly Mem0Item[],
  relations: readonly Mem0Item[],
  limit: number,
): Mem0Item[] {
  const firstMemories = memories.slice(0, limit - Math.min(relations.length, Math.floor(limit / 2)))
  const numbered = relations.map((relation, index) => ({ ...relation, id: `relation#${index + 1}` }))
  return [...firstMemories, ...numbered.slice(0, limit - firstMemories.length)]
}

/** The body of an addition. The service stores the session with every memory. */
interface Addition {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[]
  readonly user_id: string
  readonly metadata: { readonly session: string }
}

/** The requests in which Mem0's platform and its server differ. */
interface Dialect extends Pick<PeerRequests, 'deletions'> {
  /** Stores messages said at `at` and waits until they are processed; `null`: the service does not report the changes. */
  readonly send: (addition: Addition, at: number) => Promise<readonly Mem0Change[] | null>
  /** `null`: the list may be incomplete. */
  readonly listAll: () => Promise<readonly Mem0Item[] | null>
  readonly find: (query: string, options: RetrieveOptions) => Promise<readonly Mem0Item[]>
}

function speakMem0(user: string, { send, listAll, find, ...dialect }: Dialect): PeerRequests {
  const texts = new Map<string, string>()
  /** From a memory's id to the sessions whose dialogues added or changed it. */
  const sessionsByMemory = new Map<string, Set<string>>()
  const itemOf = ({ id, memory: text, score, metadata }: Mem0Item): PeerItem => {
    const session = metadata?.['session']
    const sessions = [...(sessionsByMemory.get(id) ?? []), ...(typeof session === 'string' ? [session] : [])]
    return { id, text, turns: null, score, sessions }
  }
  return {
    ...dialect,
    async add(turns, session) {
      const operations: SystemOperation[] = []
      let areChangesKnown = true
      for (const batch of batchTurns(turns, { turns: MESSAGES_PER_ADD })) {
        const messages = batch.map((turn) => ({ role: roleOf(turn), content: textWithName(turn) }))
        const addition = { messages, user_id: user, metadata: { session } }
        const changesMade = await send(addition, Math.max(...batch.map(({ at }) => at)))
        if (changesMade === null) areChangesKnown = false
        else operations.push(...readMem0Operations(changesMade, texts))
      }
      for (const { memory } of operations)
        sessionsByMemory.set(memory, (sessionsByMemory.get(memory) ?? new Set()).add(session))
      return areChangesKnown ? operations : null
    },
    list: async () => (await listAll())?.map(itemOf) ?? null,
    search: async (query, options) => ({ items: (await find(query, options)).map(itemOf) }),
  }
}

/** Converts changes to operations. `texts` holds the known texts by memory id, and is updated. */
export function readMem0Operations(
  changes: readonly Mem0Change[],
  texts: Map<string, string>,
): readonly SystemOperation[] {
  return changes.flatMap(({ id: memory, event, text, ...change }): readonly SystemOperation[] => {
    const before = change.before ?? texts.get(memory) ?? null
    if (event === 'NOOP' || event === 'NONE') return []
    if (event === 'DELETE') {
      texts.delete(memory)
      return [{ kind: 'delete', memory, before: before ?? text, after: null }]
    }
    if (text !== null) texts.set(memory, text)
    return event === 'ADD'
      ? [{ kind: 'add', memory, before: null, after: text }]
      : [{ kind: 'modify', memory, before, after: text }]
  })
}

/**
 * Mem0's hosted platform, as its npm client `mem0ai` 3.3.1 speaks to it: additions and searches of version 3,
 * changes and deletions of versions 1 and 2, paths that end in a slash. Additions are processed in the
 * background, and each has an event that reports its state.
 *
 * A message has no time of its own: the whole addition has the time of its last message. If the service does not
 * report the changes of an addition, they are `null`, and the harness compares the memories before and after.
 */
export const mem0Platform: PeerDefinition = {
  name: 'mem0-platform',
  speaks: 'Mem0 platform, /v3/memories (mem0ai 3.3.1)',
  defaultUrl: 'https://api.mem0.ai',
  keyVariable: 'MEM0_API_KEY',
  needsKey: true,
  keyHeader: (key) => ({ authorization: `Token ${key}` }),
  settings: { messagesPerAdd: MESSAGES_PER_ADD, turnTimes: 'one an addition' },
  speak: (peer) => {
    const { client, user } = peer
    const filters = { user_id: user }
    return speakMem0(user, {
      send: (addition, at) => sendToPlatform(peer, { ...addition, timestamp: Math.floor(at / 1_000) }),
      listAll: () =>
        readPages(async (page) => {
          const query = { page: String(page), page_size: String(PAGE_SIZE) }
          const schema = z.object({ results: listed, next: z.string().nullish() })
          const { results, next } = await client.ask('POST /v3/memories/', schema, {
            query,
            body: { filters },
          })
          return [results, next === null]
        }),
      async find(query, { limit, at }) {
        const body = { query, output_format: 'v1.1', top_k: limit, reference_date: instantOf(at), filters }
        return (await client.ask('POST /v3/memories/search/', items, { body })).results
      },
      deletions: [
        ['DELETE /v1/memories/', { query: filters }],
        [`DELETE /v2/entities/user/${encodeURIComponent(user)}/`],
      ],
    })
  },
}

async function sendToPlatform(
  peer: PeerService,
  body: Addition & { readonly timestamp: number },
): Promise<readonly Mem0Change[] | null> {
  const answer = await peer.client.ask('POST /v3/memories/add/', additionAnswer, {
    body,
    isSafeToRepeat: false,
  })
  if ('results' in answer) return answer.results
  const { results } = await awaitProcessed(peer, {
    what: `the addition ${answer.event_id}`,
    line: `GET /v1/event/${encodeURIComponent(answer.event_id)}/`,
    schema: event,
    stateOf: ({ status }) => status,
  })
  // The elements of `results` are not documented: `null` when they have an unknown form.
  return changes.parse(results)
}

/**
 * Mem0's self-hosted server ("Mem0 REST APIs" 1.0.0, with keys in `X-API-Key`). It processes an addition within
 * the request, so that the request takes as long as the server's language model. It accepts no times of turns.
 *
 * Deleting needs a key of an administrator, or a server without authentication. A server with a graph store
 * (HaluMem's Mem0-Graph) also answers a search with relations: see {@link mixWithRelations}.
 */
export const mem0Server: PeerDefinition = {
  name: 'mem0-server',
  speaks: 'Mem0 REST APIs 1.0.0 (self-hosted)',
  defaultUrl: 'http://localhost:8888',
  keyVariable: 'KEEPSAKE_BENCH_MEM0_SERVER_KEY',
  needsKey: false,
  keyHeader: (key) => ({ 'x-api-key': key }),
  settings: { messagesPerAdd: MESSAGES_PER_ADD, turnTimes: 'not taken by the service' },
  speak: ({ client, user, processingMs: timeoutMs }) =>
    speakMem0(user, {
      async send(body) {
        const options = { body, isSafeToRepeat: false, timeoutMs }
        return (await client.ask('POST /memories', processedAnswer, options)).results
      },
      async listAll() {
        const query = { user_id: user, top_k: String(LONGEST_LIST) }
        const { results } = await client.ask('GET /memories', items, { query })
        return results.length < LONGEST_LIST ? results : null
      },
      async find(query, { limit }) {
        const body = { query, filters: { user_id: user }, top_k: limit }
        const { results, relations } = await client.ask('POST /search', items, { body })
        return mixWithRelations(results, relations, limit)
      },
      deletions: [['DELETE /memories', { query: { user_id: user } }]],
    }),
}

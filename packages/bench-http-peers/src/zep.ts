import type { DatasetTurn } from '@keepsake/bench'
import { z } from 'zod'
import { idField, recordsField, scoreField, someRecords, textField, textsField } from './odd-fields.ts'
import {
  awaitProcessed,
  readPages,
  type Found,
  type PeerDefinition,
  type PeerItem,
  type PeerRequests,
  type PeerService,
} from './peer.ts'
import { instantOf, nameOf, roleOf, splitText } from './send-turns.ts'

/** The documented limits of one addition to a thread. */
const MESSAGES_PER_ADD = 30
const CHARACTERS_PER_MESSAGE = 4_096
const PAGE_SIZE = 100
/** Marks the id of an entity, whose text is its summary, from that of a fact. */
const NODE = 'node:'

const added = z.object({ message_uuids: textsField })
const newest = z.object({ episodes: someRecords(z.object({ uuid: z.string() })) })
const episode = z.object({ processed: z.boolean().optional() })
const edge = z.object({
  uuid: idField,
  fact: z.string(),
  valid_at: textField,
  expired_at: textField,
  episodes: z.array(z.string()).nullish().catch(null),
  relevance: scoreField,
  score: scoreField,
})
const node = z.object({
  uuid: idField,
  name: textField,
  summary: textField,
  relevance: scoreField,
  score: scoreField,
})
const searchAnswer = z.object({ edges: someRecords(edge), nodes: someRecords(node) })

type Fact = z.infer<typeof edge>

/**
 * Zep Cloud, version 2 of its interface (`/api/v2`) as its npm client `@getzep/zep-cloud` 3.30.0 speaks it: a
 * user with a graph, a thread a session, messages in pieces within the documented limits. What was added counts
 * as retrievable when the graph reports the episode of the last message as processed.
 *
 * It has no list of what a dialogue left (HaluMem, appendix B.2), so `dialogueMemories` is `null`. Half of what
 * is wanted is searched among facts and half among entities, as HaluMem's script does. A fact names the
 * messages it rests on.
 */
export const zep: PeerDefinition = {
  name: 'zep',
  speaks: 'Zep Cloud /api/v2 (@getzep/zep-cloud 3.30.0)',
  defaultUrl: 'https://api.getzep.com/api/v2',
  keyVariable: 'ZEP_API_KEY',
  needsKey: true,
  keyHeader: (key) => ({ authorization: `Api-Key ${key}` }),
  settings: {
    messagesPerAdd: MESSAGES_PER_ADD,
    charactersPerMessage: CHARACTERS_PER_MESSAGE,
    facts: 'half of what is wanted, more where entities are few, reranked by cross_encoder',
    entities: 'the other half, reranked by rrf',
    turnTimes: 'one a message',
  },
  speak: speakZep,
}

function speakZep(peer: PeerService): PeerRequests {
  const { client, user: user_id } = peer
  const threads = new Set<string>()
  /** From a message's uuid, which is its episode's too, to the turn it came from. */
  const turnOf = new Map<string, string>()
  const itemOf = ({ uuid: id, fact: text, episodes, relevance, score }: Fact): PeerItem => {
    const turns = episodes?.flatMap((episode) => turnOf.get(episode) ?? []) ?? null
    return { id, text, turns: turns === null ? null : [...new Set(turns)], score: relevance ?? score }
  }
  return {
    addUser: (turns) => addUser(peer, turns),
    async add(turns, thread) {
      if (!threads.has(thread)) {
        const body = { thread_id: thread, user_id }
        await client.tell('POST /threads', { body, isSafeToRepeat: false })
        threads.add(thread)
      }
      const messages = turns.flatMap(messagesOf)
      let last = ''
      for (let start = 0; start < messages.length; start += MESSAGES_PER_ADD)
        last = await addMessages(peer, thread, messages.slice(start, start + MESSAGES_PER_ADD), turnOf)
      await awaitProcessed(peer, {
        what: `the message ${last}`,
        line: `GET /graph/episodes/${encodeURIComponent(last)}`,
        reads: episode,
        stateOf: ({ processed }) => (processed === true ? 'done' : 'under way'),
      })
      return null
    },
    dialogueMemories: () => null,
    list: async () => (await listFacts(peer)).map(itemOf),
    search: (query, { limit }) => searchGraph(peer, query, limit, itemOf),
    deletions: [[`DELETE /users/${encodeURIComponent(user_id)}`]],
  }
}

function addUser({ client, user: user_id }: PeerService, turns: readonly DatasetTurn[]): Promise<void> {
  const speaker = turns.find((turn) => turn.role === 'user')
  const name = speaker === undefined ? null : nameOf(speaker)
  const body = { user_id, ...(name === null ? {} : { first_name: name }) }
  return client.tell('POST /users', { body, isSafeToRepeat: false })
}

/** The facts that have not expired. Summaries of entities are left out, since they repeat facts. */
async function listFacts({ client, user }: PeerService): Promise<Fact[]> {
  const line = `POST /graph/edge/user/${encodeURIComponent(user)}` as const
  const facts = await readPages<Fact>(async (_, last) => {
    const body = { limit: PAGE_SIZE, ...(last === undefined ? {} : { uuid_cursor: last.uuid }) }
    return [await client.ask(line, recordsField(edge), { body }), false]
  })
  return facts.filter((fact) => fact.expired_at === '')
}

/** @returns the uuid of the last message: where the answer lacks it, of the user's newest episode */
async function addMessages(
  { client, user }: PeerService,
  thread: string,
  messages: ReturnType<typeof messagesOf>,
  turnOf: Map<string, string>,
): Promise<string> {
  const body = { messages: messages.map((message) => message.body) }
  const line = `POST /threads/${encodeURIComponent(thread)}/messages` as const
  const { message_uuids: uuids } = await client.ask(line, added, { body, isSafeToRepeat: false })
  for (const [index, uuid] of uuids.entries()) {
    const turn = messages[index]?.turn
    if (turn !== undefined) turnOf.set(uuid, turn)
  }
  const last = uuids.at(-1)
  if (last !== undefined) return last
  const { episodes } = await client.ask(`GET /graph/episodes/user/${encodeURIComponent(user)}`, newest, {
    query: { lastn: '1' },
  })
  return episodes.at(-1)?.uuid ?? ''
}

async function searchGraph(
  { client, user: user_id }: PeerService,
  query: string,
  limit: number,
  itemOf: (fact: Fact) => PeerItem,
): Promise<Found> {
  const search = (scope: 'edges' | 'nodes', reranker: string) =>
    client.ask('POST /graph/search', searchAnswer, { body: { user_id, query, scope, reranker, limit } })
  const { edges } = await search('edges', 'cross_encoder')
  const { nodes } = await search('nodes', 'rrf')
  const stated = edges.filter(({ fact }) => fact.trim() !== '')
  const entities = nodes.flatMap(({ uuid, name, summary, relevance, score }) => {
    const item = { id: `${NODE}${uuid}`, text: `${name}: ${summary}`, turns: null, score: relevance ?? score }
    // Leaves out entities without a summary.
    return summary.trim() === '' ? [] : [item]
  })
  const [facts, others] = halves(stated, entities, limit)
  const since = ({ valid_at: at }: Fact) => (at === '' ? '' : ` (since ${at})`)
  return {
    items: [...facts.map(itemOf), ...others],
    lines: [...facts.map((fact) => `- ${fact.fact}${since(fact)}`), ...others.map(({ text }) => `- ${text}`)],
  }
}

/** Takes half from each list. If one list is shorter, more are taken from the other. */
function halves<A, B>(ones: readonly A[], others: readonly B[], limit: number): [A[], B[]] {
  const fewer = Math.min(others.length, limit - Math.floor(limit / 2))
  const kept = ones.slice(0, limit - fewer)
  return [kept, others.slice(0, limit - kept.length)]
}

function messagesOf(turn: DatasetTurn) {
  const name = nameOf(turn)
  return splitText(turn.text, CHARACTERS_PER_MESSAGE).map((content) => ({
    turn: turn.id,
    body: {
      role: roleOf(turn),
      ...(name === null ? {} : { name }),
      content,
      created_at: instantOf(turn.at),
    },
  }))
}

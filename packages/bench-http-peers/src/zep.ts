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
/** Start of an entity's id, which distinguishes it from the id of a fact. */
const ENTITY_PREFIX = 'node:'

const added = z.object({ message_uuids: textsField })
const newestEpisode = z.object({ episodes: someRecords(z.object({ uuid: z.string() })) })
const episode = z.object({ processed: z.boolean().optional() })
/** A fact of the graph. */
const edge = z.object({
  uuid: idField,
  fact: z.string(),
  valid_at: textField,
  expired_at: textField,
  episodes: z.array(z.string()).nullish().catch(null),
  relevance: scoreField,
  score: scoreField,
})
/** An entity of the graph. Its text is its summary. */
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
 * Zep Cloud, through version 2 of its interface (`/api/v2`) as its npm client `@getzep/zep-cloud` 3.30.0 uses it.
 * A user has a graph, each session is a thread, and long messages are split at the documented limit. An addition
 * can be searched when the graph reports the episode of its last message as processed.
 *
 * The service does not list the memories of a dialogue (HaluMem, appendix B.2), so `dialogueMemories` returns
 * `null`. As in HaluMem's script, half of the results are facts and half are entities. A fact has the ids of the
 * messages it came from.
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
  /** Turns by the uuid of a message, which is also that of its episode. */
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
        schema: episode,
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

/** Lists the facts that have not expired. Leaves out the summaries of entities, since they repeat facts. */
async function listFacts({ client, user }: PeerService): Promise<Fact[]> {
  const line = `POST /graph/edge/user/${encodeURIComponent(user)}` as const
  const facts = await readPages<Fact>(async (_, last) => {
    const body = { limit: PAGE_SIZE, ...(last === undefined ? {} : { uuid_cursor: last.uuid }) }
    return [await client.ask(line, recordsField(edge), { body }), false]
  })
  return facts.filter((fact) => fact.expired_at === '')
}

/** Adds messages to a thread. @returns the uuid of the last message; if the answer lacks it, that of the user's newest episode */
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
  const { episodes } = await client.ask(
    `GET /graph/episodes/user/${encodeURIComponent(user)}`,
    newestEpisode,
    {
      query: { lastn: '1' },
    },
  )
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
  const factsFound = edges.filter(({ fact }) => fact.trim() !== '')
  const entities = nodes.flatMap(({ uuid, name, summary, relevance, score }) => {
    const item = {
      id: `${ENTITY_PREFIX}${uuid}`,
      text: `${name}: ${summary}`,
      turns: null,
      score: relevance ?? score,
    }
    // Leaves out entities without a summary.
    return summary.trim() === '' ? [] : [item]
  })
  const [facts, others] = takeHalves(factsFound, entities, limit)
  const startOf = ({ valid_at: at }: Fact) => (at === '' ? '' : ` (since ${at})`)
  return {
    items: [...facts.map(itemOf), ...others],
    lines: [
      ...facts.map((fact) => `- ${fact.fact}${startOf(fact)}`),
      ...others.map(({ text }) => `- ${text}`),
    ],
  }
}

/** Takes half from each list. If one list is shorter, more are taken from the other. */
function takeHalves<A, B>(first: readonly A[], second: readonly B[], limit: number): [A[], B[]] {
  const secondCount = Math.min(second.length, limit - Math.floor(limit / 2))
  const firstTaken = first.slice(0, limit - secondCount)
  return [firstTaken, second.slice(0, limit - firstTaken.length)]
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

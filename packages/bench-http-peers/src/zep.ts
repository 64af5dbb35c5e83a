import { z } from 'zod'
import type { DatasetTurn } from '@keepsake/bench'
import type {
  AddedDialogue,
  Dialogue,
  Retrieved,
  RetrievedMemory,
  RetrieveOptions,
  SystemMemoryItem,
} from '@keepsake/bench'
import { NOTHING_RETRIEVED, PeerMemory, nameThrowAwayUser } from './peer-memory.ts'
import { findNoRefusal, pollUntil, type Peer, type PeerDefinition } from './peer.ts'
import { composeLines, instantOf, nameOf, roleOf, splitText } from './send-turns.ts'

/** The documented limits of one addition to a thread. */
export const ZEP_MESSAGES_PER_ADD = 30
export const ZEP_CHARACTERS_PER_MESSAGE = 4_096
const PAGE_SIZE = 100
/** Marks the id of an entity, whose text is its summary, from that of a fact. */
const NODE = 'node:'

const added = z.object({ message_uuids: z.array(z.string()).min(1) })
const episode = z.object({ processed: z.boolean().optional() })
const edge = z.object({
  uuid: z.string(),
  fact: z.string(),
  valid_at: z.string().nullish(),
  expired_at: z.string().nullish(),
  episodes: z.array(z.string()).nullish(),
  relevance: z.number().nullish(),
  score: z.number().nullish(),
})
const node = z.object({
  uuid: z.string(),
  name: z.string(),
  summary: z.string(),
  relevance: z.number().nullish(),
  score: z.number().nullish(),
})
const foundEdges = z.object({ edges: z.array(edge).nullish() })
const foundNodes = z.object({ nodes: z.array(node).nullish() })

type ZepEdge = z.infer<typeof edge>
type ZepNode = z.infer<typeof node>

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
  findRefusal: findNoRefusal,
  settings: {
    messagesPerAdd: ZEP_MESSAGES_PER_ADD,
    charactersPerMessage: ZEP_CHARACTERS_PER_MESSAGE,
    facts: 'half of what is wanted, reranked by cross_encoder',
    entities: 'the other half, reranked by rrf',
    turnTimes: 'one a message',
  },
  open: (peer) => new ZepMemory(peer),
}

interface ZepMessage {
  readonly turn: string
  readonly body: Readonly<Record<string, string>>
}

class ZepMemory extends PeerMemory {
  readonly #threads = new Set<string>()
  /** From a message's uuid, which is its episode's too, to the turn it came from. */
  readonly #turns = new Map<string, string>()

  constructor(peer: Peer) {
    super(peer, nameThrowAwayUser(peer))
  }

  async addDialogue(dialogue: Dialogue): Promise<AddedDialogue> {
    const messages = dialogue.turns.flatMap(messagesOf)
    if (messages.length === 0) return { operations: [] }
    if (!this.isMade) await this.#addUser(dialogue.turns)
    const thread = this.nameSession(dialogue.session)
    if (!this.#threads.has(thread)) await this.#addThread(thread)
    let last = ''
    for (let start = 0; start < messages.length; start += ZEP_MESSAGES_PER_ADD) {
      last = await this.#addMessages(thread, messages.slice(start, start + ZEP_MESSAGES_PER_ADD), last)
    }
    await this.#awaitEpisode(last)
    return { operations: null }
  }

  async #addUser(turns: readonly DatasetTurn[]): Promise<void> {
    const speaker = turns.find((turn) => turn.role === 'user')
    const name = speaker === undefined ? null : nameOf(speaker)
    this.markMade()
    await this.peer.client.request({
      method: 'POST',
      path: '/users',
      body: { user_id: this.user, ...(name === null ? {} : { first_name: name }) },
      reads: z.unknown(),
      isSafeToRepeat: false,
    })
  }

  async #addThread(thread: string): Promise<void> {
    await this.peer.client.request({
      method: 'POST',
      path: '/threads',
      body: { thread_id: thread, user_id: this.user },
      reads: z.unknown(),
      isSafeToRepeat: false,
    })
    this.#threads.add(thread)
  }

  async #addMessages(thread: string, messages: readonly ZepMessage[], last: string): Promise<string> {
    const answer = await this.peer.client.request({
      method: 'POST',
      path: `/threads/${encodeURIComponent(thread)}/messages`,
      body: { messages: messages.map((message) => message.body) },
      reads: added,
      isSafeToRepeat: false,
    })
    answer.message_uuids.forEach((uuid, index) => {
      const turn = messages[index]?.turn
      if (turn !== undefined) this.#turns.set(uuid, turn)
    })
    return answer.message_uuids.at(-1) ?? last
  }

  async #awaitEpisode(uuid: string): Promise<void> {
    const path = `/graph/episodes/${encodeURIComponent(uuid)}`
    await pollUntil(
      this.peer,
      { what: `the message ${uuid}`, method: 'GET', path },
      () => this.peer.client.request({ method: 'GET', path, reads: episode }),
      (state) => state.processed === true,
    )
  }

  dialogueMemories(): Promise<null> {
    return Promise.resolve(null)
  }

  /** The facts that stand; entities' summaries are left out, as they say the same again. */
  async memories(): Promise<readonly SystemMemoryItem[]> {
    if (!this.isMade) return []
    const edges: ZepEdge[] = []
    for (let cursor: string | undefined; ;) {
      const page: readonly ZepEdge[] = await this.peer.client.request({
        method: 'POST',
        path: `/graph/edge/user/${encodeURIComponent(this.user)}`,
        body: { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { uuid_cursor: cursor }) },
        reads: z.array(edge),
      })
      edges.push(...page)
      cursor = page.at(-1)?.uuid
      if (page.length < PAGE_SIZE) break
    }
    return edges.filter((fact) => !fact.expired_at).map((fact) => this.#itemOf(fact))
  }

  async retrieve(query: string, options: RetrieveOptions): Promise<Retrieved> {
    if (!this.isMade) return NOTHING_RETRIEVED
    const facts = Math.floor(options.limit / 2)
    const edges = facts === 0 ? [] : await this.#searchFacts(query, facts)
    const nodes = await this.#searchEntities(query, options.limit - facts)
    const memories: readonly RetrievedMemory[] = [
      ...edges.map((fact) => ({ ...this.#itemOf(fact), score: fact.relevance ?? fact.score ?? null })),
      ...nodes.map((entity) => ({
        id: `${NODE}${entity.uuid}`,
        text: `${entity.name}: ${entity.summary}`,
        turns: null,
        score: entity.relevance ?? entity.score ?? null,
      })),
    ]
    const lines = [
      ...edges.map((fact) => `- ${fact.fact}${fact.valid_at ? ` (since ${fact.valid_at})` : ''}`),
      ...nodes.map((entity) => `- ${entity.name}: ${entity.summary}`),
    ]
    return { ...NOTHING_RETRIEVED, memories, context: composeLines(lines, options.tokens) }
  }

  async #searchFacts(query: string, limit: number): Promise<readonly ZepEdge[]> {
    const answer = await this.peer.client.request({
      method: 'POST',
      path: '/graph/search',
      body: { user_id: this.user, query, scope: 'edges', reranker: 'cross_encoder', limit },
      reads: foundEdges,
    })
    return answer.edges ?? []
  }

  async #searchEntities(query: string, limit: number): Promise<readonly ZepNode[]> {
    const answer = await this.peer.client.request({
      method: 'POST',
      path: '/graph/search',
      body: { user_id: this.user, query, scope: 'nodes', reranker: 'rrf', limit },
      reads: foundNodes,
    })
    return answer.nodes ?? []
  }

  #itemOf(fact: ZepEdge): SystemMemoryItem {
    const turns = fact.episodes?.flatMap((uuid) => this.#turns.get(uuid) ?? []) ?? null
    return { id: fact.uuid, text: fact.fact, turns: turns === null ? null : [...new Set(turns)] }
  }

  async update(id: string, text: string): Promise<void> {
    const isNode = id.startsWith(NODE)
    const uuid = encodeURIComponent(isNode ? id.slice(NODE.length) : id)
    await this.peer.client.request({
      method: 'PATCH',
      path: isNode ? `/graph/node/${uuid}` : `/graph/edge/${uuid}`,
      body: isNode ? { summary: text } : { fact: text },
      reads: z.unknown(),
    })
  }

  protected async deleteUser(): Promise<void> {
    await this.peer.client.request({
      method: 'DELETE',
      path: `/users/${encodeURIComponent(this.user)}`,
      reads: z.unknown(),
      whenAbsent: { value: null },
    })
  }
}

function messagesOf(turn: DatasetTurn): readonly ZepMessage[] {
  const name = nameOf(turn)
  return splitText(turn.text, ZEP_CHARACTERS_PER_MESSAGE).map((content) => ({
    turn: turn.id,
    body: {
      role: roleOf(turn),
      ...(name === null ? {} : { name }),
      content,
      created_at: instantOf(turn.at),
    },
  }))
}

import type { DatasetTurn, RetrieveOptions } from '@keepsake/bench'
import { z } from 'zod'
import { PeerMemory, type Found, type PeerItem } from './peer-memory.ts'
import { awaitProcessed, type PeerDefinition } from './peer.ts'
import { instantOf, nameOf, roleOf, splitText } from './send-turns.ts'

/** The documented limits of one addition to a thread. */
const MESSAGES_PER_ADD = 30
const CHARACTERS_PER_MESSAGE = 4_096
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
    facts: 'half of what is wanted, reranked by cross_encoder',
    entities: 'the other half, reranked by rrf',
    turnTimes: 'one a message',
  },
  open: (peer) => new ZepMemory(peer),
}

interface Message {
  readonly turn: string
  readonly body: Readonly<Record<string, string>>
}

class ZepMemory extends PeerMemory {
  readonly #threads = new Set<string>()
  /** From a message's uuid, which is its episode's too, to the turn it came from. */
  readonly #turns = new Map<string, string>()

  protected override addUser(turns: readonly DatasetTurn[]): Promise<void> {
    const speaker = turns.find((turn) => turn.role === 'user')
    const name = speaker === undefined ? null : nameOf(speaker)
    return this.peer.client.tell('POST /users', {
      body: { user_id: this.user, ...(name === null ? {} : { first_name: name }) },
      isSafeToRepeat: false,
    })
  }

  protected async add(turns: readonly DatasetTurn[], session: string): Promise<null> {
    if (!this.#threads.has(session)) await this.#addThread(session)
    const messages = turns.flatMap(messagesOf)
    let last = ''
    for (let start = 0; start < messages.length; start += MESSAGES_PER_ADD)
      last = await this.#addMessages(session, messages.slice(start, start + MESSAGES_PER_ADD))
    await awaitProcessed(this.peer, {
      what: `the message ${last}`,
      line: `GET /graph/episodes/${encodeURIComponent(last)}`,
      reads: episode,
      stateOf: ({ processed }) => (processed === true ? 'done' : 'under way'),
    })
    return null
  }

  async #addThread(thread: string): Promise<void> {
    const body = { thread_id: thread, user_id: this.user }
    await this.peer.client.tell('POST /threads', { body, isSafeToRepeat: false })
    this.#threads.add(thread)
  }

  /** @returns the uuid of the last message */
  async #addMessages(thread: string, messages: readonly Message[]): Promise<string> {
    const body = { messages: messages.map((message) => message.body) }
    const line = `POST /threads/${encodeURIComponent(thread)}/messages` as const
    const answer = await this.peer.client.ask(line, added, { body, isSafeToRepeat: false })
    for (const [index, uuid] of answer.message_uuids.entries()) {
      const turn = messages[index]?.turn
      if (turn !== undefined) this.#turns.set(uuid, turn)
    }
    return answer.message_uuids.at(-1) ?? ''
  }

  override dialogueMemories(): Promise<null> {
    return Promise.resolve(null)
  }

  /** The facts that stand; entities' summaries are left out, as they say the same again. */
  protected async list(): Promise<readonly PeerItem[]> {
    const facts: Fact[] = []
    const line = `POST /graph/edge/user/${encodeURIComponent(this.user)}` as const
    for (let cursor: string | undefined; ;) {
      const body = { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { uuid_cursor: cursor }) }
      const page: readonly Fact[] = await this.peer.client.ask(line, z.array(edge), { body })
      facts.push(...page)
      cursor = page.at(-1)?.uuid
      if (page.length < PAGE_SIZE) break
    }
    return facts.filter((fact) => !fact.expired_at).map((fact) => this.#itemOf(fact))
  }

  protected async search(query: string, { limit }: RetrieveOptions): Promise<Found> {
    const half = Math.floor(limit / 2)
    const asked = { user_id: this.user, query }
    const found =
      half === 0
        ? {}
        : await this.peer.client.ask('POST /graph/search', foundEdges, {
            body: { ...asked, scope: 'edges', reranker: 'cross_encoder', limit: half },
          })
    const facts = found.edges ?? []
    const { nodes } = await this.peer.client.ask('POST /graph/search', foundNodes, {
      body: { ...asked, scope: 'nodes', reranker: 'rrf', limit: limit - half },
    })
    const entities = (nodes ?? []).map(({ uuid, name, summary, relevance, score }) => {
      const text = `${name}: ${summary}`
      return { id: `${NODE}${uuid}`, text, turns: null, score: relevance ?? score ?? null }
    })
    const since = ({ valid_at: at }: Fact) => (at ? ` (since ${at})` : '')
    return {
      items: [...facts.map((fact) => this.#itemOf(fact)), ...entities],
      lines: [
        ...facts.map((fact) => `- ${fact.fact}${since(fact)}`),
        ...entities.map(({ text }) => `- ${text}`),
      ],
    }
  }

  #itemOf({ uuid: id, fact: text, episodes, relevance, score }: Fact): PeerItem {
    const turns = episodes?.flatMap((episode) => this.#turns.get(episode) ?? []) ?? null
    return {
      id,
      text,
      turns: turns === null ? null : [...new Set(turns)],
      score: relevance ?? score ?? null,
    }
  }

  update(id: string, text: string): Promise<void> {
    const isNode = id.startsWith(NODE)
    const uuid = encodeURIComponent(isNode ? id.slice(NODE.length) : id)
    return isNode
      ? this.peer.client.tell(`PATCH /graph/node/${uuid}`, { body: { summary: text } })
      : this.peer.client.tell(`PATCH /graph/edge/${uuid}`, { body: { fact: text } })
  }

  protected deleteUser(): Promise<void> {
    return this.peer.client.tell(`DELETE /users/${encodeURIComponent(this.user)}`, { mayBeAbsent: true })
  }
}

function messagesOf(turn: DatasetTurn): readonly Message[] {
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

import type {
  AddedDialogue,
  DatasetTurn,
  Dialogue,
  Retrieved,
  RetrieveOptions,
  SystemMemory,
  SystemMemoryItem,
  SystemOperation,
  SystemUsage,
} from '@keepsake/bench'
import type { PeerService } from './peer.ts'
import { composeLines } from './send-turns.ts'

/** A memory as a peer lists or finds it. */
export interface PeerItem extends SystemMemoryItem {
  readonly score?: number | null
  /** Names of the sessions it came from, where the peer tells. */
  readonly sessions?: readonly string[]
}

export interface Found {
  readonly items: readonly PeerItem[]
  /** The context as the peer composes it. Absent: the items, a line each. */
  readonly lines?: readonly string[]
}

/** No service tells how often it asked a model: nothing is counted, and `config.usage` says so. */
const UNKNOWN_USAGE: SystemUsage = { calls: 0, inputTokens: 0, outputTokens: 0, embeddingRequests: 0 }

const NOTHING_RETRIEVED: Retrieved = {
  memories: [],
  turns: null,
  sessions: null,
  confidence: null,
  context: '',
}

/**
 * What all peers share: a throw-away user, opaque names for its sessions, and its deletion at the end. Only what this object made is ever deleted: the user's name is new, and nothing is sent for deletion, or
 * for anything else, before something was sent for storage.
 */
export abstract class PeerMemory implements SystemMemory {
  readonly answer = null
  protected readonly peer: PeerService
  /** The throw-away user. */
  protected readonly user: string
  readonly #sessions = new Map<string, string>()
  #isMade = false

  /** @param user a name that nobody else has */
  constructor(peer: PeerService, user = `keepsake-bench-${peer.newId()}`) {
    this.peer = peer
    this.user = user
  }

  /** Stores turns, at least one, and waits until what came of them stands; `null`: the peer does not tell what came. */
  protected abstract add(
    turns: readonly DatasetTurn[],
    session: string,
  ): Promise<readonly SystemOperation[] | null>
  protected abstract list(): Promise<readonly PeerItem[]>
  protected abstract search(query: string, options: RetrieveOptions): Promise<Found>
  abstract update(id: string, text: string): Promise<void>
  /** Deletes the throw-away user and all that is stored of them. */
  protected abstract deleteUser(): Promise<void>
  /** For a peer that must be told of a user before anything is added. */
  protected addUser?(turns: readonly DatasetTurn[]): Promise<void>

  async addDialogue({ turns, session }: Dialogue): Promise<AddedDialogue> {
    if (turns.length === 0) return { operations: [] }
    if (!this.#isMade) {
      this.#isMade = true
      await this.addUser?.(turns)
    }
    return { operations: await this.add(turns, this.nameSession(session)) }
  }

  async dialogueMemories(session: string): Promise<readonly SystemMemoryItem[] | null> {
    const name = this.nameSession(session)
    const items = this.#isMade ? await this.list() : []
    return items.filter(({ sessions }) => sessions?.includes(name)).map(itemOf)
  }

  async memories(): Promise<readonly SystemMemoryItem[]> {
    return this.#isMade ? (await this.list()).map(itemOf) : []
  }

  async retrieve(query: string, options: RetrieveOptions): Promise<Retrieved> {
    if (!this.#isMade) return NOTHING_RETRIEVED
    const found = await this.search(query, options)
    const items = found.items.slice(0, options.limit)
    return {
      ...NOTHING_RETRIEVED,
      memories: items.map((item) => ({ ...itemOf(item), score: item.score ?? null })),
      context: composeLines(found.lines ?? items.map(({ text }) => `- ${text}`), options.tokens),
    }
  }

  usage(): SystemUsage {
    return UNKNOWN_USAGE
  }

  async close(): Promise<void> {
    if (!this.#isMade) return
    await this.deleteUser()
    this.#isMade = false
  }

  /** A name that tells nothing of the session; every service takes its form and length. */
  protected nameSession(session: string): string {
    const name = this.#sessions.get(session) ?? `${this.user}-s${this.#sessions.size + 1}`
    this.#sessions.set(session, name)
    return name
  }
}

function itemOf({ id, text, turns }: PeerItem): SystemMemoryItem {
  return { id, text, turns }
}

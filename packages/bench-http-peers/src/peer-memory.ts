import type {
  AddedDialogue,
  Dialogue,
  Retrieved,
  RetrieveOptions,
  SystemMemory,
  SystemMemoryItem,
  SystemUsage,
} from '@keepsake/bench'
import type { Peer } from './peer.ts'

/** No service tells how often it asked a model: nothing is counted, and `config.usage` says so. */
const UNKNOWN_USAGE: SystemUsage = { calls: 0, inputTokens: 0, outputTokens: 0, embeddingRequests: 0 }

/**
 * What all peers share: a throw-away user of one's own, opaque names for its sessions, and its deletion at the
 * end. Only what this object made is ever deleted: the user's name is new, and nothing is sent for deletion
 * before something was sent for storage.
 */
export abstract class PeerMemory implements SystemMemory {
  readonly answer = null
  protected readonly peer: Peer
  /** The throw-away user. */
  protected readonly user: string
  readonly #sessions = new Map<string, string>()
  #isMade = false

  constructor(peer: Peer, user: string) {
    this.peer = peer
    this.user = user
  }

  abstract addDialogue(dialogue: Dialogue): Promise<AddedDialogue>
  abstract dialogueMemories(session: string): Promise<readonly SystemMemoryItem[] | null>
  abstract retrieve(query: string, options: RetrieveOptions): Promise<Retrieved>
  abstract memories(): Promise<readonly SystemMemoryItem[] | null>
  abstract update(id: string, text: string): Promise<void>
  /** Deletes the throw-away user and all that is stored of them. */
  protected abstract deleteUser(): Promise<void>

  usage(): SystemUsage {
    return UNKNOWN_USAGE
  }

  async close(): Promise<void> {
    if (!this.#isMade) return
    await this.deleteUser()
    this.#isMade = false
  }

  /** Whether anything was sent for storage under the user. */
  protected get isMade(): boolean {
    return this.#isMade
  }

  /** Called before the first thing is stored. */
  protected markMade(): void {
    this.#isMade = true
  }

  /** A name for a session that says nothing of it; every service takes its form and length. */
  protected nameSession(session: string): string {
    const known = this.#sessions.get(session)
    if (known !== undefined) return known
    const name = `${this.user}-s${this.#sessions.size + 1}`
    this.#sessions.set(session, name)
    return name
  }
}

/** A name for a user that nobody else has. */
export function nameThrowAwayUser(peer: Peer): string {
  return `keepsake-bench-${peer.newId()}`
}

/** What an unused memory retrieves. */
export const NOTHING_RETRIEVED: Retrieved = {
  memories: [],
  turns: null,
  sessions: null,
  confidence: null,
  context: '',
}

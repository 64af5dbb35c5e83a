import type { DatasetTurn } from '@keepsake/bench'
import type {
  AddedDialogue,
  Dialogue,
  Retrieved,
  RetrieveOptions,
  SystemMemoryItem,
  SystemOperation,
} from '@keepsake/bench'
import { readMem0Operations, type Mem0Change, type Mem0Item } from './mem0-results.ts'
import { NOTHING_RETRIEVED, PeerMemory } from './peer-memory.ts'
import { batchTurns, composeLines, roleOf, textWithName } from './send-turns.ts'

/** Neither dialect documents a limit: as many messages at once as HaluMem's scripts give the other systems. */
export const MEM0_MESSAGES_PER_ADD = 20

export interface Mem0Message {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** One call of additions. */
export interface Mem0Addition {
  readonly messages: readonly Mem0Message[]
  /** Opaque name of the session; stored with every memory as `metadata.session`. */
  readonly session: string
  /** When the last of them was said, in milliseconds since 1970. */
  readonly at: number
}

/** What Mem0's platform and its server have in common; they differ in the messages that carry it. */
export abstract class Mem0Memory extends PeerMemory {
  readonly #texts = new Map<string, string>()
  /** From a session's opaque name to the ids of the memories that its dialogues added or changed. */
  readonly #touched = new Map<string, Set<string>>()

  /** Stores messages and waits until what came of them stands; `null`: the service did not tell what came. */
  protected abstract send(addition: Mem0Addition): Promise<readonly Mem0Change[] | null>
  protected abstract list(): Promise<readonly Mem0Item[]>
  protected abstract search(query: string, options: RetrieveOptions): Promise<readonly Mem0Item[]>

  async addDialogue(dialogue: Dialogue): Promise<AddedDialogue> {
    const session = this.nameSession(dialogue.session)
    const operations: SystemOperation[] = []
    let isTold = true
    for (const batch of batchTurns(dialogue.turns, { turns: MEM0_MESSAGES_PER_ADD })) {
      this.markMade()
      const changes = await this.send({ messages: messagesOf(batch), session, at: lastTime(batch) })
      if (changes === null) isTold = false
      else operations.push(...readMem0Operations(changes, this.#texts))
    }
    this.#noteTouched(session, operations)
    return { operations: isTold ? operations : null }
  }

  async dialogueMemories(session: string): Promise<readonly SystemMemoryItem[]> {
    if (!this.isMade) return []
    const name = this.nameSession(session)
    const touched = this.#touched.get(name)
    const items = await this.list()
    return items.filter((item) => touched?.has(item.id) || item.metadata?.['session'] === name).map(toItem)
  }

  async memories(): Promise<readonly SystemMemoryItem[]> {
    return this.isMade ? (await this.list()).map(toItem) : []
  }

  async retrieve(query: string, options: RetrieveOptions): Promise<Retrieved> {
    if (!this.isMade) return NOTHING_RETRIEVED
    const found = (await this.search(query, options)).slice(0, options.limit)
    return {
      ...NOTHING_RETRIEVED,
      memories: found.map((item) => ({ ...toItem(item), score: item.score ?? null })),
      context: composeLines(
        found.map((item) => `- ${item.memory}`),
        options.tokens,
      ),
    }
  }

  #noteTouched(session: string, operations: readonly SystemOperation[]): void {
    const touched = this.#touched.get(session) ?? new Set<string>()
    for (const operation of operations) touched.add(operation.memory)
    this.#touched.set(session, touched)
  }
}

function messagesOf(turns: readonly DatasetTurn[]): readonly Mem0Message[] {
  return turns.map((turn) => ({ role: roleOf(turn), content: textWithName(turn) }))
}

function lastTime(turns: readonly DatasetTurn[]): number {
  return Math.max(...turns.map((turn) => turn.at))
}

function toItem(item: Mem0Item): SystemMemoryItem {
  return { id: item.id, text: item.memory, turns: null }
}

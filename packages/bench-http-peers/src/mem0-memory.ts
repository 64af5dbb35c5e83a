import type { DatasetTurn, RetrieveOptions, SystemOperation } from '@keepsake/bench'
import { z } from 'zod'
import { readMem0Operations, type Mem0Change } from './mem0-changes.ts'
import { PeerMemory, type Found, type PeerItem } from './peer-memory.ts'
import { batchTurns, roleOf, textWithName } from './send-turns.ts'

/** Neither dialect documents a limit: as many messages at once as HaluMem's scripts give the other systems. */
export const MEM0_MESSAGES_PER_ADD = 20

/** A memory as both dialects list it. */
export const mem0Item = z.object({
  id: z.string(),
  memory: z.string(),
  score: z.number().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})

export type Mem0Item = z.infer<typeof mem0Item>

/** One call of additions. */
export interface Mem0Addition {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[]
  readonly user_id: string
  /** The session is stored with every memory. */
  readonly metadata: { readonly session: string }
}

/** What Mem0's platform and its server have in common; they differ in the requests that carry it. */
export abstract class Mem0Memory extends PeerMemory {
  readonly #texts = new Map<string, string>()
  /** From a memory's id to the sessions whose dialogues added or changed it. */
  readonly #touchedBy = new Map<string, Set<string>>()

  /**
   * Stores messages and waits until what came of them stands; `null`: the service did not tell what came.
   *
   * @param at when the last of them was said, in milliseconds since 1970
   */
  protected abstract send(addition: Mem0Addition, at: number): Promise<readonly Mem0Change[] | null>
  protected abstract listAll(): Promise<readonly Mem0Item[]>
  protected abstract find(query: string, options: RetrieveOptions): Promise<readonly Mem0Item[]>

  protected async add(
    turns: readonly DatasetTurn[],
    session: string,
  ): Promise<readonly SystemOperation[] | null> {
    const operations: SystemOperation[] = []
    let isTold = true
    for (const batch of batchTurns(turns, { turns: MEM0_MESSAGES_PER_ADD })) {
      const messages = batch.map((turn) => ({ role: roleOf(turn), content: textWithName(turn) }))
      const addition = { messages, user_id: this.user, metadata: { session } }
      const changes = await this.send(addition, Math.max(...batch.map(({ at }) => at)))
      if (changes === null) isTold = false
      else operations.push(...readMem0Operations(changes, this.#texts))
    }
    for (const { memory } of operations)
      this.#touchedBy.set(memory, (this.#touchedBy.get(memory) ?? new Set()).add(session))
    return isTold ? operations : null
  }

  protected async list(): Promise<readonly PeerItem[]> {
    return (await this.listAll()).map((item) => this.#itemOf(item))
  }

  protected async search(query: string, options: RetrieveOptions): Promise<Found> {
    return { items: (await this.find(query, options)).map((item) => this.#itemOf(item)) }
  }

  #itemOf({ id, memory: text, score = null, metadata }: Mem0Item): PeerItem {
    const told = metadata?.['session']
    const sessions = [...(this.#touchedBy.get(id) ?? []), ...(typeof told === 'string' ? [told] : [])]
    return { id, text, turns: null, score, sessions }
  }
}

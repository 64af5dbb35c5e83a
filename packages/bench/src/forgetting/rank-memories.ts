import type { Memory } from 'keepsake'

/** A memory that bears on a query, and how much. */
export interface RankedMemory {
  readonly memory: Memory
  readonly score: number
}

/** Memories that bear on a query, in any order; what has nothing to do with it is left out. */
export type RankMemories = (query: string, memories: readonly Memory[]) => RankedMemory[]

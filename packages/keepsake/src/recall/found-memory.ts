import type { Memory } from '../memories/memory.ts'
import type { Score } from '../retrieval/score.ts'
import type { SearchHit } from '../retrieval/search-types.ts'
import type { Engine } from '../work/engine.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import { pendingMemory } from './pending-memory.ts'

/** A memory found, with the turns that were found for it. */
export interface FoundMemory extends Score {
  readonly memory: Memory
  /** Scores of its turns that were found by themselves. */
  readonly turns: ReadonlyMap<string, number>
  readonly pending: boolean
  /** The probability that it bears on the question, where a reranking model gives one. */
  readonly relevance?: number
}

export interface MemoryRanking {
  /** Best first; more than were asked for, so that those that are only counted are among them. */
  readonly memories: readonly FoundMemory[]
  readonly sessions: readonly { readonly session: string; readonly score: number }[]
  readonly confidence: number
}

/** The memory that a document of the index stands for: a turn's is the utterance that keeps it, or one it may become. */
export function searchableMemory(
  engine: Engine,
  cache: OwnerCache,
  document: string,
): Pick<FoundMemory, 'memory' | 'pending'> | null {
  const turn = cache.turn(document)
  const memory = turn === undefined ? cache.known(document)?.memory : cache.utteranceOf(document)
  if (memory !== undefined) return { memory, pending: false }
  if (turn === undefined || !cache.isPending(turn)) return null
  return { memory: pendingMemory(engine, turn), pending: true }
}

/** Turns that were found become the memories that keep them; a memory's score is its best turn's. */
export function groupHits(engine: Engine, cache: OwnerCache, hits: readonly SearchHit[]): FoundMemory[] {
  const found = new Map<string, FoundMemory & { readonly turns: Map<string, number> }>()
  for (const { id, score, parts } of hits) {
    const entry = searchableMemory(engine, cache, id)
    if (entry === null) continue
    const known = found.get(entry.memory.id) ?? { ...entry, score, parts, turns: new Map() }
    if (cache.turn(id) !== undefined) known.turns.set(id, score)
    found.set(entry.memory.id, known)
  }
  return [...found.values()]
}

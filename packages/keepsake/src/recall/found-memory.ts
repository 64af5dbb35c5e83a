import type { Memory } from '../memories/memory.ts'
import type { Score } from '../retrieval/score.ts'
import type { SearchHit } from '@keepsake/search'
import type { Engine } from '../work/engine.ts'
import type { UserState } from '../user-state/user-state.ts'
import { pendingMemory } from './pending-memory.ts'

/** A memory found, with the turns that were found for it. */
export interface FoundMemory extends Score {
  readonly memory: Memory
  /** Scores of its turns that were found by themselves. */
  readonly turns: ReadonlyMap<string, number>
  readonly pending: boolean
  /** Of words that told what is no longer so: since when something else is, by what was found. */
  readonly changed?: number
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
  cache: UserState,
  document: string,
): Pick<FoundMemory, 'memory' | 'pending'> | null {
  const turn = cache.turns.get(document)
  const memory = turn === undefined ? cache.memories.get(document) : cache.utteranceOf(document)
  if (memory !== undefined) return { memory, pending: false }
  if (turn === undefined || !cache.isPending(turn)) return null
  return { memory: pendingMemory(engine, turn), pending: true }
}

/** What is looked for among hits. */
export interface Wanted {
  /** Memories that are looked for: behind so many that still hold, only what else was found for them is taken in. */
  readonly most: number
  readonly isMeant: (memory: Memory) => boolean
}

type Found = FoundMemory & { readonly turns: Map<string, number> }

/**
 * Turns that were found become the memories that keep them; a memory's score is its best turn's. What is over may come to stand
 * lower, so that it does not count among those that are enough.
 */
export function groupHits(
  engine: Engine,
  cache: UserState,
  hits: readonly SearchHit[],
  { most, isMeant }: Wanted,
): FoundMemory[] {
  const found = new Map<string, Found>()
  let holding = 0
  for (const hit of hits) {
    const { id } = hit
    const isTurn = cache.turns.has(id)
    // A turn that no utterance keeps yet counts for itself.
    const key = (isTurn ? cache.utteranceOf(id)?.id : undefined) ?? id
    const known = found.get(key) ?? (holding < most ? foundBy(engine, cache, hit) : undefined)
    if (known === undefined || !isMeant(known.memory)) continue
    if (isTurn) known.turns.set(id, hit.score)
    if (found.has(key)) continue
    found.set(key, known)
    if (known.memory.validUntil === null) holding += 1
  }
  return [...found.values()]
}

function foundBy(engine: Engine, cache: UserState, { id, score, parts }: SearchHit): Found | undefined {
  const entry = searchableMemory(engine, cache, id)
  return entry === null ? undefined : { ...entry, score, parts, turns: new Map() }
}

import type { Memory } from 'keepsake'
import { analyseText, embeddedWordVectors } from '@keepsake/text'
import { dot } from '../metrics/means.ts'

export interface RankedMemory {
  readonly memory: Memory
  readonly score: number
}

/** Ranks relevant memories, in any order; irrelevant ones are left out. */
export type RankMemories = (query: string, memories: readonly Memory[]) => RankedMemory[]

const K1 = 1.2
const B = 0.75

interface Read {
  readonly counts: ReadonlyMap<string, number>
  readonly terms: readonly string[]
  readonly length: number
  readonly vector: Float32Array
  /** What it shares, as a query, with previously compared texts. */
  readonly shared: Map<Read, Shared | null>
}

interface Shared {
  /** Counts of the query's terms, in the query's order. */
  readonly counts: readonly number[]
  readonly length: number
  readonly cosine: number
}

/**
 * Ranks by BM25, relative to the query's best, plus cosine: a fixed retriever for comparing policies, simpler than the engine's own.
 * Memories without a shared content word are irrelevant. Comparisons are cached, since the same texts recur under every policy and
 * capacity.
 */
export function rankByWords(): RankMemories {
  const model = embeddedWordVectors()
  const texts = new Map<string, Read>()
  const read = (text: string): Read => {
    const cached = texts.get(text)
    if (cached !== undefined) return cached
    const fresh = { ...countTerms(text), vector: model.embedNow(text), shared: new Map() }
    texts.set(text, fresh)
    return fresh
  }
  return (query, memories) => {
    const question = read(query)
    const documents = memories.map((memory) => read(memory.text))
    const shared = documents.map((document) => shareOf(question, document))
    const lexical = scoreLexically(question, documents, shared)
    const best = lexical.reduce((highest, score) => Math.max(highest, score), Number.MIN_VALUE)
    const ranked: RankedMemory[] = []
    for (const [i, memory] of memories.entries()) {
      const score = lexical[i] ?? 0
      if (score > 0) ranked.push({ memory, score: score / best + (shared[i]?.cosine ?? 0) })
    }
    return ranked
  }
}

function countTerms(text: string): Pick<Read, 'counts' | 'terms' | 'length'> {
  const { terms } = analyseText(text)
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return { counts, terms: [...counts.keys()], length: terms.length }
}

/** `null` without a shared content word. */
function shareOf(question: Read, document: Read): Shared | null {
  const cached = question.shared.get(document)
  if (cached !== undefined) return cached
  const counts = question.terms.map((term) => document.counts.get(term) ?? 0)
  const shared = counts.some((count) => count > 0)
    ? { counts, length: document.length, cosine: dot(question.vector, document.vector) }
    : null
  question.shared.set(document, shared)
  return shared
}

/** BM25 of each document; 0 without shared words. */
function scoreLexically(
  question: Read,
  documents: readonly Read[],
  shared: readonly (Shared | null)[],
): number[] {
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length) || 1
  const holders = question.terms.map(() => 0)
  for (const one of shared) {
    if (one === null) continue
    for (let t = 0; t < holders.length; t++) {
      if ((one.counts[t] ?? 0) > 0) holders[t] = (holders[t] ?? 0) + 1
    }
  }
  const rarities = holders.map((holding) =>
    Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5)),
  )
  return shared.map((one) => {
    if (one === null) return 0
    const penalty = K1 * (1 - B + (B * one.length) / average)
    return one.counts.reduce(
      (sum, count, t) => sum + (rarities[t] ?? 0) * ((count * (K1 + 1)) / (count + penalty)),
      0,
    )
  })
}

import type { Memory } from 'keepsake'
import { analyseText, embeddedWordVectors } from '@keepsake/text'
import { dot } from '../metrics/means.ts'

export interface RankedMemory {
  readonly memory: Memory
  readonly score: number
}

/** Scores relevant memories and leaves out irrelevant ones. The result is not sorted. */
export type RankMemories = (query: string, memories: readonly Memory[]) => RankedMemory[]

/** The usual parameters of BM25. K1: how fast repeated words stop counting. B: how much long texts lose. */
const K1 = 1.2
const B = 0.75

interface AnalysedText {
  readonly counts: ReadonlyMap<string, number>
  readonly terms: readonly string[]
  readonly length: number
  readonly vector: Float32Array
  /** Cache for a query: the words that it shares with each text. `null`: none. */
  readonly shared: Map<AnalysedText, SharedWords | null>
}

/** The words that a query shares with a text. */
interface SharedWords {
  /** Counts of the query's terms, in the query's order. */
  readonly counts: readonly number[]
  /** Number of terms of the text. */
  readonly length: number
  readonly cosine: number
}

/** Makes the retriever for comparing policies. A score is BM25 divided by the query's best BM25, plus the cosine. It caches comparisons. */
export function rankByWords(): RankMemories {
  const model = embeddedWordVectors()
  const texts = new Map<string, AnalysedText>()
  const analyse = (text: string): AnalysedText => {
    const cached = texts.get(text)
    if (cached !== undefined) return cached
    const analysed = { ...countTerms(text), vector: model.embedNow(text), shared: new Map() }
    texts.set(text, analysed)
    return analysed
  }
  return (query, memories) => {
    const question = analyse(query)
    const documents = memories.map((memory) => analyse(memory.text))
    const shared = documents.map((document) => findSharedWords(question, document))
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

function countTerms(text: string): Pick<AnalysedText, 'counts' | 'terms' | 'length'> {
  const { terms } = analyseText(text)
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return { counts, terms: [...counts.keys()], length: terms.length }
}

/** Finds the content words that a question shares with a document. `null`: none. */
function findSharedWords(question: AnalysedText, document: AnalysedText): SharedWords | null {
  const cached = question.shared.get(document)
  if (cached !== undefined) return cached
  const counts = question.terms.map((term) => document.counts.get(term) ?? 0)
  const shared = counts.some((count) => count > 0)
    ? { counts, length: document.length, cosine: dot(question.vector, document.vector) }
    : null
  question.shared.set(document, shared)
  return shared
}

/** Computes the BM25 score of each document. It is 0 if there are no shared words. */
function scoreLexically(
  question: AnalysedText,
  documents: readonly AnalysedText[],
  shared: readonly (SharedWords | null)[],
): number[] {
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length) || 1
  const documentCounts = question.terms.map(() => 0)
  for (const one of shared) {
    if (one === null) continue
    for (let t = 0; t < documentCounts.length; t++) {
      if ((one.counts[t] ?? 0) > 0) documentCounts[t] = (documentCounts[t] ?? 0) + 1
    }
  }
  const rarities = documentCounts.map((documentCount) =>
    Math.log(1 + (documents.length - documentCount + 0.5) / (documentCount + 0.5)),
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

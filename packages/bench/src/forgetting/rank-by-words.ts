import { analyseText, embeddedWordVectors } from 'keepsake/parts'
import type { RankedMemory, RankMemories } from './rank-memories.ts'

/** BM25's usual constants (Robertson and Zaragoza 2009). */
const K1 = 1.2
const B = 0.75

interface Read {
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
  readonly vector: Float32Array
}

/**
 * Ranks by BM25, over the best of the query, plus cosine: a fixed retriever for comparing policies with each other,
 * simpler than the engine's own. Memories that share no content word with the query do not bear on it.
 */
export function rankByWords(): RankMemories {
  const model = embeddedWordVectors()
  const texts = new Map<string, Read>()
  const read = (text: string): Read => {
    const known = texts.get(text)
    if (known !== undefined) return known
    const fresh = { ...countTerms(text), vector: model.embedNow(text) }
    texts.set(text, fresh)
    return fresh
  }
  return (query, memories) => {
    const question = read(query)
    const documents = memories.map((memory) => ({ memory, read: read(memory.text) }))
    const lexical = scoreLexically(
      question,
      documents.map((document) => document.read),
    )
    const best = Math.max(...lexical, Number.MIN_VALUE)
    return documents.flatMap(({ memory, read: { vector } }, i): RankedMemory[] => {
      const score = lexical[i] ?? 0
      return score === 0 ? [] : [{ memory, score: score / best + dot(question.vector, vector) }]
    })
  }
}

function countTerms(text: string): { counts: Map<string, number>; length: number } {
  const { terms } = analyseText(text)
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return { counts, length: terms.length }
}

function scoreLexically(question: Read, documents: readonly Read[]): number[] {
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length) || 1
  const scores = documents.map(() => 0)
  for (const term of question.counts.keys()) {
    const holding = documents.filter(({ counts }) => counts.has(term)).length
    const rarity = Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5))
    for (const [i, { counts, length }] of documents.entries()) {
      const count = counts.get(term) ?? 0
      const saturated = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average))
      scores[i] = (scores[i] ?? 0) + rarity * saturated
    }
  }
  return scores
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

import type { EmbeddingModel } from 'keepsake'
import { NO_OVERLAP, overlapOf, type Overlap } from './text/overlap.ts'
import { splitWords, type TextLanguage } from './text/split-words.ts'
import { dot, mean, NO_VECTOR } from './means.ts'

/** Compares prepared texts without further requests to the model. Each method throws a RangeError for a text that was not prepared. */
export interface PreparedTexts {
  /** Returns the words of a text, as `splitWords` splits it. */
  wordsOf(text: string): readonly string[]
  /** Returns precision, recall and F1 of a candidate against a reference. All are 0 if a text has no word. */
  match(candidate: string, reference: string): Overlap
  /** Returns the cosine of the vectors of two texts, −1 to 1. */
  cosine(a: string, b: string): number
}

interface GreedyMatcherOptions {
  readonly embedding: EmbeddingModel
  readonly language: TextLanguage
}

export interface GreedyMatcher {
  /** Embeds the texts and their new words. Throws ModelError. */
  prepare(texts: readonly string[]): Promise<PreparedTexts>
}

type Vector = Float32Array

/** The number of texts in one request. Providers refuse larger requests. */
const BATCH = 256

/**
 * Matches words greedily by the cosine of their vectors, like BERTScore (Zhang et al. 2020, section 3). Each word of the candidate is matched
 * with the most similar word of the reference (precision), and vice versa (recall).
 *
 * It is *not* BERTScore, which `contextualMatcher` computes. Words are embedded one by one, so a word has the same vector in every sentence.
 * Figures of two embedding models are not comparable. Cosines below 0 count as 0. A word always matches itself, even if its vector is empty.
 * All words count the same, and figures are not rescaled.
 *
 * @example
 * const matcher = greedyMatcher({ embedding: embeddedWordVectors(), language: 'en' })
 * const texts = await matcher.prepare(['She moved to Lyon', 'She relocated to Lyon'])
 * texts.match('She relocated to Lyon', 'She moved to Lyon').precision
 */
export function greedyMatcher({ embedding, language }: GreedyMatcherOptions): GreedyMatcher {
  const vectorByWord = new Map<string, Vector>()
  return {
    prepare: async (texts) => {
      const distinct = [...new Set(texts)]
      const words = distinct.map((text) => splitWords(text, { language }))
      const vocabulary = [...new Set(words.flat())]
      const unknown = vocabulary.filter((word) => !vectorByWord.has(word))
      for (const [i, vector] of (await embedInBatches(embedding, unknown)).entries())
        vectorByWord.set(unknown[i] ?? '', vector)
      const textVectors = await embedInBatches(embedding, distinct)
      const numbers = new Map(vocabulary.map((word, number) => [word, number]))
      const prepared = new Map(
        distinct.map((text, i) => {
          const textWords = words[i] ?? []
          const vector = textVectors[i] ?? NO_VECTOR
          return [
            text,
            { words: textWords, numbers: textWords.map((word) => numbers.get(word) ?? 0), vector },
          ]
        }),
      )
      const similarity = wordSimilarity(vocabulary.map((word) => vectorByWord.get(word) ?? NO_VECTOR))
      return {
        wordsOf: (text) => requirePrepared(prepared, text).words,
        match: (candidate, reference) =>
          matchGreedily(
            requirePrepared(prepared, candidate).numbers,
            requirePrepared(prepared, reference).numbers,
            similarity,
          ),
        cosine: (a, b) => dot(requirePrepared(prepared, a).vector, requirePrepared(prepared, b).vector),
      }
    },
  }
}

/** Embeds texts in batches. Throws ModelError when the model cannot answer. */
async function embedInBatches(embedding: EmbeddingModel, texts: readonly string[]): Promise<Vector[]> {
  const vectors: Vector[] = []
  for (let at = 0; at < texts.length; at += BATCH)
    vectors.push(...(await embedding.embed(texts.slice(at, at + BATCH))))
  if (vectors.length === texts.length) return vectors
  throw new RangeError(`${embedding.id} gave ${vectors.length} vectors for ${texts.length} texts.`)
}

/** Computes BERTScore's equations with any similarity from 0 to 1. All are 0 if a side is empty. */
export function matchGreedily<W>(
  candidate: readonly W[],
  reference: readonly W[],
  similarity: (a: W, b: W) => number,
): Overlap {
  if (candidate.length === 0 || reference.length === 0) return NO_OVERLAP
  const bestOfReference = reference.map(() => 0)
  const bestOfCandidate = candidate.map((word) => {
    let best = 0
    for (const [i, other] of reference.entries()) {
      const score = similarity(word, other)
      if (score > best) best = score
      if (score > (bestOfReference[i] ?? 0)) bestOfReference[i] = score
    }
    return best
  })
  return overlapOf(mean(bestOfCandidate) ?? 0, mean(bestOfReference) ?? 0)
}

/** Returns the similarity of two words, which are named by number. Each pair is computed once, because texts share many words. */
function wordSimilarity(vectors: readonly Vector[]): (a: number, b: number) => number {
  const rows: (Float32Array | undefined)[] = []
  return (a, b) => {
    if (a === b) return 1
    const [from, to] = a < b ? [a, b] : [b, a]
    const row = (rows[from] ??= new Float32Array(vectors.length).fill(Number.NaN))
    const computed = row[to] ?? Number.NaN
    if (!Number.isNaN(computed)) return computed
    const cosine = dot(vectors[from] ?? NO_VECTOR, vectors[to] ?? NO_VECTOR)
    row[to] = Math.min(1, Math.max(0, cosine))
    // Returns the stored value, which has 32 bits, so that the next call returns the same.
    return row[to]
  }
}

function requirePrepared<T>(prepared: ReadonlyMap<string, T>, text: string): T {
  const preparedText = prepared.get(text)
  if (preparedText === undefined) {
    throw new RangeError(
      `“${text.slice(0, 60)}” was not prepared. Give prepare() every text that is compared.`,
    )
  }
  return preparedText
}

import type { EmbeddingModel } from 'keepsake'
import { NO_OVERLAP, overlapOf, type Overlap } from './text/overlap.ts'
import { splitWords, type TextLanguage } from './text/split-words.ts'
import { dot, mean, NO_VECTOR } from './means.ts'

/** Texts with vectors, compared without further requests. */
export interface PreparedTexts {
  /**
   * The text's words, as `splitWords` gives them.
   *
   * @throws RangeError for an unprepared text
   */
  wordsOf(text: string): readonly string[]
  /**
   * Precision, recall and F1, 0 to 1, of a candidate against a reference; all 0 where a side has no word.
   *
   * @throws RangeError for an unprepared text
   */
  match(candidate: string, reference: string): Overlap
  /**
   * Cosine of the two whole texts' vectors, −1 to 1.
   *
   * @throws RangeError for an unprepared text
   */
  cosine(a: string, b: string): number
}

interface GreedyMatcherOptions {
  readonly embedding: EmbeddingModel
  readonly language: TextLanguage
}

export interface GreedyMatcher {
  /** Embeds the texts, and their words not embedded yet. Throws ModelError. */
  prepare(texts: readonly string[]): Promise<PreparedTexts>
}

type Vector = Float32Array

/** Texts for one request: providers refuse larger ones. */
const BATCH = 256

/**
 * Greedy matching of words by the cosine of their vectors, after BERTScore (Zhang et al. 2020, section 3): each word of the candidate is
 * matched with the most similar of the reference (precision), each of the reference with the most similar of the candidate (recall). It is
 * *not* BERTScore (`contextualMatcher` is): words are embedded one by one by whichever embedder is configured, so the same word has the
 * same vector in every sentence, and figures of two embedders do not compare. Cosines below 0 count as 0, and a word always matches itself,
 * even if its vector is empty. Every word counts the same; baseline rescaling is left out.
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
      const whole = await embedInBatches(embedding, distinct)
      const numbers = new Map(vocabulary.map((word, number) => [word, number]))
      const prepared = new Map(
        distinct.map((text, i) => {
          const own = words[i] ?? []
          const vector = whole[i] ?? NO_VECTOR
          return [text, { words: own, numbers: own.map((word) => numbers.get(word) ?? 0), vector }]
        }),
      )
      const similarity = wordSimilarity(vocabulary.map((word) => vectorByWord.get(word) ?? NO_VECTOR))
      return {
        wordsOf: (text) => demand(prepared, text).words,
        match: (candidate, reference) =>
          matchGreedily(demand(prepared, candidate).numbers, demand(prepared, reference).numbers, similarity),
        cosine: (a, b) => dot(demand(prepared, a).vector, demand(prepared, b).vector),
      }
    },
  }
}

/** One vector a text, in order. Throws ModelError when the model cannot answer. */
async function embedInBatches(embedding: EmbeddingModel, texts: readonly string[]): Promise<Vector[]> {
  const vectors: Vector[] = []
  for (let at = 0; at < texts.length; at += BATCH)
    vectors.push(...(await embedding.embed(texts.slice(at, at + BATCH))))
  if (vectors.length === texts.length) return vectors
  throw new RangeError(`${embedding.id} gave ${vectors.length} vectors for ${texts.length} texts.`)
}

/**
 * BERTScore's equations with any similarity: P is the mean of max sim(x̂, x) over the candidate's words, R the same over the reference's.
 * All 0 where a side is empty.
 *
 * @param similarity of two words, 0 to 1
 */
export function matchGreedily<W>(
  candidate: readonly W[],
  reference: readonly W[],
  similarity: (a: W, b: W) => number,
): Overlap {
  if (candidate.length === 0 || reference.length === 0) return NO_OVERLAP
  const ofReference = reference.map(() => 0)
  const ofCandidate = candidate.map((word) => {
    let best = 0
    for (const [i, other] of reference.entries()) {
      const score = similarity(word, other)
      if (score > best) best = score
      if (score > (ofReference[i] ?? 0)) ofReference[i] = score
    }
    return best
  })
  return overlapOf(mean(ofCandidate) ?? 0, mean(ofReference) ?? 0)
}

/** Similarities of words by number. Each pair is computed once: every label is compared with every memory, and they share words. */
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
    // The stored 32-bit value, so that the next call gives the same.
    return row[to]
  }
}

function demand<T>(prepared: ReadonlyMap<string, T>, text: string): T {
  const preparedText = prepared.get(text)
  if (preparedText === undefined) {
    throw new RangeError(
      `“${text.slice(0, 60)}” was not prepared. Give prepare() every text that is compared.`,
    )
  }
  return preparedText
}

import type { EmbeddingModel } from 'keepsake'
import { NO_OVERLAP, overlapOf, type Overlap } from './text/overlap.ts'
import { splitWords, type SplitOptions } from './text/split-words.ts'
import { embedInBatches, vectorCache, type Vector } from './vector-cache.ts'

/** How much a word counts. */
export type WordWeight = (word: string) => number

/** Texts whose vectors are at hand: comparing them waits for nothing. */
export interface PreparedTexts {
  /**
   * The text's words, as `splitWords` gives them.
   * @throws RangeError for a text that was not prepared
   */
  wordsOf(text: string): readonly string[]
  /**
   * Precision, recall and F1, 0 to 1, of a candidate against a reference; all 0 where a side has no word.
   * @throws RangeError for a text that was not prepared
   */
  match(candidate: string, reference: string): Overlap
  /**
   * Cosine of the two whole texts' vectors, −1 to 1.
   * @throws RangeError for a text that was not prepared
   */
  cosine(a: string, b: string): number
}

export interface GreedyMatcherOptions extends SplitOptions {
  readonly embedding: EmbeddingModel
  /** Default: every word counts the same. BERTScore's alternative: `inverseDocumentFrequency`. */
  readonly weight?: WordWeight
}

export interface GreedyMatcher {
  /** Embeds what of the texts is not known yet. Words stay known to later calls. Throws ModelError. */
  prepare(texts: readonly string[]): Promise<PreparedTexts>
}

/**
 * Greedy matching of words by the cosine of their vectors, after BERTScore (Zhang et al. 2020, section 3): each word of
 * the candidate is matched with the most similar of the reference (precision), each of the reference with the most
 * similar of the candidate (recall). It is *not* BERTScore: words are embedded one by one by whichever embedder is
 * configured, so the same word has the same vector in every sentence, and figures of two embedders do not compare.
 * Cosines below 0 count as 0, and a word is wholly like itself, be its vector empty. Baseline rescaling is left out.
 *
 * @example
 * const matcher = greedyMatcher({ embedding: embeddedWordVectors(), language: 'en' })
 * const texts = await matcher.prepare(['She moved to Lyon', 'She relocated to Lyon'])
 * texts.match('She relocated to Lyon', 'She moved to Lyon').precision
 */
export function greedyMatcher(options: GreedyMatcherOptions): GreedyMatcher {
  const vectors = vectorCache(options.embedding)
  const { weight = () => 1 } = options
  return {
    prepare: async (texts) => {
      const distinct = [...new Set(texts)]
      const words = distinct.map((text) => splitWords(text, options))
      const vocabulary = [...new Set(words.flat())]
      await vectors.learn(vocabulary)
      const whole = await embedInBatches(options.embedding, distinct)
      const numbers = new Map(vocabulary.map((word, number) => [word, number]))
      const prepared = new Map(
        distinct.map((text, i) => {
          const own = words[i] ?? []
          return [text, { words: own, numbers: own.map((word) => numbers.get(word) ?? 0), whole: whole[i] }]
        }),
      )
      const similarity = wordSimilarity(vocabulary.map((word) => vectors.of(word)))
      const weights = vocabulary.map(weight)
      const numbersOf = (text: string): readonly number[] => demand(prepared, text).numbers
      return {
        wordsOf: (text) => demand(prepared, text).words,
        match: (candidate, reference) =>
          matchGreedily(numbersOf(candidate), numbersOf(reference), similarity, (word) => weights[word] ?? 0),
        cosine: (a, b) => dot(demand(prepared, a).whole ?? NO_VECTOR, demand(prepared, b).whole ?? NO_VECTOR),
      }
    },
  }
}

/**
 * BERTScore's equations with any similarity and weights: P = Σ w(x̂) max sim(x̂, x) / Σ w(x̂) over the candidate's
 * words, R the same over the reference's. All 0 where a side is empty or weighs nothing.
 *
 * @param similarity of two words, 0 to 1
 */
export function matchGreedily<W>(
  candidate: readonly W[],
  reference: readonly W[],
  similarity: (a: W, b: W) => number,
  weight: (word: W) => number = () => 1,
): Overlap {
  const ofReference = reference.map(() => 0)
  const ofCandidate = candidate.map((word) => {
    let best = 0
    for (const [i, other] of reference.entries()) {
      const found = similarity(word, other)
      if (found > best) best = found
      if (found > (ofReference[i] ?? 0)) ofReference[i] = found
    }
    return best
  })
  const precision = weighedMean(ofCandidate, candidate.map(weight))
  const recall = weighedMean(ofReference, reference.map(weight))
  return precision === null || recall === null ? NO_OVERLAP : overlapOf(precision, recall)
}

function weighedMean(values: readonly number[], weights: readonly number[]): number | null {
  let sum = 0
  let whole = 0
  for (const [i, weight] of weights.entries()) {
    sum += (values[i] ?? 0) * weight
    whole += weight
  }
  return whole === 0 ? null : sum / whole
}

/**
 * How telling a word is: −log of the share of texts that have it, one text without any word added so that unseen
 * words count most instead of infinitely (BERTScore's plus-one smoothing).
 */
export function inverseDocumentFrequency(texts: readonly string[], options: SplitOptions): WordWeight {
  const frequencies = new Map<string, number>()
  for (const text of texts) {
    for (const word of new Set(splitWords(text, options))) {
      frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
    }
  }
  return (word) => Math.log((texts.length + 1) / ((frequencies.get(word) ?? 0) + 1))
}

/** Words by number, and their likenesses. Each pair is reckoned once: labels meet every memory, with the same words. */
function wordSimilarity(vectors: readonly Vector[]): (a: number, b: number) => number {
  const rows: (Float32Array | undefined)[] = []
  return (a, b) => {
    if (a === b) return 1
    const [from, to] = a < b ? [a, b] : [b, a]
    const row = (rows[from] ??= new Float32Array(vectors.length).fill(Number.NaN))
    const known = row[to] ?? Number.NaN
    if (!Number.isNaN(known)) return known
    const cosine = dot(vectors[from] ?? NO_VECTOR, vectors[to] ?? NO_VECTOR)
    row[to] = Math.min(1, Math.max(0, cosine))
    // As it is kept: rounded, and so the same the next time.
    return row[to]
  }
}

const NO_VECTOR = new Float32Array()

/** Of vectors of length 1: their cosine. */
function dot(a: Vector, b: Vector): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

function demand<T>(prepared: ReadonlyMap<string, T>, text: string): T {
  const found = prepared.get(text)
  if (found === undefined) {
    throw new RangeError(
      `“${text.slice(0, 60)}” was not prepared. Give prepare() every text that is compared.`,
    )
  }
  return found
}

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
      const wordsOf = new Map(texts.map((text) => [text, splitWords(text, options)]))
      await vectors.learn([...wordsOf.values()].flat())
      const distinct = [...wordsOf.keys()]
      const embedded = await embedInBatches(options.embedding, distinct)
      const vectorOf = new Map(distinct.map((text, i) => [text, embedded[i] ?? new Float32Array()]))
      const similarity = wordSimilarity((word) => vectors.of(word))
      return {
        wordsOf: (text) => demand(wordsOf, text),
        match: (candidate, reference) =>
          matchGreedily(demand(wordsOf, candidate), demand(wordsOf, reference), similarity, weight),
        cosine: (a, b) => dot(demand(vectorOf, a), demand(vectorOf, b)),
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
export function matchGreedily(
  candidate: readonly string[],
  reference: readonly string[],
  similarity: (a: string, b: string) => number,
  weight: WordWeight = () => 1,
): Overlap {
  const precision = bestOf(candidate, reference, similarity, weight)
  const recall = bestOf(reference, candidate, similarity, weight)
  return precision === null || recall === null ? NO_OVERLAP : overlapOf(precision, recall)
}

function bestOf(
  words: readonly string[],
  others: readonly string[],
  similarity: (a: string, b: string) => number,
  weight: WordWeight,
): number | null {
  let sum = 0
  let weights = 0
  for (const word of words) {
    let best = 0
    for (const other of others) best = Math.max(best, similarity(word, other))
    sum += best * weight(word)
    weights += weight(word)
  }
  return others.length === 0 || weights === 0 ? null : sum / weights
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

/** Each pair is reckoned once: labels are compared with every memory, and the same words come again and again. */
function wordSimilarity(vectorOf: (word: string) => Vector): (a: string, b: string) => number {
  const known = new Map<string, Map<string, number>>()
  return (a, b) => {
    if (a === b) return 1
    const [first, second] = a < b ? [a, b] : [b, a]
    let row = known.get(first)
    if (row === undefined) known.set(first, (row = new Map()))
    const before = row.get(second)
    if (before !== undefined) return before
    const cosine = Math.min(1, Math.max(0, dot(vectorOf(first), vectorOf(second))))
    row.set(second, cosine)
    return cosine
  }
}

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

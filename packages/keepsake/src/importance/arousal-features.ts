// Computes the features of a text from which its arousal is predicted.
import { type WordTable, hashText } from '@keepsake/text'

/** Matches Chinese words that intensify a sentence. */
const CHINESE_INTENSIFIERS =
  /非常|特别|特別|超级|超級|极了|極了|太|真的|简直|簡直|居然|竟然|气死|氣死|天啊|天哪|哇/gu
/** An intensifier has half of the weight of an exclamation mark, and at most three count. Chosen, not trained. */
const INTENSIFIER_SHARE = 0.5
const MAX_INTENSIFIERS = 3
/** Only the start of a longer text is read. EmoBank's sentences are far shorter. */
const MAX_LENGTH = 2000

/** Measures marks of arousal in any language, 0 or 1: exclamation marks, a question mark, both, an ellipsis, a repeated letter. */
export function measureMarks(text: string): number[] {
  const plain = text.slice(0, MAX_LENGTH).normalize('NFKC')
  const has = (pattern: RegExp): number => (pattern.test(plain) ? 1 : 0)
  return [has(/!/), has(/!.*!/s), has(/\?/), has(/!\?|\?!/), has(/\.{3}|。。/), has(/(\p{L})\1\1/iu)]
}

/** Estimates arousal by marks, for texts whose words are not in the table. Assumes that English weights suit other languages. */
export function markArousal(
  text: string,
  marks: { readonly intercept: number; readonly weights: readonly number[] },
): number {
  const count = text.slice(0, MAX_LENGTH).match(CHINESE_INTENSIFIERS)?.length ?? 0
  const intensifiers = Math.min(MAX_INTENSIFIERS, count)
  const exclamationWeight = marks.weights[0] ?? 0
  let arousal = marks.intercept + intensifiers * INTENSIFIER_SHARE * exclamationWeight
  for (const [index, value] of measureMarks(text).entries()) arousal += value * (marks.weights[index] ?? 0)
  return arousal
}

/** Number of buckets for hashed words and pairs of words. EmoBank's train split has about 13,000 that occur three times. */
export const GRAM_BUCKETS = 1 << 15
/** Number of word-vector statistics per dimension: frequency-weighted mean, maximum and minimum. */
export const POOLS = 3
/** Number of axes on which words are scored: arousal, valence, dominance, |valence − 3|. */
export const AXES = 4
/** Number of statistics per axis: highest score, lowest, deviation, mean of the highest two, of the highest three. */
export const SCORE_POOLS = 5
/** The constant a of smooth inverse frequency (Arora et al. 2017), by which frequent words weigh less. */
const SIF_A = 1e-3
/** Maximum distance of a feature from its mean, in standard deviations. Larger distances are limited to it. */
const MAX_DISTANCE = 5
/** The width of the Gaussian kernel, and the weight of each group of features. Both were chosen on EmoBank's dev split. */
const KERNEL_WIDTH = Math.sqrt(330 / 0.4)
const GROUP_WEIGHTS = { mean: 1, extremes: 0.7, scores: 1.5, style: 2 }

/** Matches a word, a clitic (n't, 's), a run of marks or a single mark. */
const TOKEN =
  /n't\b|[\p{L}\p{N}]+?(?=n't\b)|'(?:s|re|ve|ll|m|d)\b|[\p{L}\p{N}]+|[!?]+|\.{2,}|[^\s\p{L}\p{N}]/gu

/** The features of a text. */
export interface ArousalFeatures {
  /** Pooled word vectors, pooled word scores, style measures; not yet standardised. */
  readonly dense: Float64Array
  /** Bucket of each distinct word, mark and pair of neighbours. */
  readonly grams: readonly number[]
}

/** Splits a text into lower-case words, clitics and runs of marks. The clitic n't becomes "not". */
export function arousalTokens(text: string): string[] {
  const plain = text
    .slice(0, MAX_LENGTH)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
  return (plain.match(TOKEN) ?? []).map((token) => (token === "n't" ? 'not' : token))
}

/** Standardises dense features for the kernel, by means and deviations of the train split, weighted by group. */
export function standardise(
  dense: Float64Array,
  means: Float32Array,
  deviations: Float32Array,
): Float64Array {
  const dimensions = (dense.length - AXES * SCORE_POOLS - STYLE_MEASURES) / POOLS
  return dense.map((value, index) => {
    const deviation = deviations[index] ?? 0
    const distance = deviation === 0 ? 0 : (value - (means[index] ?? 0)) / deviation
    const limited = Math.min(MAX_DISTANCE, Math.max(-MAX_DISTANCE, distance))
    return (limited * groupWeight(index, dimensions)) / KERNEL_WIDTH
  })
}

/** Returns the weight of the group of a dense feature. The groups follow each other in this order. */
function groupWeight(index: number, dimensions: number): number {
  if (index < dimensions) return GROUP_WEIGHTS.mean
  if (index < POOLS * dimensions) return GROUP_WEIGHTS.extremes
  return index < POOLS * dimensions + AXES * SCORE_POOLS ? GROUP_WEIGHTS.scores : GROUP_WEIGHTS.style
}

/** Reads the features of a text. Without known words, the features of word vectors and of word scores are zero. */
export function readArousalFeatures(text: string, table: WordTable, axes: Float32Array): ArousalFeatures {
  const read = text.slice(0, MAX_LENGTH)
  const tokens = arousalTokens(read)
  const style = measureStyle(read, tokens)
  const pooled = POOLS * table.dimensions
  const dense = new Float64Array(pooled + AXES * SCORE_POOLS + style.length)
  const knownRows = tokens.map((token) => table.rows.get(token)).filter((row) => row !== undefined)
  if (knownRows.length > 0) {
    poolWordVectors(dense, knownRows, table)
    dense.set(poolWordScores(knownRows, table, axes), pooled)
  }
  dense.set(style, pooled + AXES * SCORE_POOLS)
  return { dense, grams: hashGrams(tokens) }
}

/** Writes the weighted mean, the maximum and the minimum of the word vectors to the first features. */
function poolWordVectors(dense: Float64Array, known: readonly number[], table: WordTable): void {
  const { dimensions, bytes, scales, probabilities } = table
  dense.fill(-Infinity, dimensions, 2 * dimensions)
  dense.fill(Infinity, 2 * dimensions, 3 * dimensions)
  let total = 0
  for (const row of known) {
    const weight = SIF_A / (SIF_A + (probabilities[row] ?? 0))
    const scale = scales[row] ?? 0
    total += weight
    for (let i = 0; i < dimensions; i++) {
      const value = (bytes[row * dimensions + i] ?? 0) * scale
      dense[i] = (dense[i] ?? 0) + weight * value
      dense[dimensions + i] = Math.max(dense[dimensions + i] ?? 0, value)
      dense[2 * dimensions + i] = Math.min(dense[2 * dimensions + i] ?? 0, value)
    }
  }
  for (let index = 0; index < dimensions; index++) dense[index] = (dense[index] ?? 0) / total
}

/** Returns the statistics of each axis. The score of a word on an axis is √weight · vector · axis. */
function poolWordScores(known: readonly number[], table: WordTable, axes: Float32Array): Float64Array {
  const { dimensions, bytes, scales, probabilities } = table
  const pools = new Float64Array(AXES * SCORE_POOLS)
  for (let axis = 0; axis < AXES; axis++) {
    const scores = known.map((row) => {
      let product = 0
      for (let index = 0; index < dimensions; index++) {
        product += (bytes[row * dimensions + index] ?? 0) * (axes[axis * dimensions + index] ?? 0)
      }
      return product * (scales[row] ?? 0) * Math.sqrt(SIF_A / (SIF_A + (probabilities[row] ?? 0)))
    })
    pools.set(describeScores(scores.sort((left, right) => right - left)), axis * SCORE_POOLS)
  }
  return pools
}

/** Returns the statistics of scores in the order of `SCORE_POOLS`. */
function describeScores(descending: readonly number[]): number[] {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const centre = mean(descending)
  const deviation = Math.sqrt(mean(descending.map((score) => (score - centre) ** 2)))
  const [highest = 0] = descending
  return [
    highest,
    descending.at(-1) ?? 0,
    deviation,
    mean(descending.slice(0, 2)),
    mean(descending.slice(0, 3)),
  ]
}

/** Returns the buckets of the distinct tokens and of the pairs of neighbours, including the start and the end of the text. */
function hashGrams(tokens: readonly string[]): number[] {
  const grams = new Set<number>()
  let previous = '<'
  for (const token of [...tokens, '>']) {
    if (token !== '>') grams.add(hashText(token, 1) % GRAM_BUCKETS)
    grams.add(hashText(`${previous} ${token}`, 1) % GRAM_BUCKETS)
    previous = token
  }
  return [...grams]
}

/** Returns features of style: marks, length, capitals, digits, endings, persons. */
function measureStyle(text: string, tokens: readonly string[]): number[] {
  const has = (pattern: RegExp): number => (pattern.test(text) ? 1 : 0)
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0
  const says = (word: string): number => (tokens.includes(word) ? 1 : 0)
  const exclamations = [has(/!/), Math.min(count(/!/g), 4)]
  const questions = [has(/\?/), Math.min(count(/\?/g), 3), has(/!\?|\?!/)]
  const pauses = [has(/\.{3}|…/), has(/["“]/), count(/,/g), has(/;/), has(/:/), has(/\(/), has(/\*/)]
  const digits = [count(/\d/g) / (text.length + 1), has(/\d/)]
  const ends = [has(/(\p{L})\1\1/iu), has(/^\p{Ll}/u), has(/[^.!?"”]\s*$/), has(/\?\s*$/), has(/!\s*$/)]
  return [
    ...exclamations,
    ...questions,
    ...pauses,
    has(/https?:|www\.|@/),
    ...measureLength(tokens),
    ...measureCapitals(text),
    ...digits,
    ...ends,
    says('i'),
    says('you'),
    says('we'),
  ]
}

/** Measures the length: log, linear and squared number of words (scaled to about 1), and the mean length of a word. */
function measureLength(tokens: readonly string[]): number[] {
  const limited = Math.min(tokens.length, 60)
  const average = tokens.reduce((sum, token) => sum + token.length, 0) / Math.max(1, tokens.length)
  return [Math.log1p(tokens.length), tokens.length / 20, (limited * limited) / 3600, average]
}

/** Measures shouted words (“GREAT”) as a share and a number, and the share of capitals. */
function measureCapitals(text: string): number[] {
  const capitals = (part: string): number => part.match(/\p{Lu}/gu)?.length ?? 0
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const words = text.split(/\s+/).filter((word) => word !== '')
  const shouted = words.filter(
    (word) => word.length > 2 && !/\p{Ll}/u.test(word) && capitals(word) > 1,
  ).length
  return [shouted / (words.length + 1), Math.min(shouted, 4), capitals(text) / (letters + 1)]
}

const STYLE_MEASURES = measureStyle('', []).length

// Measures the arousal of texts with a regression that was trained on EmoBank, a corpus of sentences with rated emotion.
import { type WordTable, embeddedWordTable, parsePackagedData, splitText } from '@keepsake/text'
import { z } from 'zod'
import type { ArousalModel } from '../models/model-ports.ts'
import { type ArousalFeatures, markArousal, readArousalFeatures, standardise } from './arousal-features.ts'
import { readPackagedText } from './packaged/packaged-files.ts'

export const AROUSAL_WEIGHTS_FILE = 'arousal-emobank.json'

/** The schema of the packaged file, which `packages/train/src/fit-arousal.ts` writes. Arrays are little-endian base64. */
const fileSchema = z.object({
  version: z.literal(1),
  source: z.string(),
  licence: z.string(),
  wordTable: z.string(),
  seed: z.number().int().positive(),
  intercept: z.number(),
  axes: z.string(),
  means: z.string(),
  deviations: z.string(),
  fourier: z.string(),
  gramScale: z.number(),
  grams: z.string(),
  gramRarity: z.string(),
  marks: z.object({ intercept: z.number(), weights: z.array(z.number()) }),
})
export type ArousalWeightsFile = z.infer<typeof fileSchema>

export interface ArousalWeights {
  readonly seed: number
  readonly intercept: number
  /** See `readArousalFeatures`. */
  readonly axes: Float32Array
  /** Mean and standard deviation of each dense feature in the train split. */
  readonly means: Float32Array
  readonly deviations: Float32Array
  /** The weight of each random feature. */
  readonly fourier: Float32Array
  /** The weight of each bucket, divided by `gramScale`. */
  readonly grams: Int8Array
  readonly gramScale: number
  /** Rarity of each bucket from 0 to 255; 0 for buckets that were too rare in the train split. */
  readonly gramRarity: Uint8Array
  /** Weights for texts in other languages, see `markArousal`. */
  readonly marks: { readonly intercept: number; readonly weights: readonly number[] }
}

let loaded: ArousalWeights | undefined
/** Returns the packaged weights, which are read once. */
export function embeddedArousalWeights(): ArousalWeights {
  return (loaded ??= decodeArousalWeights(readPackagedText(AROUSAL_WEIGHTS_FILE)))
}

/** Decodes a file of weights. @throws ModelError when the text is no such file */
export function decodeArousalWeights(text: string): ArousalWeights {
  const file = parsePackagedData(AROUSAL_WEIGHTS_FILE, text, fileSchema)
  return {
    ...file,
    axes: new Float32Array(bytesOf(file.axes)),
    means: new Float32Array(bytesOf(file.means)),
    deviations: new Float32Array(bytesOf(file.deviations)),
    fourier: new Float32Array(bytesOf(file.fourier)),
    grams: new Int8Array(bytesOf(file.grams)),
    gramRarity: new Uint8Array(bytesOf(file.gramRarity)),
  }
}

/** Returns the bytes as a copy, which is aligned for numbers of four bytes. */
function bytesOf(base64: string): ArrayBuffer {
  return Uint8Array.from(Buffer.from(base64, 'base64')).buffer
}

/** Width of a block. It is at least the number of inputs, and a power of two for the Walsh–Hadamard transform. */
export const BLOCK = 512
/** The correlation on EmoBank dev with 2, 4 and 8 blocks is 0.5215, 0.5213 and 0.5208. Four blocks take below 0.2 ms. */
const BLOCKS = 4
export const FOURIER_FEATURES = BLOCK * BLOCKS

/** The random numbers of the Fourier features. */
export interface FourierBasis {
  /** Three diagonal matrices of ±1 for each block. */
  readonly signs: Float64Array
  readonly phases: Float64Array
}

/** Makes the basis of a seed, a positive 32-bit integer. Weights are valid only with the seed of their fit. */
export function makeFourierBasis(seed: number): FourierBasis {
  const next = xorshift(seed)
  const signs = Float64Array.from({ length: 3 * FOURIER_FEATURES }, () => (next() < 0.5 ? -1 : 1))
  const phases = Float64Array.from({ length: FOURIER_FEATURES }, () => 2 * Math.PI * next())
  return { signs, phases }
}

/** Computes orthogonal random features (Yu et al. 2016). Their dot products approximate the Gaussian kernel without a stored matrix. */
export function fourierFeatures(input: Float64Array, basis: FourierBasis): Float64Array {
  const features = new Float64Array(FOURIER_FEATURES)
  const work = new Float64Array(BLOCK)
  // The result should be √BLOCK·(H/√BLOCK)³ = H³/BLOCK, where H is the unnormalised transform.
  const scale = 1 / BLOCK
  const amplitude = Math.sqrt(2 / FOURIER_FEATURES)
  for (let block = 0; block < BLOCKS; block++) {
    work.fill(0)
    work.set(input)
    for (let round = 0; round < 3; round++) {
      const from = (block * 3 + round) * BLOCK
      for (let i = 0; i < BLOCK; i++) work[i] = (work[i] ?? 0) * (basis.signs[from + i] ?? 0)
      walshHadamard(work)
    }
    for (let index = 0; index < BLOCK; index++) {
      const feature = block * BLOCK + index
      features[feature] = amplitude * Math.cos((work[index] ?? 0) * scale + (basis.phases[feature] ?? 0))
    }
  }
  return features
}

/** Transforms values in place, without normalisation. Two steps of the transform are done at a time, which is faster. */
export function walshHadamard(values: Float64Array): void {
  const { length } = values
  let quarter = 1
  for (; 4 * quarter <= length; quarter *= 4)
    for (let from = 0; from < length; from += 4 * quarter)
      for (let i = from; i < from + quarter; i++) addFour(values, i, quarter)
  if (quarter === length) return
  for (let index = 0; index < quarter; index++) {
    const left = values[index] ?? 0
    const right = values[index + quarter] ?? 0
    values[index] = left + right
    values[index + quarter] = left - right
  }
}

/** Applies two steps of the transform to four values at a distance. */
function addFour(values: Float64Array, index: number, distance: number): void {
  const second = index + distance
  const third = second + distance
  const fourth = third + distance
  const sum = (values[index] ?? 0) + (values[second] ?? 0)
  const difference = (values[index] ?? 0) - (values[second] ?? 0)
  const nextSum = (values[third] ?? 0) + (values[fourth] ?? 0)
  const nextDifference = (values[third] ?? 0) - (values[fourth] ?? 0)
  values[index] = sum + nextSum
  values[second] = difference + nextDifference
  values[third] = sum - nextSum
  values[fourth] = difference - nextDifference
}

/** Returns a generator of numbers in [0, 1): Marsaglia's xorshift32. */
function xorshift(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** The minimum, the middle and the maximum of EmoBank's scale. */
const LOWEST = 1
const MIDDLE = 3
const HIGHEST = 5
/** Minimum share of known English words in an English text. It is low, because English texts may be full of names. */
const ENGLISH_SHARE = 0.3
/** A text with fewer words, all in Latin letters, counts as English. They may all be names or misspelt. */
const FEW_WORDS = 4

/** The built-in arousal model, which returns its result synchronously. */
export interface EmbeddedArousal extends ArousalModel {
  arousal(texts: readonly string[]): number[]
}

/**
 * Makes the built-in arousal model: for English, a kernel regressor over word vectors, words, pairs of words and style,
 * trained on EmoBank's train split (docs/benchmarks/README.md). In other languages only punctuation, repeated letters and a
 * few Chinese intensifiers count.
 *
 * @throws ModelError on the first call when a packaged file is missing or damaged.
 * @example
 * embeddedArousal().arousal(['I got the job!!!', 'The report is on the desk.']) // about [3.5, 2.9]
 */
export function embeddedArousal(): EmbeddedArousal {
  let basis: FourierBasis | undefined
  return {
    id: 'keepsake/arousal-emobank-1',
    arousal(texts) {
      const weights = embeddedArousalWeights()
      const table = embeddedWordTable()
      const fourierBasis = (basis ??= makeFourierBasis(weights.seed))
      return texts.map((text) => readArousal(text, weights, table, fourierBasis))
    },
  }
}

/** Returns the arousal of a text within the scale. A blank text gets the middle. */
function readArousal(text: string, weights: ArousalWeights, table: WordTable, basis: FourierBasis): number {
  if (text.trim() === '') return MIDDLE
  const arousal = isEnglish(text, table)
    ? predictArousal(readArousalFeatures(text, table, weights.axes), weights, basis)
    : markArousal(text, weights.marks)
  return Math.min(HIGHEST, Math.max(LOWEST, arousal))
}

/** Checks whether a text is English. Texts without words are English, because the train split contains such texts. */
function isEnglish(text: string, table: WordTable): boolean {
  const words = splitText(text.slice(0, 2000)).filter((word) => /^\p{L}/u.test(word))
  const knownCount = words.filter((word) => table.rows.has(word.replace(/'.*/, ''))).length
  const hasOtherScript = words.some((word) => /[^\0-\u024f]/.test(word))
  return knownCount >= ENGLISH_SHARE * words.length || (words.length < FEW_WORDS && !hasOtherScript)
}

/** Computes intercept + fourier · φ(dense) + grams · rarity / ‖rarity‖. φ are the Fourier features. */
export function predictArousal(
  features: ArousalFeatures,
  weights: ArousalWeights,
  basis: FourierBasis,
): number {
  const { dense, grams } = features
  const fourier = fourierFeatures(standardise(dense, weights.means, weights.deviations), basis)
  let arousal = weights.intercept
  for (let i = 0; i < fourier.length; i++) arousal += (fourier[i] ?? 0) * (weights.fourier[i] ?? 0)
  let sum = 0
  let squares = 0
  for (const gram of grams) {
    const rarity = weights.gramRarity[gram] ?? 0
    sum += rarity * (weights.grams[gram] ?? 0)
    squares += rarity * rarity
  }
  return squares === 0 ? arousal : arousal + (sum * weights.gramScale) / Math.sqrt(squares)
}

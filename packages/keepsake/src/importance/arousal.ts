import { embeddedWordTable, splitText, type WordTable } from '@keepsake/text'
import type { ArousalModel } from '../models/signal-models.ts'
import { readArousalFeatures, standardise, type ArousalFeatures } from './arousal-features.ts'
import { fourierFeatures, makeFourierBasis, type FourierBasis } from './arousal-fourier.ts'
import { markArousal } from './arousal-marks.ts'
import { embeddedArousalWeights, type ArousalWeights } from './arousal-weights.ts'

/** EmoBank's scale. */
const LOWEST = 1
const MIDDLE = 3
const HIGHEST = 5
/** Share of words that must be in the English table: low, for texts full of names are English too. */
const ENGLISH_SHARE = 0.3
/** Fewer words in Latin letters than this do not show that a text is not English: names, addresses, slips. */
const FEW_WORDS = 4

/** The arousal model inside the package: it answers at once. */
export interface EmbeddedArousal extends ArousalModel {
  arousal(texts: readonly string[]): number[]
}

/**
 * How strongly an English text is felt, by a small kernel regressor over word vectors, words, pairs of words and
 * style, trained on EmoBank's train split (docs/benchmarks/README.md has its correlation on the test split).
 * Chinese and other languages it was not trained on: there only punctuation, drawn-out letters and a few Chinese
 * intensifiers move it from the middle, which is a stand-in and no measurement of feeling.
 *
 * @throws ModelError on the first call when a packaged file is missing or damaged.
 * @example embeddedArousal().arousal(['I got the job!!!', 'The report is on the desk.']) // about [3.5, 2.9]
 */
export function embeddedArousal(): EmbeddedArousal {
  let basis: FourierBasis | undefined
  return {
    id: 'keepsake/arousal-emobank-1',
    arousal(texts) {
      const weights = embeddedArousalWeights()
      const table = embeddedWordTable()
      const known = (basis ??= makeFourierBasis(weights.seed))
      return texts.map((text) => readArousal(text, weights, table, known))
    },
  }
}

function readArousal(text: string, weights: ArousalWeights, table: WordTable, basis: FourierBasis): number {
  if (text.trim() === '') return MIDDLE
  const arousal = isEnglish(text, table)
    ? predictArousal(readArousalFeatures(text, table, weights.axes), weights, basis)
    : markArousal(text, weights.marks)
  return Math.min(HIGHEST, Math.max(LOWEST, arousal))
}

/** Numbers and marks alone are as good as English: the train split has such texts. */
function isEnglish(text: string, table: WordTable): boolean {
  const words = splitText(text.slice(0, 2000)).filter((word) => /^\p{L}/u.test(word))
  const known = words.filter((word) => table.rows.has(word.replace(/'.*/, ''))).length
  const other = words.some((word) => /[^\0-\u024f]/.test(word))
  return known >= ENGLISH_SHARE * words.length || (words.length < FEW_WORDS && !other)
}

/**
 * The regression itself: intercept + fourier · φ(dense) + the grams' weights, weighted by rarity to length 1.
 * `packages/train/src/fit-arousal.ts` fits the weights.
 */
export function predictArousal(
  features: ArousalFeatures,
  weights: ArousalWeights,
  basis: FourierBasis,
): number {
  const { dense, grams } = features
  const fourier = fourierFeatures(standardise(dense, weights.means, weights.deviations), basis)
  let arousal = weights.intercept
  for (let at = 0; at < fourier.length; at++) arousal += (fourier[at] ?? 0) * (weights.fourier[at] ?? 0)
  let sum = 0
  let squares = 0
  for (const gram of grams) {
    const rarity = weights.gramRarity[gram] ?? 0
    sum += rarity * (weights.grams[gram] ?? 0)
    squares += rarity * rarity
  }
  return squares === 0 ? arousal : arousal + (sum * weights.gramScale) / Math.sqrt(squares)
}

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WORD_TABLE_FILE, embeddedWordTable, readPackagedData, type WordTable } from '@keepsake/text'
import { parse } from 'csv-parse/sync'
import { sampleCorrelation } from 'simple-statistics'
import {
  AXES,
  GRAM_BUCKETS,
  POOLS,
  SCORE_POOLS,
  readArousalFeatures,
  standardise,
  type ArousalFeatures,
} from '../../../packages/keepsake/src/importance/arousal-features.ts'
import {
  FOURIER_FEATURES,
  fourierFeatures,
  makeFourierBasis,
} from '../../../packages/keepsake/src/importance/arousal.ts'
import { measureMarks } from '../../../packages/keepsake/src/importance/arousal-features.ts'
import type { ArousalWeightsFile } from '../../../packages/keepsake/src/importance/arousal.ts'
import { embeddedArousal } from '../../../packages/keepsake/src/importance/arousal.ts'
import { solveRidge, times, type RidgeRow } from './solve-ridge.ts'

/**
 * Fits `packages/keepsake/data/arousal-emobank.json` on EmoBank's train split (Buechel & Hahn 2017, CC BY-SA 4.0, which is also the licence
 * of the weights). λ and the feature groups were chosen on the dev split. The test split is only used by `--report`.
 *
 *   KEEPSAKE_DATA=… node tools/data/src/fit-arousal.ts [--grid] [--report]
 *
 * `--grid` prints correlations on the dev split for several λ. `--report` measures the packaged weights through the public model. Both write
 * no file.
 */

const TARGET = fileURLToPath(new URL('../../../packages/keepsake/data/arousal-emobank.json', import.meta.url))
const SEED = 2017
/** Chosen on dev with `--grid`. */
const LAMBDA = 5
/** The factor of the dense features' kernel relative to the features for words and pairs of words. */
const KERNEL_SHARE = Math.SQRT2
/** The penalty for the axes. It is high, so that they are also right for words that the train split lacks. */
const AXIS_LAMBDA = 300
const COLUMNS = FOURIER_FEATURES + GRAM_BUCKETS

const sentences = readEmoBank()
if (process.argv.includes('--report')) report()
else fit()

function report(): void {
  const model = embeddedArousal()
  for (const split of ['train', 'dev', 'test'] as const) {
    const rated = sentences.filter((sentence) => sentence.split === split)
    const predicted = model.arousal(rated.map(({ text }) => text))
    const pearson = sampleCorrelation(
      predicted,
      rated.map(({ arousal }) => arousal),
    )
    console.log(JSON.stringify({ split, sentences: rated.length, pearson }))
  }
}

function fit(): void {
  const table = embeddedWordTable()
  const axes = fitAxes(table)
  const features = sentences.map(({ text }) => readArousalFeatures(text, table, axes))
  const train = features.filter((_, at) => sentences[at]?.split === 'train')
  const { means, deviations } = describe(train)
  const gramRarity = measureRarity(train)
  const basis = makeFourierBasis(SEED)
  const rows = features.map(({ dense, grams }): RidgeRow => {
    const fourier = fourierFeatures(standardise(dense, means, deviations), basis)
    const rarities = grams.map((gram) => gramRarity[gram] ?? 0)
    const length = Math.max(1e-9, Math.hypot(...rarities))
    return {
      dense: fourier.map((value) => value * KERNEL_SHARE),
      sparse: grams,
      sparseValues: rarities.map((rarity) => rarity / length),
    }
  })
  const [trainRows, y, intercept] = trainSplit(rows)

  if (process.argv.includes('--grid')) {
    for (const lambda of [3.5, 5, 7]) {
      const weights = solveRidge(trainRows, y, COLUMNS, lambda)
      console.log(JSON.stringify({ lambda, dev: splitCorrelation('dev', times(rows, weights)) }))
    }
    return
  }
  const weights = solveRidge(trainRows, y, COLUMNS, LAMBDA)
  const fourier = weights.slice(0, FOURIER_FEATURES).map((value) => value * KERNEL_SHARE)
  const grams = weights.slice(FOURIER_FEATURES)
  const file = writeFile({ intercept, axes, means, deviations, fourier, grams, gramRarity })
  console.log(JSON.stringify({ bytes: file.length, sha256: createHash('sha256').update(file).digest('hex') }))
}

/** Fits one direction in the space of word vectors for each of four ratings, from averaged word vectors and features of style. */
function fitAxes(table: WordTable): Float32Array {
  const { dimensions } = table
  const none = new Float32Array(AXES * dimensions)
  const train = sentences.filter(({ split }) => split === 'train')
  const dense = train.map(({ text }) => readArousalFeatures(text, table, none))
  const { means, deviations } = describe(dense)
  const style = POOLS * dimensions + AXES * SCORE_POOLS
  const kept = (_: number, at: number): boolean => at < dimensions || at >= style
  const rows = dense.map((features): RidgeRow => {
    const standard = features.dense.map((value, at) => (value - (means[at] ?? 0)) / (deviations[at] || 1))
    return { dense: standard.filter(kept), sparse: [], sparseValues: [] }
  })
  const ratings = [
    train.map(({ arousal }) => arousal),
    train.map(({ valence }) => valence),
    train.map(({ dominance }) => dominance),
    train.map(({ valence }) => Math.abs(valence - 3)),
  ]
  const axes = ratings.flatMap((values) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const y = Float64Array.from(values, (value) => value - mean)
    const weights = solveRidge(rows, y, rows[0]?.dense.length ?? 0, AXIS_LAMBDA)
    return Array.from(weights.slice(0, dimensions), (weight, at) => weight / (deviations[at] || 1))
  })
  return Float32Array.from(axes)
}

/** Returns √idf of each bucket, scaled so that the highest is 255. A bucket of fewer than three sentences gets 0. */
function measureRarity(train: readonly ArousalFeatures[]): Uint8Array {
  const counts = new Uint32Array(GRAM_BUCKETS)
  for (const { grams } of train) for (const gram of grams) counts[gram] = (counts[gram] ?? 0) + 1
  const rarity = (count: number): number => (count < 3 ? 0 : Math.sqrt(Math.log(train.length / count)))
  return Uint8Array.from(counts, (count) => Math.round((255 * rarity(count)) / rarity(3)))
}

function trainSplit(rows: readonly RidgeRow[]): [RidgeRow[], Float64Array, number] {
  const train = sentences.filter(({ split }) => split === 'train')
  const intercept = train.reduce((sum, { arousal }) => sum + arousal, 0) / train.length
  const y = Float64Array.from(train, ({ arousal }) => arousal - intercept)
  return [rows.filter((_, at) => sentences[at]?.split === 'train'), y, intercept]
}

function describe(features: readonly ArousalFeatures[]): { means: Float32Array; deviations: Float32Array } {
  const length = features[0]?.dense.length ?? 0
  const means = new Float64Array(length)
  const squares = new Float64Array(length)
  for (const { dense } of features) {
    for (const [at, value] of dense.entries()) {
      means[at] = (means[at] ?? 0) + value / features.length
      squares[at] = (squares[at] ?? 0) + (value * value) / features.length
    }
  }
  const deviations = Float32Array.from(squares, (square, at) =>
    Math.sqrt(Math.max(0, square - (means[at] ?? 0) ** 2)),
  )
  return { means: Float32Array.from(means), deviations }
}

interface Fitted {
  readonly intercept: number
  readonly axes: Float32Array
  readonly means: Float32Array
  readonly deviations: Float32Array
  readonly fourier: Float64Array
  readonly grams: Float64Array
  readonly gramRarity: Uint8Array
}

function writeFile({ intercept, axes, means, deviations, fourier, grams, gramRarity }: Fitted): string {
  const gramScale = grams.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127
  const content: ArousalWeightsFile = {
    version: 1,
    source: 'EmoBank (Buechel & Hahn 2017), train split',
    licence: 'CC BY-SA 4.0',
    wordTable: createHash('sha256').update(readPackagedData(WORD_TABLE_FILE)).digest('hex'),
    seed: SEED,
    intercept,
    axes: base64(axes),
    means: base64(means),
    deviations: base64(deviations),
    fourier: base64(Float32Array.from(fourier)),
    gramScale,
    grams: base64(Int8Array.from(grams, (value) => Math.round(value / gramScale))),
    gramRarity: base64(gramRarity),
    marks: fitMarks(),
  }
  const file = `${JSON.stringify(content, undefined, 2)}\n`
  writeFileSync(TARGET, file)
  return file
}

/** Fits weights for only the punctuation marks, which are used for texts in other languages. */
function fitMarks(): ArousalWeightsFile['marks'] {
  const train = sentences.filter(({ split }) => split === 'train')
  const rows = train.map(({ text }) => ({
    dense: Float64Array.from([1, ...measureMarks(text)]),
    sparse: [],
    sparseValues: [],
  }))
  const [intercept = 0, ...weights] = solveRidge(
    rows,
    Float64Array.from(train, ({ arousal }) => arousal),
    rows[0]?.dense.length ?? 0,
    1,
  )
  return { intercept, weights }
}

function base64(values: Float32Array | Int8Array | Uint8Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64')
}

function splitCorrelation(split: RatedSentence['split'], predicted: Float64Array): number {
  const rated = sentences
    .map((sentence, at) => ({ sentence, value: predicted[at] ?? 0 }))
    .filter(({ sentence }) => sentence.split === split)
  return sampleCorrelation(
    rated.map(({ value }) => value),
    rated.map(({ sentence }) => sentence.arousal),
  )
}

export interface RatedSentence {
  readonly split: 'train' | 'dev' | 'test'
  readonly text: string
  /** The mean of all raters, from 1 (calm) to 5 (excited). */
  readonly arousal: number
  /** From 1 (unpleasant) to 5 (pleasant). */
  readonly valence: number
  /** From 1 (controlled) to 5 (in control). */
  readonly dominance: number
}

/** Reads the published CSV from the folder `KEEPSAKE_DATA`, or from `../shared/data` beside the repository. */
function readEmoBank(): RatedSentence[] {
  const folder =
    process.env['KEEPSAKE_DATA'] ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url))
  const rows: Record<string, string>[] = parse(readFileSync(join(folder, 'emobank/emobank.csv'), 'utf8'), {
    columns: true,
  })
  return rows.map(({ split, text = '', A, V, D }) => {
    const [arousal = NaN, valence = NaN, dominance = NaN] = [A, V, D].map(Number)
    if (
      (split !== 'train' && split !== 'dev' && split !== 'test') ||
      !Number.isFinite(arousal + valence + dominance)
    ) {
      throw new Error(`Not a row of EmoBank: ${JSON.stringify({ split, text, A, V, D })}`)
    }
    return { split, text, arousal, valence, dominance }
  })
}

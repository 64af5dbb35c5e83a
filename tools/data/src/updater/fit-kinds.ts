import { KIND_FEATURES, readUpdate, UPDATE_KINDS, type UpdateKind, type UpdaterWeights } from '@keepsake/text'
import { standardOf } from '../fit-logistic.ts'
import type { UpdateExample } from './example.ts'
import { dot, softmax } from './softmax.ts'

const STEPS = 250
const RATE = 1
/** On standardised features. */
const RIDGE = 0.003

interface Row {
  /** Standardised, with a one behind them. */
  readonly features: Float64Array
  readonly kind: number
  readonly weight: number
}

/** Fits weights of the kind of an update: softmax regression by gradient descent on standardised features. */
export function fitKinds(
  examples: readonly UpdateExample[],
  target: readonly number[],
): UpdaterWeights['kinds'] {
  const features = examples.map(
    ({ said, known }) => readUpdate(said, known, { target: [...target] }).features,
  )
  const standards = KIND_FEATURES.map((_, place) => standardOf(features.map((row) => row[place] ?? 0)))
  const rows = examples.map(({ kind, weight }, at): Row => {
    const own = standards.map(
      ({ mean, deviation }, place) => ((features[at]?.[place] ?? 0) - mean) / deviation,
    )
    return { features: Float64Array.from([...own, 1]), kind: UPDATE_KINDS.indexOf(kind), weight }
  })
  const weights = UPDATE_KINDS.map(() => new Float64Array(KIND_FEATURES.length + 1))
  for (let step = 0; step < STEPS; step++) descend(weights, rows)
  const ofKind = (kind: UpdateKind) => {
    const own = weights[UPDATE_KINDS.indexOf(kind)] ?? new Float64Array()
    const plain = standards.map(({ deviation }, place) => (own[place] ?? 0) / deviation)
    const shift = standards.reduce((sum, { mean }, place) => sum + mean * (plain[place] ?? 0), 0)
    return { bias: (own[KIND_FEATURES.length] ?? 0) - shift, weights: plain }
  }
  return { none: ofKind('none'), add: ofKind('add'), modify: ofKind('modify'), delete: ofKind('delete') }
}

function descend(weights: readonly Float64Array[], rows: readonly Row[]): void {
  const bias = KIND_FEATURES.length
  const slopes = weights.map((own) => own.map((weight, place) => (place === bias ? 0 : RIDGE * weight)))
  for (const { features, kind, weight } of rows) {
    const chances = softmax(weights.map((own) => dot(own, features)))
    for (const [at, slope] of slopes.entries()) {
      const error = (weight * ((chances[at] ?? 0) - (at === kind ? 1 : 0))) / rows.length
      for (let place = 0; place <= bias; place++)
        slope[place] = (slope[place] ?? 0) + error * (features[place] ?? 0)
    }
  }
  for (const [at, own] of weights.entries())
    for (let place = 0; place <= bias; place++)
      own[place] = (own[place] ?? 0) - RATE * (slopes[at]?.[place] ?? 0)
}

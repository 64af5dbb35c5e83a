import { calibrateMetrics, LUFY_WEIGHTS, normaliseMetrics, type SignalCalibration } from '@keepsake/papers'
import { type FittedWeights } from '@keepsake/papers'
import type { Marked } from './annotation.ts'
import { fitImportance, type AnnotatedUtterance } from './fit-importance.ts'

/** Options of `fitWeights()`. */
export interface FitWeightsOptions {
  /** The source of the marks; stored in the file. */
  readonly source: string
  /** Penalty on the sum of squared weights, as in `fitImportance`. */
  readonly l2?: number
}

/** Normalises metrics to the scale that the policy uses. */
export function normalised(marked: readonly Marked[], calibration: SignalCalibration): AnnotatedUtterance[] {
  return marked.map((utterance) => ({
    metrics: normaliseMetrics(utterance, calibration),
    important: utterance.important,
  }))
}

/**
 * Fits weights to what people marked, in the two stages of the LUFY paper (3.4). The first stage fits arousal, perplexity and rated
 * importance (A, P and L), while the two counts of retrievals (R1 and R2) weigh nothing. The second fits R1 and R2 with the others fixed.
 * The paper used a different set of talk for each stage, and this function uses the same. If nothing was ever retrieved, R1 and R2 keep
 * the paper's weights.
 *
 * @throws RangeError when nothing is marked
 * @example
 * const fitted = fitWeights(markedOf(annotations), { source: 'marks of Ana' })
 * const policy = lufy({ weights: fitted })
 */
export function fitWeights(marked: readonly Marked[], { source, l2 }: FitWeightsOptions): FittedWeights {
  const calibration = calibrateMetrics(marked, { source })
  const utterances = normalised(marked, calibration)
  const penalty = l2 === undefined ? {} : { l2 }
  const firstStage = fitImportance(utterances, { ...penalty, fixed: { first: 0, second: 0 } })
  const { arousal, surprise, importance } = firstStage.weights
  const fixed = { arousal, surprise, importance }
  const wasRetrieved = marked.some(({ use }) => use.first + use.second > 0)
  const { first, second } = wasRetrieved
    ? fitImportance(utterances, { ...penalty, fixed }).weights
    : LUFY_WEIGHTS
  return { source: calibration.source, weights: { ...fixed, first, second }, calibration }
}

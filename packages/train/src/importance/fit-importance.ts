import { levenbergMarquardt } from 'ml-levenberg-marquardt'
import { LUFY_WEIGHTS, lufyStrength, retained, STRENGTH_FLOOR } from '@keepsake/papers'
import type { StrengthInputs, StrengthWeights } from '@keepsake/papers'

/** Steps from an utterance's last use to its mark. In the LUFY paper (3.4), people mark at t = 2 what was last used at t = 1. */
const LAG = 1
/** The paper gives no size for its L2 penalty. This one moves weights fitted on 300 utterances by some 3 %. */
const DEFAULT_L2 = 0.01
/** Weights to start from: the paper's first. The others are tried if a fit ends at the floor of the strength S, which has no slope. */
const STARTS = [1, 0.3, 2] as const
/** A fit has failed if a larger share of the utterances lies at the floor. */
const MAX_SHARE_AT_FLOOR = 0.5
const METRICS = ['arousal', 'surprise', 'importance', 'first', 'second'] as const

type Metric = (typeof METRICS)[number]

/** An utterance that annotators marked as important or not. */
export interface AnnotatedUtterance {
  /** The metrics on the scale that the policy uses. */
  readonly metrics: StrengthInputs
  /** The mean of the annotators' marks: 1 for important, 0 for not. */
  readonly important: number
}

export interface FitImportanceOptions {
  /** Penalty on the sum of squared weights, in units of one utterance's squared error. Default 0.01. */
  readonly l2?: number
  /** Weights that are not fitted. The paper first fits A, P and L on talk without recalls (R1 = R2 = 0), and then R1 and R2 with those fixed. */
  readonly fixed?: Partial<StrengthWeights>
  readonly maxIterations?: number
}

export interface FittedImportance {
  readonly weights: StrengthWeights
  /** Mean squared difference between exp(−1/S) and the marks, without the penalty. */
  readonly meanSquaredError: number
  readonly iterations: number
}

/**
 * Fits LUFY's weights to what people marked as important (section 3.4). The prediction for an utterance is exp(−1/S), where its strength S is
 * the weighted sum of its metrics. The squared error, with an L2 penalty, is minimised by the Levenberg–Marquardt method. Weights can be
 * compared with the paper's only if the metrics were normalised in the same way.
 *
 * @throws RangeError when there are no utterances, or a metric or a mark is not finite
 * @example
 * const { weights } = fitImportance(utterances, { fixed: { first: 0, second: 0 } })
 * const { arousal, surprise, importance } = weights
 * const all = fitImportance(retrieved, { fixed: { arousal, surprise, importance } })
 * lufy({ calibration, weights: all.weights })
 */
export function fitImportance(
  utterances: readonly AnnotatedUtterance[],
  options: FitImportanceOptions = {},
): FittedImportance {
  const { l2 = DEFAULT_L2, fixed = {}, maxIterations = 200 } = options
  checkUtterances(utterances)
  const free = METRICS.filter((metric) => fixed[metric] === undefined)
  const weightsOf = (values: readonly number[]): StrengthWeights => assemble(free, values, fixed)
  if (free.length === 0) {
    const weights = weightsOf([])
    return { weights, meanSquaredError: errorOf(utterances, weights), iterations: 0 }
  }
  const { x, y } = makeTargets(utterances, free.length)
  const penalty = Math.sqrt(l2)
  const fits: FittedImportance[] = []
  for (const start of STARTS) {
    const fitted = levenbergMarquardt(
      { x, y },
      (values) => predict(utterances, weightsOf(values), values, penalty),
      {
        initialValues: free.map(() => start),
        jacobianFunction: (values) => differentiate(utterances, weightsOf(values), free, penalty),
        maxIterations,
        errorTolerance: 0,
        improvementThreshold: 1e-9,
      },
    )
    const weights = weightsOf(fitted.parameterValues)
    fits.push({ weights, meanSquaredError: errorOf(utterances, weights), iterations: fitted.iterations })
    if (shareAtFloor(utterances, weights) <= MAX_SHARE_AT_FLOOR) break
  }
  return fits.reduce((best, fit) => (fit.meanSquaredError < best.meanSquaredError ? fit : best))
}

/** Returns the share of utterances whose strength is at its floor, where a change of weights changes nothing. */
function shareAtFloor(utterances: readonly AnnotatedUtterance[], weights: StrengthWeights): number {
  const atFloor = utterances.filter(({ metrics }) => lufyStrength(metrics, weights) <= STRENGTH_FLOOR)
  return atFloor.length / utterances.length
}

/** Makes a target for each utterance, and 0 for each weight: the squared error of √l2 · w against 0 is the L2 penalty. */
function makeTargets(
  utterances: readonly AnnotatedUtterance[],
  weightCount: number,
): { x: number[]; y: number[] } {
  const y = [...utterances.map(({ important }) => important), ...Array.from({ length: weightCount }, () => 0)]
  return { x: y.map((_, index) => index), y }
}

/** Makes the function that predicts target `x`: the retention of an utterance, or behind them the penalty of a weight. */
function predict(
  utterances: readonly AnnotatedUtterance[],
  weights: StrengthWeights,
  values: readonly number[],
  penalty: number,
): (x: number) => number {
  return (x) => {
    const utterance = utterances[x]
    if (utterance === undefined) return penalty * (values[x - utterances.length] ?? 0)
    return retained(LAG, lufyStrength(utterance.metrics, weights))
  }
}

/** Returns ∂ exp(−1/S) / ∂w = exp(−1/S) / S² · metric. At the floor of S it uses the floor's slope, since no fit could leave it otherwise. */
function differentiate(
  utterances: readonly AnnotatedUtterance[],
  weights: StrengthWeights,
  free: readonly Metric[],
  penalty: number,
): (x: number) => number[] {
  return (x) => {
    const utterance = utterances[x]
    if (utterance === undefined)
      return free.map((_, index) => (index === x - utterances.length ? penalty : 0))
    const strength = lufyStrength(utterance.metrics, weights)
    const slope = retained(LAG, strength) / strength ** 2
    return free.map((metric) => slope * utterance.metrics[metric])
  }
}

/** Joins fixed and fitted weights. */
function assemble(
  free: readonly Metric[],
  values: readonly number[],
  fixed: Partial<StrengthWeights>,
): StrengthWeights {
  const valueByMetric = new Map(free.map((metric, index) => [metric, values[index] ?? 0]))
  return byMetric((metric) => fixed[metric] ?? valueByMetric.get(metric) ?? LUFY_WEIGHTS[metric])
}

/** Makes a record with a value for each of the five metrics. */
export function byMetric<Value>(valueOf: (metric: Metric) => Value): Record<Metric, Value> {
  return {
    arousal: valueOf('arousal'),
    surprise: valueOf('surprise'),
    importance: valueOf('importance'),
    first: valueOf('first'),
    second: valueOf('second'),
  }
}

function errorOf(utterances: readonly AnnotatedUtterance[], weights: StrengthWeights): number {
  let sum = 0
  for (const { metrics, important } of utterances) {
    sum += (retained(LAG, lufyStrength(metrics, weights)) - important) ** 2
  }
  return sum / utterances.length
}

function checkUtterances(utterances: readonly AnnotatedUtterance[]): void {
  if (utterances.length === 0) throw new RangeError('There are no annotated utterances to fit importance on.')
  for (const [index, { metrics, important }] of utterances.entries()) {
    const isFinite = METRICS.every((metric) => Number.isFinite(metrics[metric])) && Number.isFinite(important)
    if (!isFinite)
      throw new RangeError(`Utterance ${index} has a metric or a mark that is not a finite number.`)
  }
}

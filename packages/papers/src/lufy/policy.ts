// The forgetting policy of the paper LUFY.
import { sessionsSinceTouched, type ForgettingPolicy, type SignalModelIds } from 'keepsake/preset'
import {
  EMBEDDED_SIGNALS,
  signalCalibrationOf,
  type SignalCalibration,
  type SignalScale,
} from './calibration.ts'
import { normaliseMetrics, type MeasuredMetrics } from './normalise-signals.ts'
import {
  LUFY_WEIGHTS,
  lufyStrength,
  retained,
  type StrengthInputs,
  type StrengthWeights,
} from './strength.ts'
import type { FittedWeights } from './fitted-weights.ts'

/** LUFY's five metrics, under the names in its equation. */
export const LUFY_METRICS = {
  A: 'arousal',
  P: 'surprise',
  L: 'importance',
  R1: 'first',
  R2: 'second',
} as const satisfies Record<string, keyof StrengthWeights>

export type LufyMetric = keyof typeof LUFY_METRICS

export interface LufyOptions {
  /** Calibration of the measuring models. Default: the one of the fitted weights, or of the models in use. */
  readonly calibration?: SignalCalibration
  /** Scale if no calibration is given: `means` (default) as in the authors' code, or `range` as in the paper's text (3.2). */
  readonly scale?: SignalScale
  /** Weights fitted on a user's annotations, with or without their calibration. Default: the paper's. */
  readonly weights?: StrengthWeights | FittedWeights
  /** Metrics with weight 0, for the paper's ablations (LUFY, tables 13 and 14). Default none. */
  readonly without?: readonly LufyMetric[]
}

/**
 * LUFY's forgetting policy (equations 2 and 3, table 2): S = 2.76 A − 0.28 P + 0.44 L + 1.02 R1 − 0.012 R2, at least 0.1.
 * A is arousal, P surprise, L importance; R1 and R2 count retrievals. All are first scaled to one mean (section 3.2).
 * Retention is exp(−Δt/S), with Δt in sessions since retrieval or creation.
 *
 * @example
 * // `lufyForgetting` is the name of this function in '@keepsake/papers'.
 * const weights = readFittedWeights(await readFile('weights.json', 'utf8'))
 * const preset = { ...findPreset('lufy'), policy: lufyForgetting({ weights }) }
 * const memory = await openMemory({ path: 'memory.db', preset })
 */
export function lufy(options: LufyOptions = {}): ForgettingPolicy {
  const { weights: weightsOption = LUFY_WEIGHTS, without = [], scale } = options
  const isFitted = 'weights' in weightsOption
  const weights = isFitted ? weightsOption.weights : weightsOption
  const parts = { name: ['lufy', ...without].join('-'), weights: withoutMetrics(weights, without) }
  const calibration = options.calibration ?? (isFitted ? weightsOption.calibration : undefined)
  if (calibration !== undefined)
    return policyOf({ ...parts, normalise: (memory) => normaliseMetrics(memory, calibration) })
  const policyForModels = (models: SignalModelIds): ForgettingPolicy =>
    policyOf({
      ...parts,
      // Reads the packaged file on first use, so that a preset is made without cost.
      normalise: (memory) => normaliseMetrics(memory, signalCalibrationOf(models, scale)),
    })
  return { ...policyForModels(EMBEDDED_SIGNALS), forModels: policyForModels }
}

interface PolicyParts {
  readonly name: string
  readonly weights: StrengthWeights
  readonly normalise: (memory: MeasuredMetrics) => StrengthInputs
}

function policyOf({ name, weights, normalise }: PolicyParts): ForgettingPolicy {
  const { arousal, surprise, importance, first, second } = weights
  return {
    name,
    formula: `exp(−Δt/S), S = ${arousal} A + ${surprise} P + ${importance} L + ${first} R1 + ${second} R2`,
    strengths: (memories, moment) =>
      memories.map((memory) => {
        const metrics = normalise(memory)
        const S = lufyStrength(metrics, weights)
        const Δt = sessionsSinceTouched(memory, moment)
        const { arousal: A, surprise: P, importance: L, first: R1, second: R2 } = metrics
        const counts = { 'times first': memory.use.first, 'times second': memory.use.second }
        return { value: retained(Δt, S), parts: { A, P, L, R1, R2, ...counts, S, Δt } }
      }),
  }
}

function withoutMetrics(weights: StrengthWeights, without: readonly LufyMetric[]): StrengthWeights {
  return { ...weights, ...Object.fromEntries(without.map((metric) => [LUFY_METRICS[metric], 0])) }
}

import { embeddedSignalCalibration } from '../../importance/embedded-calibration.ts'
import { normaliseSignals } from '../../importance/normalise-signals.ts'
import type { NormalisedSignals, SignalCalibration } from '../../importance/normalise-signals.ts'
import { lufyStrength, LUFY_WEIGHTS, retained, type StrengthWeights } from '../../importance/strength.ts'
import type { Signals } from '../../memories/memory.ts'
import { sessionsSinceTouched, type ForgettingPolicy } from './forgetting-policy.ts'

export interface LufyOptions {
  /**
   * Of the models that measure the signals, for other models than the embedded ones (calibrate-surprise.ts). The
   * embedded models' when absent.
   */
  readonly calibration?: SignalCalibration
  /**
   * Maps raw signals to the scale that the weights were fitted on, in place of a calibration; the map and the weights
   * belong together.
   */
  readonly normalise?: (signals: Signals) => NormalisedSignals
  /** Fitted on a person's own annotations, or the paper's (the default). */
  readonly weights?: StrengthWeights
}

/**
 * LUFY's forgetting: S = 2.76 A − 0.28 P + 0.44 L + 1.02 R1 − 0.012 R2, at least 0.1, and what holds is
 * exp(−Δt/S), Δt in sessions since last retrieved or made (LUFY, equations 2 and 3, table 2).
 */
export function lufy({
  calibration,
  normalise = (signals) => normaliseSignals(signals, calibration ?? embeddedSignalCalibration()),
  weights = LUFY_WEIGHTS,
}: LufyOptions = {}): ForgettingPolicy {
  const { arousal, surprise, importance, first, second } = weights
  return {
    name: 'lufy',
    formula: `exp(−Δt/S), S = ${arousal} A + ${surprise} P + ${importance} L + ${first} R1 + ${second} R2`,
    strengths: (memories, moment) =>
      memories.map((memory) => {
        const signals = normalise(memory.signals)
        const { first: R1, second: R2 } = memory.use
        const S = lufyStrength({ ...signals, first: R1, second: R2 }, weights)
        const Δt = sessionsSinceTouched(memory, moment)
        const parts = { A: signals.arousal, P: signals.surprise, L: signals.importance, R1, R2, S, Δt }
        return { value: retained(Δt, S), parts }
      }),
  }
}

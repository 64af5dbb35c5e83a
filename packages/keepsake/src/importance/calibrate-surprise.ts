import type { SurpriseModel } from '../models/signal-models.ts'
import { embeddedSignalCalibration } from './embedded-calibration.ts'
import { calibrateSignal, SURPRISE_CAP_QUANTILE, type SignalCalibration } from './normalise-signals.ts'

/** The user's words and the agent's turn that they answer, empty where there was none. */
export interface CalibrationRound {
  readonly user: string
  readonly agent: string
}

/**
 * The calibration for another surprise model, measured on one's own talk: perplexity is capped at the 95th percentile
 * and brought to the mean and range of the other signals (LUFY, 3.2, with 200 pairs there). Fewer than about 100
 * rounds leave the cap to a handful of values.
 *
 * A memory keeps its signals raw, so talk that was remembered with the model need not be measured again:
 * `calibrateSignal(values, { capQuantile: SURPRISE_CAP_QUANTILE })` over the `signals.surprise` of its memories.
 *
 * @param rounds in the order of the talk; a round reads the user's words before it as its history
 * @param others where the maps of arousal and importance come from: the embedded models' when absent
 * @throws ModelError when the model fails.
 * @example
 * const surprise = surpriseWith(transformersProbabilities({ model: 'Xenova/gpt2' }))
 * const calibration = await calibrateSurprise(surprise, rounds)
 * const preset = { ...findPreset('lufy'), policy: lufy({ calibration }) }
 * const memory = await openMemory({ preset, surprise })
 */
export async function calibrateSurprise(
  model: SurpriseModel,
  rounds: readonly CalibrationRound[],
  others: SignalCalibration = embeddedSignalCalibration(),
): Promise<SignalCalibration> {
  const history: string[] = []
  const values: number[] = []
  for (const { user, agent } of rounds) {
    values.push(await model.surprise(user, { previous: agent, history: [...history] }))
    history.push(user)
  }
  return {
    ...others,
    source: `surprise by ${model.id} on ${rounds.length} rounds; the rest: ${others.source}`,
    surprise: calibrateSignal(values, { capQuantile: SURPRISE_CAP_QUANTILE }),
  }
}

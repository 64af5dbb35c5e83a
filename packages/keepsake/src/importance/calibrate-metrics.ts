import { embeddedSignalCalibration } from './embedded-calibration.ts'
import {
  calibrateSignal,
  SURPRISE_CAP_QUANTILE,
  type MeasuredMetrics,
  type SignalCalibration,
  type SignalMap,
} from './normalise-signals.ts'

/** A range of less than one retrieval would make the first one all there is to tell. */
const LEAST_RETRIEVALS = 1

/**
 * The calibration for whatever models measured: each of LUFY's five metrics is brought to one mean and one range over
 * memories of talk that was had with them (LUFY, 3.2, with 200 pairs of talk with its own chatbot). A memory keeps its
 * metrics raw, so nothing is measured again; a metric that none of them has, and counts of talk in which nothing was ever
 * retrieved, keep the map of `others`.
 *
 * Fewer than about 100 memories leave the ends of the ranges to a handful of them.
 *
 * @param measured memories, those that were forgotten included: what stayed is no fair sample
 * @param options.source which models measured, on what talk
 * @example
 * const statuses = ['live', 'forgotten'] as const
 * const pairs = await ana.memories({ forms: ['utterance'], statuses })
 * const calibration = calibrateMetrics(pairs, { source: 'gpt-2-large and qwen3 on ten weeks of Ana' })
 * const preset = { ...findPreset('lufy'), policy: lufy({ calibration }) }
 */
export function calibrateMetrics(
  measured: readonly MeasuredMetrics[],
  options: { readonly source: string; readonly others?: SignalCalibration },
): SignalCalibration {
  const { source, others = embeddedSignalCalibration() } = options
  const known = (of: 'arousal' | 'surprise' | 'importance'): number[] =>
    measured.flatMap(({ signals }) => signals[of] ?? [])
  const counted = (of: 'first' | 'second'): SignalMap => {
    const counts = measured.map(({ use }) => use[of])
    return counts.every((count) => count === 0)
      ? others[of]
      : calibrateSignal(counts, { leastWidth: LEAST_RETRIEVALS })
  }
  const [arousal, surprise, importance] = [known('arousal'), known('surprise'), known('importance')]
  return {
    source: `${source}, ${measured.length} memories`,
    arousal: arousal.length === 0 ? others.arousal : calibrateSignal(arousal),
    surprise:
      surprise.length === 0
        ? others.surprise
        : calibrateSignal(surprise, { capQuantile: SURPRISE_CAP_QUANTILE }),
    importance: importance.length === 0 ? others.importance : calibrateSignal(importance),
    first: counted('first'),
    second: counted('second'),
  }
}

// Fits calibrations to measured signals.
import {
  embeddedSignalCalibration,
  type SignalCalibration,
  type SignalMap,
  type SignalScale,
} from './calibration.ts'
import {
  mapSignal,
  NORMALISED_MEANS,
  type MeasuredMetrics,
  type NormalisedSignals,
} from './normalise-signals.ts'

/** Minimum range of retrieval counts, so that a single retrieval does not span the whole range. */
const MIN_RETRIEVAL_RANGE = 1

/** Quantile at which surprise is capped. In LUFY, 95 % of utterances have a perplexity below the cap (section 3.2). */
export const SURPRISE_CAP_QUANTILE = 0.95
/** The values between these quantiles span 0 to 1, so that a single outlier does not set the scale. */
const RANGE_QUANTILES = [0.05, 0.95] as const
/** Number of halvings of an interval, after which the result is exact to the last digits. */
const BISECTION_STEPS = 60

export interface CalibrateOptions {
  /** Default `means`. */
  readonly scale?: SignalScale
  /** Quantile of the cap: `SURPRISE_CAP_QUANTILE` for surprise, none for the others. */
  readonly capQuantile?: number
  /** Minimum range of the values. Most counts are 0, and a count of 1 must not span the whole range. */
  readonly leastWidth?: number
}

/**
 * Fits the calibration to memories that your own models measured. It maps each of LUFY's five metrics to one mean, or to one
 * mean and range (`scale`). LUFY used 200 utterance pairs with its own chatbot (section 3.2). Memories store their raw
 * metrics, so nothing is measured again. A metric without values keeps the map of `others`.
 *
 * With fewer than about 100 memories, a few of them determine the ends of the ranges.
 *
 * @param measured memories, including forgotten ones: those that stayed are not a fair sample
 * @param options.source the models that measured, and the conversations
 * @param options.others maps of metrics without values, by default those of the embedded models
 * @param options.scale default `means`, as in LUFY's published code
 * @example
 * const statuses = ['live', 'forgotten'] as const
 * const pairs = await ana.memories({ forms: ['utterance'], statuses })
 * const calibration = calibrateMetrics(pairs, { source: 'gpt-2-large and qwen3 on ten weeks of Ana' })
 * const preset = { ...findPreset('lufy'), policy: lufy({ calibration }) }
 */
export function calibrateMetrics(
  measured: readonly MeasuredMetrics[],
  options: { readonly source: string; readonly others?: SignalCalibration; readonly scale?: SignalScale },
): SignalCalibration {
  const { source, scale = 'means', others: fallback = embeddedSignalCalibration(scale) } = options
  const mapOfSignal = (name: keyof NormalisedSignals, options: CalibrateOptions = {}): SignalMap => {
    const values = measured.flatMap(({ signals }) => signals[name] ?? [])
    return values.length === 0 ? fallback[name] : calibrateSignal(values, { scale, ...options })
  }
  const mapOfCounts = (name: 'first' | 'second'): SignalMap => {
    const counts = measured.map(({ use }) => use[name])
    return counts.every((count) => count === 0)
      ? fallback[name]
      : calibrateSignal(counts, { scale, leastWidth: MIN_RETRIEVAL_RANGE })
  }
  return {
    source: `${source}, ${measured.length} memories`,
    arousal: mapOfSignal('arousal'),
    surprise: mapOfSignal('surprise', { capQuantile: SURPRISE_CAP_QUANTILE }),
    importance: mapOfSignal('importance'),
    first: mapOfCounts('first'),
    second: mapOfCounts('second'),
  }
}

/** Fits the map of one signal to the shared mean. With `range`, the 5th to 95th percentiles also become 0 to 1. */
export function calibrateSignal(
  values: readonly number[],
  { scale = 'means', capQuantile, leastWidth = 0 }: CalibrateOptions = {},
): SignalMap {
  const sorted = values.toSorted((left, right) => left - right)
  const cap = capQuantile === undefined || sorted.length === 0 ? null : quantile(sorted, capQuantile)
  const cappedValues = cap === null ? sorted : sorted.map((value) => Math.min(cap, value))
  const mean = NORMALISED_MEANS[scale]
  if (scale === 'means') {
    const measuredMean = cappedValues.reduce((sum, value) => sum + value, 0) / cappedValues.length
    return measuredMean > 0
      ? { cap, slope: mean / Math.max(measuredMean, leastWidth * mean), offset: 0, unbounded: true }
      : { cap, slope: 0, offset: mean, unbounded: true }
  }
  const [low, high] = RANGE_QUANTILES.map((share) => quantile(cappedValues, share))
  const width = Math.max(leastWidth, (high ?? 0) - (low ?? 0))
  if (cappedValues.length === 0 || width <= 0) return { cap, slope: 0, offset: mean }
  const slope = 1 / width
  return { cap, slope, offset: centreOffset(cappedValues, slope) }
}

/** Finds the offset at which the clipped values have the mean 0.5. Bisection is possible, because the mean grows with the offset. */
function centreOffset(values: readonly number[], slope: number): number {
  const meanAt = (offset: number): number =>
    values.reduce((sum, value) => sum + mapSignal(value, { cap: null, slope, offset }), 0) / values.length
  let low = -slope * (values.at(-1) ?? 0)
  let high = 1 - slope * (values[0] ?? 0)
  for (let step = 0; step < BISECTION_STEPS; step += 1) {
    const middle = (low + high) / 2
    if (meanAt(middle) < NORMALISED_MEANS.range) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Returns a quantile by linear interpolation, as R and NumPy do by default (type 7). */
function quantile(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1)
  const below = sorted[Math.floor(position)] ?? 0
  const above = sorted[Math.ceil(position)] ?? 0
  return below + (above - below) * (position - Math.floor(position))
}

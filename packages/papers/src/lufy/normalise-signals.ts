import type { Memory } from 'keepsake'
import type { Signals } from 'keepsake/preset'
import {
  embeddedSignalCalibration,
  type SignalCalibration,
  type SignalMap,
  type SignalScale,
} from './calibration.ts'

/** Minimum range of retrieval counts, so that a single retrieval does not span the whole range. */
const MIN_RETRIEVAL_RANGE = 1

/**
 * Fits the calibration to memories that your own models measured. Each of LUFY's five metrics is brought to one mean, or to one mean and
 * range (`scale`). LUFY used 200 utterance pairs with its own chatbot (3.2). Memories keep their raw metrics, so nothing is measured
 * again. A metric that was never measured, or retrievals that never happened, keep the map of `others`.
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

/** LUFY's five metrics of one memory, normalised (`normaliseMetrics`) or with raw retrieval counts. */
export interface StrengthInputs {
  /** A: the emotional intensity of the user's message. */
  readonly arousal: number
  /** P: how unexpected the message is after the agent's turn. */
  readonly surprise: number
  /** L: how important the message will be later. */
  readonly importance: number
  /** R1: number of times retrieved first and used. */
  readonly first: number
  /** R2: number of times retrieved second and only counted. */
  readonly second: number
}

/** Weights of the metrics in the strength S. */
export type StrengthWeights = StrengthInputs

/** LUFY, table 2. Equation 2 and the table disagree on the sign of R2. As section 3.3 intends, R2 lowers the strength. */
export const LUFY_WEIGHTS: StrengthWeights = {
  arousal: 2.76,
  surprise: -0.28,
  importance: 0.44,
  first: 1.02,
  second: -0.012,
}

/** Minimum of S. At 0, exp(−Δt/S) is undefined. Below 0, it grows with time. */
export const STRENGTH_FLOOR = 0.1

/**
 * LUFY's strength, equation 2: the weighted sum of the five metrics, at least `STRENGTH_FLOOR`. Metrics that are not finite count as 0.
 *
 * @example
 * lufyStrength({ arousal: 0.5, surprise: 0.5, importance: 0.5, first: 1, second: 0 }) // 2.48
 */
export function lufyStrength(inputs: StrengthInputs, weights: StrengthWeights = LUFY_WEIGHTS): number {
  const sum =
    weights.arousal * finiteOrZero(inputs.arousal) +
    weights.surprise * finiteOrZero(inputs.surprise) +
    weights.importance * finiteOrZero(inputs.importance) +
    weights.first * finiteOrZero(inputs.first) +
    weights.second * finiteOrZero(inputs.second)
  return Math.max(STRENGTH_FLOOR, sum)
}

/**
 * Ebbinghaus' curve as MemoryBank and LUFY use it (LUFY, equations 1 and 3): exp(−Δt/S), between 0 and 1.
 *
 * @param elapsed Δt, in any unit; a negative one (after the clock was set back) counts as 0
 * @param strength S, above 0
 */
export function retained(elapsed: number, strength: number): number {
  return Math.exp(-Math.max(0, elapsed) / strength)
}

function finiteOrZero(value: number): number {
  return Number.isFinite(value) ? value : 0
}

/** The raw metrics of a memory. */
export interface MeasuredMetrics {
  readonly signals: Signals
  readonly use: Pick<Memory['use'], 'first' | 'second'>
}

/** Signals with the same mean over the calibration set. */
export interface NormalisedSignals {
  readonly arousal: number
  readonly surprise: number
  readonly importance: number
}

/**
 * The mean of all signals. An unmeasured signal counts as the mean. That of `means` is from the published code: an average perplexity of
 * 39.5, times 2.871 / 400.
 */
export const NORMALISED_MEANS: Readonly<Record<SignalScale, number>> = { means: 0.2835, range: 0.5 }
/** Quantile at which surprise is capped. LUFY's cap of perplexity is above 95 % of utterances (3.2). */
export const SURPRISE_CAP_QUANTILE = 0.95
/** The values between these quantiles span 0 to 1, so that a single outlier does not set the scale. */
const RANGE_QUANTILES = [0.05, 0.95] as const
/** Halvings of an interval. The result is then exact to the last digits. */
const BISECTION_STEPS = 60

export interface CalibrateOptions {
  /** Default `means`. */
  readonly scale?: SignalScale
  /** Quantile of the cap: `SURPRISE_CAP_QUANTILE` for surprise, none for the others. */
  readonly capQuantile?: number
  /** Minimum range. Most counts are 0, and a count of 1 must not span the whole range. */
  readonly leastWidth?: number
}

/**
 * Normalises signals to one mean and range (LUFY, 3.2).
 *
 * @example
 * normaliseSignals({ arousal: 3.4, surprise: 900, importance: null }, calibration)
 */
export function normaliseSignals(signals: Signals, calibration: SignalCalibration): NormalisedSignals {
  return {
    arousal: mapSignal(signals.arousal, calibration.arousal),
    surprise: mapSignal(signals.surprise, calibration.surprise),
    importance: mapSignal(signals.importance, calibration.importance),
  }
}

/**
 * Normalises all five metrics, with the retrieval counts (LUFY, 3.2).
 *
 * @example
 * lufyStrength(normaliseMetrics(memory, calibration))
 */
export function normaliseMetrics(
  { signals, use }: MeasuredMetrics,
  calibration: SignalCalibration,
): StrengthInputs {
  return {
    ...normaliseSignals(signals, calibration),
    first: mapSignal(use.first, calibration.first),
    second: mapSignal(use.second, calibration.second),
  }
}

/** Maps a signal to its normalised value. `null` and NaN become the mean. */
export function mapSignal(
  value: number | null,
  { cap, slope, offset, unbounded = false }: SignalMap,
): number {
  if (value === null || Number.isNaN(value)) return NORMALISED_MEANS[unbounded ? 'means' : 'range']
  const mapped = Math.max(0, slope * Math.min(cap ?? value, value) + offset)
  return unbounded ? mapped : Math.min(1, mapped)
}

/**
 * Fits the map of one signal. With the scale `means`, the mean of the mapped values is the shared mean. With `range`, the 5th to 95th
 * percentiles also span 0 to 1. Equal values map to the mean.
 *
 * @param values finite, in any order; without values, everything maps to the mean
 */
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

/** The offset at which the clipped values' mean is 0.5, by bisection: the mean grows with the offset. */
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

/** Returns a quantile by linear interpolation (type 7). */
function quantile(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1)
  const below = sorted[Math.floor(position)] ?? 0
  const above = sorted[Math.ceil(position)] ?? 0
  return below + (above - below) * (position - Math.floor(position))
}

import type { Memory, Signals } from '../memories/memory.ts'
import type { StrengthInputs } from './strength.ts'

/** How a raw signal becomes a normalised one: clip(slope · min(x, cap) + offset, 0, 1). */
export interface SignalMap {
  /** Greater values count as this one; `null` for none. */
  readonly cap: number | null
  readonly slope: number
  readonly offset: number
}

/**
 * One map for each of LUFY's five metrics. Belongs to the models that measured A, P and L, to the talk in which R1 and
 * R2 were counted, and to the weights that were fitted on what it gives.
 */
export interface SignalCalibration {
  /** Ids of the models whose signals were mapped, and of what texts. */
  readonly source: string
  readonly arousal: SignalMap
  readonly surprise: SignalMap
  readonly importance: SignalMap
  /** Of R1, times retrieved first. */
  readonly first: SignalMap
  /** Of R2, times retrieved second. */
  readonly second: SignalMap
}

/** What is measured and counted of a memory, before any map: a memory is one. */
export interface MeasuredMetrics {
  readonly signals: Signals
  readonly use: Pick<Memory['use'], 'first' | 'second'>
}

/** All within 0 and 1, each 0.5 on average over the calibration set. */
export interface NormalisedSignals {
  readonly arousal: number
  readonly surprise: number
  readonly importance: number
}

/** The mean that all signals share, and what an unmeasured one is taken for. */
export const NORMALISED_MEAN = 0.5
/** LUFY, 3.2, caps perplexity where more than 95 % of utterances lie below. */
export const SURPRISE_CAP_QUANTILE = 0.95
/** The range that fills 0 to 1 leaves a twentieth beyond each end, so that one odd value does not set the scale. */
const RANGE_QUANTILES = [0.05, 0.95] as const

/** How a map is fitted. */
export interface CalibrateOptions {
  /** Where to cap first: `SURPRISE_CAP_QUANTILE` for surprise, nowhere for the others. */
  readonly capQuantile?: number
  /** The range is no narrower than this: of counts, most of which are 0, one more must not decide everything. */
  readonly leastWidth?: number
}

/**
 * Brings signals to one mean and one range, as LUFY does before weighing them (LUFY, 3.2).
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
 * All five metrics on one scale, as LUFY weighs them: the counts of retrievals are mapped as the signals are (LUFY, 3.2).
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

/** One signal by its map; `null` and what is not a number become the mean. */
export function mapSignal(value: number | null, { cap, slope, offset }: SignalMap): number {
  if (value === null || Number.isNaN(value)) return NORMALISED_MEAN
  const capped = cap === null ? value : Math.min(cap, value)
  return Math.min(1, Math.max(0, slope * capped + offset))
}

/**
 * Fits a map to values of a calibration set: the 5th to 95th percentile spans 0 to 1 in width, and the offset
 * makes the mean of what comes out 0.5. Values all alike map to 0.5.
 *
 * @param values finite, in any order; none gives a map to 0.5 throughout
 */
export function calibrateSignal(
  values: readonly number[],
  { capQuantile, leastWidth = 0 }: CalibrateOptions = {},
): SignalMap {
  const sorted = values.toSorted((left, right) => left - right)
  const cap = capQuantile === undefined || sorted.length === 0 ? null : quantile(sorted, capQuantile)
  const capped = cap === null ? sorted : sorted.map((value) => Math.min(cap, value))
  const [low, high] = RANGE_QUANTILES.map((share) => quantile(capped, share))
  const width = Math.max(leastWidth, (high ?? 0) - (low ?? 0))
  if (capped.length === 0 || width <= 0) return { cap, slope: 0, offset: NORMALISED_MEAN }
  const slope = 1 / width
  return { cap, slope, offset: centreOffset(capped, slope) }
}

/** The offset at which the clipped values' mean is 0.5, by bisection: the mean grows with the offset. */
function centreOffset(values: readonly number[], slope: number): number {
  const meanAt = (offset: number): number =>
    values.reduce((sum, value) => sum + mapSignal(value, { cap: null, slope, offset }), 0) / values.length
  let low = -slope * (values.at(-1) ?? 0)
  let high = 1 - slope * (values[0] ?? 0)
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2
    if (meanAt(middle) < NORMALISED_MEAN) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Linear between neighbours (type 7). */
function quantile(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1)
  const below = sorted[Math.floor(position)] ?? 0
  const above = sorted[Math.ceil(position)] ?? 0
  return below + (above - below) * (position - Math.floor(position))
}

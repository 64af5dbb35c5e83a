// Maps the signals of memories to one scale by a calibration.
import type { Memory } from 'keepsake'
import type { Signals } from 'keepsake/preset'
import type { SignalCalibration, SignalMap, SignalScale } from './calibration.ts'
import type { StrengthInputs } from './strength.ts'

/** The raw metrics of a memory. */
export interface MeasuredMetrics {
  readonly signals: Signals
  readonly use: Pick<Memory['use'], 'first' | 'second'>
}

/** Signals that have the same mean over the memories of the calibration. */
export interface NormalisedSignals {
  readonly arousal: number
  readonly surprise: number
  readonly importance: number
}

/**
 * The mean to which all signals are mapped, and the value of unmeasured ones. `means` is that of LUFY's published code: its
 * mean perplexity of 39.5, times its factor 2.871 / 400.
 */
export const NORMALISED_MEANS: Readonly<Record<SignalScale, number>> = { means: 0.2835, range: 0.5 }

/** Normalises signals to one mean and range (LUFY, section 3.2). */
export function normaliseSignals(signals: Signals, calibration: SignalCalibration): NormalisedSignals {
  return {
    arousal: mapSignal(signals.arousal, calibration.arousal),
    surprise: mapSignal(signals.surprise, calibration.surprise),
    importance: mapSignal(signals.importance, calibration.importance),
  }
}

/** Normalises all five metrics: the signals and the retrieval counts (LUFY, section 3.2). */
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

import { z } from 'zod'
import { parsePackagedData, readPackagedData } from '../models/embedded/read-packaged-data.ts'
import type { SignalCalibration } from './normalise-signals.ts'

export const SIGNAL_CALIBRATION_FILE = 'signal-calibration.json'

const mapSchema = z.object({ cap: z.number().nullable(), slope: z.number(), offset: z.number() })
const calibrationSchema = z.object({
  source: z.string(),
  arousal: mapSchema,
  surprise: mapSchema,
  importance: mapSchema,
})

let loaded: SignalCalibration | undefined
/**
 * The calibration of the embedded signal models, read on first use and then kept. Made from the project's own
 * example conversations, which are few: an application with talk of its own does better to calibrate on that
 * (`calibrateSignal`, or `packages/training/src/calibrate-signals.ts`).
 *
 * @throws ModelError when the packaged file is missing or damaged.
 */
export function embeddedSignalCalibration(): SignalCalibration {
  return (loaded ??= decodeCalibration(readPackagedData(SIGNAL_CALIBRATION_FILE).toString('utf8')))
}

/** @throws ModelError when the text is no calibration. */
export function decodeCalibration(text: string): SignalCalibration {
  return parsePackagedData(SIGNAL_CALIBRATION_FILE, text, calibrationSchema)
}

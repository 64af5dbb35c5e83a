// Reads and writes files of fitted weights for LUFY's policy.
import { z } from 'zod'
import { InvalidInputError } from '@keepsake/text'
import { calibrationSchema, type SignalCalibration } from './calibration.ts'
import type { StrengthWeights } from './strength.ts'

/** The format mark at the start of a file of fitted weights. */
export const FITTED_WEIGHTS_FORMAT = 'keepsake-lufy-weights/1'

/** Weights that were fitted on annotations, and the calibration for which they are valid. */
export interface FittedWeights {
  /** The annotators and the method. */
  readonly source: string
  readonly weights: StrengthWeights
  readonly calibration: SignalCalibration
}

const fileSchema = z.object({
  format: z.literal(FITTED_WEIGHTS_FORMAT),
  source: z.string(),
  weights: z.object({
    arousal: z.number(),
    surprise: z.number(),
    importance: z.number(),
    first: z.number(),
    second: z.number(),
  }),
  calibration: calibrationSchema,
})

/**
 * Parses the file that `keepsake train fit-importance` writes.
 *
 * @param text the file's text, JSON
 * @throws InvalidInputError with the invalid part
 * @example
 * lufy({ weights: readFittedWeights(readFileSync('weights.json', 'utf8')) })
 */
export function readFittedWeights(text: string): FittedWeights {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new InvalidInputError(
      'The weights are not JSON. Pass the file that keepsake train fit-importance wrote.',
    )
  }
  const parsed = fileSchema.safeParse(json)
  if (!parsed.success)
    throw new InvalidInputError(
      `The weights are invalid: ${z.prettifyError(parsed.error)} Fit them again with keepsake train fit-importance.`,
    )
  const { source, weights, calibration } = parsed.data
  return { source, weights, calibration }
}

/** Returns the text of the file. */
export function writeFittedWeights({ source, weights, calibration }: FittedWeights): string {
  return `${JSON.stringify({ format: FITTED_WEIGHTS_FORMAT, source, weights, calibration }, undefined, 2)}\n`
}

// Defines calibrations of LUFY's five metrics: how measured numbers become the numbers that its formula expects.
// The folder's README explains the metrics. The program tools/data/src/calibrate-signals.ts writes the packaged calibrations.
import { z } from 'zod'
import { embeddedArousal, embeddedSurprise, standInImportance, type SignalModelIds } from 'keepsake/preset'
import PACKAGED from './signal-calibration.json' with { type: 'json' }

/** Maps one metric. {@link SignalMap} has the formula. */
const mapSchema = z.object({
  /** Maximum. Greater values count as this one. `null` without a maximum. */
  cap: z.number().nullable(),
  slope: z.number(),
  offset: z.number(),
  /** Whether results above 1 are allowed. */
  unbounded: z.boolean().optional(),
})
export const calibrationSchema = z.object({
  /** The models whose signals were mapped, and the texts. */
  source: z.string(),
  arousal: mapSchema,
  surprise: mapSchema,
  importance: mapSchema,
  /** Maps R1 of the paper: how often a memory was retrieved and used. */
  first: mapSchema,
  /** Maps R2 of the paper: how often a memory was retrieved as the next best, and not used. */
  second: mapSchema,
})

/** Maps a signal x to slope · min(x, cap) + offset, limited to 0 to 1. If `unbounded`, only the minimum of 0 applies. */
export type SignalMap = Readonly<z.infer<typeof mapSchema>>
/** Maps of LUFY's five metrics, specific to the measuring models, the conversation, and the fitted weights. */
export type SignalCalibration = Readonly<z.infer<typeof calibrationSchema>>

/**
 * How the packaged maps bring the metrics to one scale.
 * - `means`: each metric is only multiplied, so that all have one mean, as in LUFY's published code. Results may exceed 1.
 * - `range`: each metric is also shifted, so that all have the mean 0.5 and lie between 0 and 1, as in the paper (section 3.2).
 */
export type SignalScale = keyof typeof PACKAGED

interface MapWithSource extends SignalMap {
  readonly source: string
}
/** The calibration of the embedded models, with maps for metrics that other models measured. */
interface PackagedCalibration extends SignalCalibration {
  /** For surprise as the perplexity by GPT-2 Large. */
  readonly perplexity: MapWithSource
  /** For importance as the rating by a language model. */
  readonly ratings: MapWithSource
}
const CALIBRATIONS: Readonly<Record<SignalScale, PackagedCalibration>> = PACKAGED

/** The small models that the engine contains. */
export const EMBEDDED_SIGNALS: SignalModelIds = {
  arousal: embeddedArousal().id,
  surprise: embeddedSurprise().id,
  importance: standInImportance().id,
}

/** Returns the calibration of the embedded models. It was made from the project's few example conversations. `calibrateMetrics` makes your own. */
export function embeddedSignalCalibration(scale: SignalScale = 'means'): SignalCalibration {
  const { perplexity: _perplexity, ratings: _ratings, ...embedded } = CALIBRATIONS[scale]
  return embedded
}

/**
 * Returns the default calibration for models. A model of surprise other than the embedded one is mapped like GPT-2 Large, and another
 * model of importance like a language model that rates.
 */
export function signalCalibrationOf(models: SignalModelIds, scale: SignalScale = 'means'): SignalCalibration {
  const { perplexity, ratings, ...embedded } = CALIBRATIONS[scale]
  const { source: perplexitySource, ...perplexityMap } = perplexity
  const { source: ratingsSource, ...ratingsMap } = ratings
  const sources = [embedded.source]
  let { surprise, importance } = embedded
  if (models.surprise !== EMBEDDED_SIGNALS.surprise) {
    sources.push(`surprise by ${models.surprise}: ${perplexitySource}`)
    surprise = perplexityMap
  }
  if (models.importance !== EMBEDDED_SIGNALS.importance) {
    sources.push(`importance by ${models.importance}: ${ratingsSource}`)
    importance = ratingsMap
  }
  return { ...embedded, surprise, importance, source: sources.join('; ') }
}

// Defines calibrations of LUFY's metrics, and the packaged ones.
import { z } from 'zod'
import { embeddedArousal, embeddedSurprise, standInImportance, type SignalModelIds } from 'keepsake/preset'
import PACKAGED from './signal-calibration.json' with { type: 'json' }

const mapSchema = z.object({
  /** Maximum. Greater values count as this one. `null` without a maximum. */
  cap: z.number().nullable(),
  slope: z.number(),
  offset: z.number(),
  unbounded: z.boolean().optional(),
})
export const calibrationSchema = z.object({
  /** The models whose signals were mapped, and the texts. */
  source: z.string(),
  arousal: mapSchema,
  surprise: mapSchema,
  importance: mapSchema,
  /** Maps R1, the number of times retrieved first. */
  first: mapSchema,
  /** Maps R2, the number of times retrieved second. */
  second: mapSchema,
})

/** Maps a signal x to slope · min(x, cap) + offset, limited to 0 to 1. If `unbounded`, only the minimum of 0 applies. */
export type SignalMap = Readonly<z.infer<typeof mapSchema>>
/** Maps of LUFY's five metrics, specific to the measuring models, the conversation, and the fitted weights. */
export type SignalCalibration = Readonly<z.infer<typeof calibrationSchema>>

/** `means`: each metric is divided so that all means are equal, as in LUFY's code. `range`: one mean and 0 to 1 (paper, 3.2). */
export type SignalScale = keyof typeof PACKAGED

export const EMBEDDED_SIGNALS: SignalModelIds = {
  arousal: embeddedArousal().id,
  surprise: embeddedSurprise().id,
  importance: standInImportance().id,
}

/** Returns the calibration of the embedded models, from the project's few example conversations. `calibrateMetrics` fits your own. */
export function embeddedSignalCalibration(scale: SignalScale = 'means'): SignalCalibration {
  const { perplexity: _perplexity, ratings: _ratings, ...calibration } = PACKAGED[scale]
  return calibration
}

/** Returns the default calibration for models. Other models of surprise are mapped like GPT-2 Large, other models of importance like ratings. */
export function signalCalibrationOf(models: SignalModelIds, scale: SignalScale = 'means'): SignalCalibration {
  const { perplexity, ratings, ...embedded } = PACKAGED[scale]
  const { source: perplexitySource, ...perplexityMap } = perplexity
  const { source: ratingsSource, ...ratingsMap } = ratings
  const sources = [embedded.source]
  let { surprise, importance } = embedded as SignalCalibration
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

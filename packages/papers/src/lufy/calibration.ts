import { z } from 'zod'
import { embeddedArousal, embeddedSurprise, standInImportance, type SignalModelIds } from 'keepsake/preset'
import PACKAGED from './signal-calibration.json' with { type: 'json' }

const mapSchema = z.object({
  /** Maximum: greater values count as this one; `null` for none. */
  cap: z.number().nullable(),
  slope: z.number(),
  offset: z.number(),
  unbounded: z.boolean().optional(),
})
export const calibrationSchema = z.object({
  /** Ids of the models whose signals were mapped, and of what texts. */
  source: z.string(),
  arousal: mapSchema,
  surprise: mapSchema,
  importance: mapSchema,
  /** Maps R1, the number of times retrieved first. */
  first: mapSchema,
  /** Maps R2, the number of times retrieved second. */
  second: mapSchema,
})

/** Normalises a signal x: slope · min(x, cap) + offset, limited to 0 to 1. Where `unbounded`, only the minimum of 0 applies. */
export type SignalMap = Readonly<z.infer<typeof mapSchema>>
/** Maps of LUFY's five metrics, specific to the measuring models, the conversation, and the fitted weights. */
export type SignalCalibration = Readonly<z.infer<typeof calibrationSchema>>

/** `means` divides each metric so that means are equal, as LUFY's code does; `range` gives one mean and 0 to 1 (paper, 3.2). */
export type SignalScale = keyof typeof PACKAGED

export const EMBEDDED_SIGNALS: SignalModelIds = {
  arousal: embeddedArousal().id,
  surprise: embeddedSurprise().id,
  importance: standInImportance().id,
}

/** Returns the calibration of the embedded models, made from the project's few example conversations; `calibrateMetrics` fits your own. */
export function embeddedSignalCalibration(scale: SignalScale = 'means'): SignalCalibration {
  const { perplexity: _perplexity, ratings: _ratings, ...calibration } = PACKAGED[scale]
  return calibration
}

/** Returns the default calibration for the models. Other surprise models count as GPT-2 Large, other importance models as ratings. */
export function signalCalibrationOf(models: SignalModelIds, scale: SignalScale = 'means'): SignalCalibration {
  const { perplexity, ratings, ...embedded } = PACKAGED[scale]
  const isNotEmbedded = (signal: keyof SignalModelIds): boolean => models[signal] !== EMBEDDED_SIGNALS[signal]
  const { source: perplexitySource, ...perplexityMap } = perplexity
  const { source: ratingsSource, ...ratingsMap } = ratings
  return {
    ...embedded,
    source: [
      embedded.source,
      ...(isNotEmbedded('surprise') ? [`surprise by ${models.surprise}: ${perplexitySource}`] : []),
      ...(isNotEmbedded('importance') ? [`importance by ${models.importance}: ${ratingsSource}`] : []),
    ].join('; '),
    ...(isNotEmbedded('surprise') ? { surprise: perplexityMap } : {}),
    ...(isNotEmbedded('importance') ? { importance: ratingsMap } : {}),
  }
}

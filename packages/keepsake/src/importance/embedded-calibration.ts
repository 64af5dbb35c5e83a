import { z } from 'zod'
import { parsePackagedData } from '@keepsake/text'
import { readPackagedText } from './packaged/packaged-files.ts'
import { embeddedArousal } from './arousal.ts'
import { standInImportance } from './stand-in-importance.ts'
import { embeddedSurprise } from './surprise.ts'

export const SIGNAL_CALIBRATION_FILE = 'signal-calibration.json'

const mapSchema = z.object({
  cap: z.number().nullable(),
  slope: z.number(),
  offset: z.number(),
  unbounded: z.boolean().optional(),
})
/** The maps of LUFY's five metrics, as files hold them. */
export const calibrationSchema = z.object({
  source: z.string(),
  arousal: mapSchema,
  surprise: mapSchema,
  importance: mapSchema,
  first: mapSchema,
  second: mapSchema,
})
const sourcedMapSchema = mapSchema.extend({ source: z.string() })
const scaledSchema = calibrationSchema.extend({
  /** Of perplexity by a causal language model. */
  perplexity: sourcedMapSchema,
  /** Of importance from 1 to 10 as a language model rates it. */
  ratings: sourcedMapSchema,
})
const fileSchema = z.object({ means: scaledSchema, range: scaledSchema })

/**
 * How metrics are brought to one scale: `means` divides each by a constant so that means agree and leaves it unbounded,
 * as LUFY's published code does; `range` gives them one mean and one range from 0 to 1, as its text says (3.2).
 */
export type SignalScale = keyof z.infer<typeof fileSchema>

/** The models that measure A, P and L. */
export interface SignalModelIds {
  readonly arousal: string
  readonly surprise: string
  /** `RATED_BY_LANGUAGE` where the language model is asked. */
  readonly importance: string
}

/** The id of a language model's ratings, whichever model it is. */
export const RATED_BY_LANGUAGE = 'language-model'

/** The embedded models'. */
export const EMBEDDED_SIGNALS: SignalModelIds = {
  arousal: embeddedArousal().id,
  surprise: embeddedSurprise().id,
  importance: standInImportance().id,
}

let loaded: z.infer<typeof fileSchema> | undefined
function packaged(): z.infer<typeof fileSchema> {
  return (loaded ??= decodeCalibration(readPackagedText(SIGNAL_CALIBRATION_FILE)))
}

/**
 * Returns the calibration of the embedded models, made from the project's few example conversations;
 * `calibrateMetrics` fits your own.
 *
 * @throws ModelError when the packaged file is missing or damaged.
 */
export function embeddedSignalCalibration(scale: SignalScale = 'means'): SignalCalibration {
  const { perplexity: _perplexity, ratings: _ratings, ...calibration } = packaged()[scale]
  return calibration
}

/**
 * Returns a default calibration for the measuring models. Other surprise models count as a language model's
 * perplexity, with LUFY's cap and mean for GPT-2 Large; other importance models as ratings from 1 to 10.
 * `calibrateMetrics` fits the maps.
 *
 * @example
 * signalCalibrationOf({ ...EMBEDDED_SIGNALS, surprise: 'transformers/gpt2-large' }).surprise.cap // 160
 */
export function signalCalibrationOf(models: SignalModelIds, scale: SignalScale = 'means'): SignalCalibration {
  const { perplexity, ratings, ...embedded } = packaged()[scale]
  const isOther = (signal: keyof SignalModelIds): boolean => models[signal] !== EMBEDDED_SIGNALS[signal]
  const { source: ofPerplexity, ...perplexityMap } = perplexity
  const { source: ofRatings, ...ratingsMap } = ratings
  return {
    ...embedded,
    source: [
      embedded.source,
      ...(isOther('surprise') ? [`surprise by ${models.surprise}: ${ofPerplexity}`] : []),
      ...(isOther('importance') ? [`importance by ${models.importance}: ${ofRatings}`] : []),
    ].join('; '),
    ...(isOther('surprise') ? { surprise: perplexityMap } : {}),
    ...(isOther('importance') ? { importance: ratingsMap } : {}),
  }
}

/** @throws ModelError when the text is no calibration. */
export function decodeCalibration(text: string): z.infer<typeof fileSchema> {
  return parsePackagedData(SIGNAL_CALIBRATION_FILE, text, fileSchema)
}

/** A map to a normalised signal: clip(slope · min(x, cap) + offset, 0, 1), without the upper bound where `unbounded`. */
export interface SignalMap {
  /** Greater values count as this one; `null` for none. */
  readonly cap: number | null
  readonly slope: number
  readonly offset: number
  readonly unbounded?: boolean | undefined
}

/**
 * Maps of LUFY's five metrics, specific to the models that measured A, P and L, the conversation of R1 and R2, and
 * the fitted weights.
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

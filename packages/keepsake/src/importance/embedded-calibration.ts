import { z } from 'zod'
import { parsePackagedData } from '@keepsake/text'
import { readPackagedText } from './packaged/packaged-files.ts'
import { embeddedArousal } from './arousal.ts'
import type { SignalCalibration } from './normalise-signals.ts'
import { standInImportance } from './stand-in-importance.ts'
import { embeddedSurprise } from './surprise.ts'

export const SIGNAL_CALIBRATION_FILE = 'signal-calibration.json'

const mapSchema = z.object({ cap: z.number().nullable(), slope: z.number(), offset: z.number() })
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
const fileSchema = calibrationSchema.extend({
  /** Of perplexity by a causal language model. */
  perplexity: sourcedMapSchema,
  /** Of importance from 1 to 10 as a language model rates it. */
  ratings: sourcedMapSchema,
})

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
export function embeddedSignalCalibration(): SignalCalibration {
  const { perplexity: _perplexity, ratings: _ratings, ...calibration } = packaged()
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
export function signalCalibrationOf(models: SignalModelIds): SignalCalibration {
  const { perplexity, ratings, ...embedded } = packaged()
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

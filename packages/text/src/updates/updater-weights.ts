import { z } from 'zod'
import { parsePackagedData, readPackagedData } from '../terms/read-packaged-data.ts'
import { KIND_FEATURES } from './kind-features.ts'
import { TARGET_FEATURES } from './target-features.ts'

export const UPDATER_WEIGHTS_FILE = 'updater-weights.json'

export const UPDATE_KINDS = ['none', 'add', 'modify', 'delete'] as const
export type UpdateKind = (typeof UPDATE_KINDS)[number]

const weightsOf = (names: readonly string[]) => z.array(z.number()).length(names.length)
const kind = z.strictObject({ bias: z.number(), weights: weightsOf(KIND_FEATURES) })

/** The packaged form, written by `keepsake train updater`. */
export const updaterWeightsSchema = z.strictObject({
  version: z.literal(1),
  /** The training data. */
  source: z.string(),
  licence: z.string(),
  seed: z.number().int().nonnegative(),
  examples: z.number().int().positive(),
  target: weightsOf(TARGET_FEATURES),
  /** Weights of raw features, not standardised. */
  kinds: z.strictObject({ none: kind, add: kind, modify: kind, delete: kind }),
})

/** The learned weights of the update classifier. */
export type UpdaterWeights = z.infer<typeof updaterWeightsSchema>

let loaded: UpdaterWeights | undefined
/** Returns the packaged weights, read on first use and cached. */
export function embeddedUpdaterWeights(): UpdaterWeights {
  return (loaded ??= decodeUpdaterWeights(readPackagedData(UPDATER_WEIGHTS_FILE).toString('utf8')))
}

/** Decodes weights. @throws ModelError for an invalid file. */
export function decodeUpdaterWeights(text: string): UpdaterWeights {
  return parsePackagedData(UPDATER_WEIGHTS_FILE, text, updaterWeightsSchema)
}

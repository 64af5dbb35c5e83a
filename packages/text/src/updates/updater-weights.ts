import { z } from 'zod'
import { parsePackagedData, readPackagedData } from '../vectors/read-packaged-data.ts'
import { KIND_FEATURES } from './kind-features.ts'
import { TARGET_FEATURES } from './target-features.ts'

export const UPDATER_WEIGHTS_FILE = 'updater-weights.json'

/** What some words may be to what is known. */
export const UPDATE_KINDS = ['none', 'add', 'modify', 'delete'] as const
export type UpdateKind = (typeof UPDATE_KINDS)[number]

const weightsOf = (names: readonly string[]) => z.array(z.number()).length(names.length)
const kind = z.strictObject({ bias: z.number(), weights: weightsOf(KIND_FEATURES) })

/** As packaged. Written by `keepsake train updater`. */
export const updaterWeightsSchema = z.strictObject({
  version: z.literal(1),
  /** What it was learned from. */
  source: z.string(),
  licence: z.string(),
  seed: z.number().int().nonnegative(),
  examples: z.number().int().positive(),
  /** One a feature of `TARGET_FEATURES`. */
  target: weightsOf(TARGET_FEATURES),
  /** Of features as they are, not standardised. */
  kinds: z.strictObject({ none: kind, add: kind, modify: kind, delete: kind }),
})

/** What the learned updater weighs features by. */
export type UpdaterWeights = z.infer<typeof updaterWeightsSchema>

let loaded: UpdaterWeights | undefined
/** The packaged weights, read on first use and then kept. */
export function embeddedUpdaterWeights(): UpdaterWeights {
  return (loaded ??= decodeUpdaterWeights(readPackagedData(UPDATER_WEIGHTS_FILE).toString('utf8')))
}

/** @throws ModelError when the text is no such file. */
export function decodeUpdaterWeights(text: string): UpdaterWeights {
  return parsePackagedData(UPDATER_WEIGHTS_FILE, text, updaterWeightsSchema)
}

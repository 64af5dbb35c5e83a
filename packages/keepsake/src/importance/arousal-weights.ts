import { z } from 'zod'
import { parsePackagedData } from '@keepsake/text'
import { readPackagedText } from './packaged/packaged-files.ts'

export const AROUSAL_WEIGHTS_FILE = 'arousal-emobank.json'

/** As packaged; arrays are little-endian base64. Written by `packages/train/src/fit-arousal.ts`. */
const fileSchema = z.object({
  version: z.literal(1),
  source: z.string(),
  licence: z.string(),
  wordTable: z.string(),
  seed: z.number().int().positive(),
  intercept: z.number(),
  axes: z.string(),
  means: z.string(),
  deviations: z.string(),
  fourier: z.string(),
  gramScale: z.number(),
  grams: z.string(),
  gramRarity: z.string(),
  marks: z.object({ intercept: z.number(), weights: z.array(z.number()) }),
})
export type ArousalWeightsFile = z.infer<typeof fileSchema>

/** The regressor's weights. */
export interface ArousalWeights {
  readonly seed: number
  readonly intercept: number
  /** See `readArousalFeatures`. */
  readonly axes: Float32Array
  /** Of each dense feature over the train split. */
  readonly means: Float32Array
  readonly deviations: Float32Array
  /** One weight a random feature. */
  readonly fourier: Float32Array
  /** One weight a bucket; times `gramScale`. */
  readonly grams: Int8Array
  readonly gramScale: number
  /** How much a bucket counts in a text, in 255ths; 0 for what the train split holds less than three times. */
  readonly gramRarity: Uint8Array
  /** For texts whose words the table does not know: see `markArousal`. */
  readonly marks: { readonly intercept: number; readonly weights: readonly number[] }
}

let loaded: ArousalWeights | undefined
/** The packaged weights, read on first use and then kept. */
export function embeddedArousalWeights(): ArousalWeights {
  return (loaded ??= decodeArousalWeights(readPackagedText(AROUSAL_WEIGHTS_FILE)))
}

/** @throws ModelError when the text is no such file. */
export function decodeArousalWeights(text: string): ArousalWeights {
  const file = parsePackagedData(AROUSAL_WEIGHTS_FILE, text, fileSchema)
  return {
    ...file,
    axes: new Float32Array(bytesOf(file.axes)),
    means: new Float32Array(bytesOf(file.means)),
    deviations: new Float32Array(bytesOf(file.deviations)),
    fourier: new Float32Array(bytesOf(file.fourier)),
    grams: new Int8Array(bytesOf(file.grams)),
    gramRarity: new Uint8Array(bytesOf(file.gramRarity)),
  }
}

/** A copy of its own, which begins where numbers of four bytes may. */
function bytesOf(base64: string): ArrayBuffer {
  return Uint8Array.from(Buffer.from(base64, 'base64')).buffer
}

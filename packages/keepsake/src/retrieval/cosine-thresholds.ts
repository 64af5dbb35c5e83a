import { z } from 'zod'
import { embeddedWordVectors, parsePackagedData, type EmbeddingModel } from '@keepsake/text'
import { readPackagedText } from '../importance/packaged/packaged-files.ts'
import type { PromptLanguage } from '../prompts/prompt.ts'
import type { Records } from '../store/store.ts'
import { calibrateThreshold, type CalibrationTurn, type CosineCalibration } from './calibrate-threshold.ts'

/** Where a store keeps what was found for an embedder, by its id. */
export const THRESHOLD_RECORDS = 'keepsake:cosine-thresholds'

type Thresholds = Readonly<Record<PromptLanguage, number>>

/** Of the built-in word vectors, by the same calibration (docs/benchmarks/README.md), rounded. */
const BUILT_IN: Thresholds = { en: 0.3, zh: 0.2 }
/** LUFY's own embedder has LUFY's own threshold (LUFY, 4.1.1 and appendix D). */
const PUBLISHED: Thresholds = { en: 0.8, zh: 0.8 }
const PUBLISHED_MODEL = /(?:^|\/)text-embedding-ada-002$/

const CALIBRATION_TALK_FILE = 'calibration-talk.json'
const turnsSchema = z.array(z.object({ role: z.string(), text: z.string() }))
const talkSchema = z.object({ en: turnsSchema, zh: turnsSchema })
const recordSchema = z.object({ en: z.number(), zh: z.number() })

/** The project's own talk that ships for calibrating: some hundred turns in each language. */
export function calibrationTalk(): Readonly<Record<PromptLanguage, readonly CalibrationTurn[]>> {
  return parsePackagedData(CALIBRATION_TALK_FILE, readPackagedText(CALIBRATION_TALK_FILE), talkSchema)
}

/** A threshold that is known without measuring; `null` for other models. */
export function knownThresholds(embedder: string): Thresholds | null {
  if (embedder === embeddedWordVectors().id) return BUILT_IN
  return PUBLISHED_MODEL.test(embedder) ? PUBLISHED : null
}

/**
 * From which cosine on a memory bears on a question, for the model that embeds: known, or kept in the store from an earlier
 * time, or calibrated on the talk that ships when it is first needed, and kept under the model's id.
 */
export class CosineThresholds {
  readonly #records: Records
  readonly #embedding: EmbeddingModel
  #found: Promise<Thresholds> | undefined

  constructor(records: Records, embedding: EmbeddingModel) {
    this.#records = records
    this.#embedding = embedding
  }

  /** @throws ModelError when a model that is not known yet cannot embed; the next call tries again. */
  async of(language: PromptLanguage): Promise<number> {
    this.#found ??= this.#find().catch((error: unknown) => {
      this.#found = undefined
      throw error
    })
    return (await this.#found)[language]
  }

  async #find(): Promise<Thresholds> {
    const { id } = this.#embedding
    const known = knownThresholds(id)
    if (known !== null) return known
    const kept = recordSchema.safeParse((await this.#records.getRecord(THRESHOLD_RECORDS, id))?.value)
    if (kept.success) return kept.data
    const found: CosineCalibration = await calibrateThreshold(this.#embedding, calibrationTalk())
    const value = { en: found.en, zh: found.zh }
    await this.#records.putRecord({ collection: THRESHOLD_RECORDS, key: id, value, isDerived: true })
    return value
  }
}

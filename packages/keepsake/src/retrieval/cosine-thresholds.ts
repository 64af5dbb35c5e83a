import { z } from 'zod'
import { embeddedWordVectors, parsePackagedData, type EmbeddingModel, cosine } from '@keepsake/text'
import { readPackagedText } from '../importance/packaged/packaged-files.ts'
import type { PromptLanguage } from '../prompts/prompt.ts'
import type { Records } from '../store/store.ts'

/** Where a store keeps what was found for an embedder, by its id. */
const THRESHOLD_RECORDS = 'keepsake:cosine-thresholds'

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

export interface CalibrationTurn {
  readonly role: string
  readonly text: string
}

/** From which cosine on a memory bears on what is said, by the language it is said in, and for which embedder. */
export interface CosineCalibration extends Readonly<Record<PromptLanguage, number>> {
  /** Id of the model whose cosines they are: they mean nothing for another's. */
  readonly embedder: string
}

/**
 * Share of pairs of turns that say nothing of each other. LUFY's 0.8 stands where its embedder's cosines of wrong memories
 * thin out (appendix D); a user's turn and one taken at random from before it are such a wrong pair nearly always. Of Chinese
 * fewer: at nine tenths a cat asked for was not found under its breed (docs/benchmarks/README.md).
 */
const UNRELATED: Readonly<Record<PromptLanguage, number>> = { en: 0.9, zh: 0.85 }

/** Texts embedded in one call. */
const BATCH = 64

/**
 * Finds the threshold that suits an embedding model, from how its cosines are spread between turns of talk: no marks are
 * needed, so that it can be run on any model.
 *
 * @param talk turns in order, a talk a language; some hundred each are enough
 * @throws ModelError when the model cannot embed; RangeError for a talk in which no user's turn follows another turn
 * @example
 * await calibrateThreshold(embedWith(openai.embedding('text-embedding-3-small')), { en: turns, zh: turns })
 */
export async function calibrateThreshold(
  embedding: EmbeddingModel,
  talk: Readonly<Record<PromptLanguage, readonly CalibrationTurn[]>>,
  options: { readonly abortSignal?: AbortSignal } = {},
): Promise<CosineCalibration> {
  const thresholdOf = async (language: PromptLanguage): Promise<number> => {
    const turns = talk[language]
    const vectors = await embedAll(embedding, turns, options)
    return quantileOf(cosinesOf(turns, vectors), UNRELATED[language])
  }
  return { embedder: embedding.id, en: await thresholdOf('en'), zh: await thresholdOf('zh') }
}

async function embedAll(
  embedding: EmbeddingModel,
  turns: readonly CalibrationTurn[],
  options: { readonly abortSignal?: AbortSignal },
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let from = 0; from < turns.length; from += BATCH) {
    const texts = turns.slice(from, from + BATCH).map(({ text }) => text)
    vectors.push(...(await embedding.embed(texts, options)))
  }
  return vectors
}

/** Of each user's turn with every turn before it. */
function cosinesOf(turns: readonly CalibrationTurn[], vectors: readonly Float32Array[]): number[] {
  return vectors.flatMap((query, later) =>
    turns[later]?.role === 'user' ? vectors.slice(0, later).map((earlier) => cosine(query, earlier)) : [],
  )
}

function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  if (value === undefined)
    throw new RangeError("There is no user's turn after another one to calibrate the threshold on.")
  return Math.round(value * 1_000) / 1_000
}

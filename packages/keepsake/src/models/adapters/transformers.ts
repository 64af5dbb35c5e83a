import { ModelError } from '../../errors/model-error.ts'
import type { EmbeddingModel } from '../embedding-model.ts'
import { checkEmbeddings } from './check-embeddings.ts'
import { importTransformers, useLocalModels, type TransformersEnvironment } from './load-transformers.ts'

/** Texts in one forward pass: more would only lengthen the padding. */
const BATCH = 32

export interface TransformersEmbeddingOptions {
  /** Name of a feature-extraction model with ONNX weights, e.g. `Xenova/bge-small-en-v1.5`. */
  model: string
  /**
   * Folder that holds `model` as a subfolder. With it nothing is fetched; without it transformers.js downloads
   * the weights on the first call.
   */
  localModelPath?: string
  /** Precision of the weights: `fp32`, `fp16`, `q8`, … Default: what transformers.js takes. */
  dtype?: string
  /** How a text's token vectors become one; the model's card says which. Default `mean`. */
  pooling?: 'mean' | 'cls' | 'last_token'
  /** Put before every text, for models trained with a prefix. Default none. */
  prefix?: string
}

/** What is used of the package: it is an optional peer, so its own types may be absent. */
interface TransformersModule {
  env: TransformersEnvironment
  pipeline(task: 'feature-extraction', model: string, options: { dtype?: string }): Promise<FeatureExtractor>
}
type FeatureExtractor = (
  texts: string[],
  options: { pooling: string; normalize: boolean },
) => Promise<{ tolist(): number[][] }>

/**
 * An embedder that runs in the process by transformers.js, an optional peer: `npm install @huggingface/transformers`.
 * The model is loaded on the first call and once.
 *
 * @param load imports the package; given in tests.
 * @throws ModelError from `embed` when the package is not installed or the model cannot be loaded.
 * @example
 * transformersEmbedding({ model: 'bge-small-en-v1.5', localModelPath: './models', dtype: 'q8', pooling: 'cls' })
 */
export function transformersEmbedding(
  options: TransformersEmbeddingOptions,
  load?: () => Promise<unknown>,
): EmbeddingModel {
  const { model, dtype, pooling = 'mean', prefix = '' } = options
  const id = ['transformers', model, dtype ?? 'default', pooling, ...(prefix === '' ? [] : [prefix])].join(
    '/',
  )
  let dimensions: number | undefined
  let extractor: Promise<FeatureExtractor> | undefined

  return {
    id,
    get dimensions() {
      return dimensions
    },
    async embed(texts, { abortSignal } = {}) {
      // A failed load is forgotten, so that the next call tries again.
      extractor ??= loadExtractor(options, load).catch((error: unknown) => {
        extractor = undefined
        throw error
      })
      const extract = await extractor
      const vectors: Float32Array[] = []
      for (let from = 0; from < texts.length; from += BATCH) {
        abortSignal?.throwIfAborted()
        const batch = texts.slice(from, from + BATCH).map((text) => prefix + text)
        const rows = await runModel(id, () => extract(batch, { pooling, normalize: true }))
        vectors.push(...checkEmbeddings(id, rows, { count: batch.length, dimensions }))
        dimensions ??= vectors[0]?.length
      }
      return vectors
    },
  }
}

async function loadExtractor(
  { model, localModelPath, dtype }: TransformersEmbeddingOptions,
  load: (() => Promise<unknown>) | undefined,
): Promise<FeatureExtractor> {
  const transformers = await importTransformers(isTransformers, 'pipeline()', load)
  if (localModelPath !== undefined) useLocalModels(transformers.env, localModelPath)
  try {
    return await transformers.pipeline('feature-extraction', model, dtype === undefined ? {} : { dtype })
  } catch (cause) {
    const where = localModelPath === undefined ? 'from the model hub' : `from ${localModelPath}`
    throw new ModelError(
      `The model "${model}" could not be loaded ${where}. Check its name and that it has ONNX weights.`,
      {
        cause,
        details: { model },
      },
    )
  }
}

function isTransformers(found: object): found is TransformersModule {
  return 'pipeline' in found && 'env' in found
}

async function runModel(id: string, run: () => Promise<{ tolist(): number[][] }>): Promise<number[][]> {
  try {
    return (await run()).tolist()
  } catch (cause) {
    throw new ModelError(`${id} could not embed a text.`, { cause, details: { model: id } })
  }
}

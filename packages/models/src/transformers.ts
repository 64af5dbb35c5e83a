// Embeds texts with a transformers.js model in the process.
import { ModelError, type EmbeddingModel } from '@keepsake/text'
import { checkEmbeddings } from 'keepsake/model'
import {
  lazyTransformers,
  transformersId,
  type ImportTransformers,
  type TransformersOptions,
} from './load-transformers.ts'

/** Number of texts in one forward pass. More would only lengthen the padding. */
const BATCH = 32

export interface TransformersEmbeddingOptions extends TransformersOptions {
  /** How token vectors are pooled, as the model's card says. Default `mean`. */
  pooling?: 'mean' | 'cls' | 'last_token'
  /** Prefix of every text, for models trained with one. Default none. */
  prefix?: string
}

interface Transformers {
  pipeline(task: 'feature-extraction', model: string, options: { dtype?: string }): Promise<FeatureExtractor>
}
type FeatureExtractor = (
  texts: string[],
  options: { pooling: string; normalize: boolean },
) => Promise<{ tolist(): number[][] }>

/**
 * Embeds texts with a feature-extraction model in the process. transformers.js is an optional package: `npm install
 * @huggingface/transformers`. The model is loaded on the first call.
 *
 * @throws ModelError from `embed` when the package is not installed or the model cannot be loaded.
 * @example
 * transformersEmbedding({ model: 'bge-small-en-v1.5', localModelPath: './models', dtype: 'q8', pooling: 'cls' })
 */
export function transformersEmbedding(
  options: TransformersEmbeddingOptions,
  load?: ImportTransformers,
): EmbeddingModel {
  const { pooling = 'mean', prefix = '' } = options
  const id = transformersId(options, pooling, ...(prefix === '' ? [] : [prefix]))
  const extractor = lazyTransformers<Transformers, FeatureExtractor>(
    options,
    {
      kind: 'model',
      uses: ['pipeline'],
      load: (transformers, model, weights) => transformers.pipeline('feature-extraction', model, weights),
    },
    load,
  )
  let dimensions: number | undefined

  return {
    id,
    get dimensions() {
      return dimensions
    },
    async embed(texts, { abortSignal } = {}) {
      const extract = await extractor()
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

async function runModel(id: string, run: () => Promise<{ tolist(): number[][] }>): Promise<number[][]> {
  try {
    return (await run()).tolist()
  } catch (cause) {
    throw new ModelError(`${id} could not embed a text.`, { cause, details: { model: id } })
  }
}

import { type EmbeddingModel, ModelError, normaliseVector } from '@keepsake/text'
import { modelErrorFrom } from './ai-sdk-error.ts'

/**
 * What a model answered, as normalised vectors.
 * @param expected how many vectors, and how long if that is known.
 * @throws ModelError when the number or a length differs, or a value is not finite.
 */
export function checkEmbeddings(
  id: string,
  embeddings: readonly ArrayLike<number>[],
  expected: { count: number; dimensions: number | undefined },
): Float32Array[] {
  if (embeddings.length !== expected.count) {
    throw new ModelError(`${id} was given ${expected.count} texts and answered ${embeddings.length} vectors.`)
  }
  const dimensions = expected.dimensions ?? embeddings[0]?.length
  return embeddings.map((embedding) => {
    if (embedding.length === 0 || embedding.length !== dimensions) {
      throw new ModelError(
        `${id} answered a vector of length ${embedding.length} where ${dimensions} was expected.`,
      )
    }
    const vector = Float32Array.from(embedding)
    if (!vector.every(Number.isFinite))
      throw new ModelError(`${id} answered a vector that is not all numbers.`)
    return normaliseVector(vector)
  })
}

/**
 * What this adapter uses of an AI SDK embedding model: any of specification v3 (AI SDK 6) or v4 (AI SDK 7)
 * fits. Written out so that applications without the AI SDK can still check their types.
 */
export interface AiSdkEmbeddingModel {
  readonly provider: string
  readonly modelId: string
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined
  doEmbed(options: {
    values: string[]
    dimensions?: number
    abortSignal?: AbortSignal
  }): PromiseLike<{ embeddings: number[][] }>
}

export interface EmbedWithOptions {
  /** Asks the model for vectors of this length, where it can choose (AI SDK 7). Default: the model's own. */
  dimensions?: number
}

/** Sent once to learn a model's dimensions when there is nothing but blank texts. */
const PROBE = '.'

/**
 * Uses an AI SDK embedding model object as Keepsake's embedder. Texts go out in the batches the model allows;
 * blank ones are not sent and get zeros. It does not retry: `ModelError.isRetryable` says whether that may help.
 *
 * @example
 * const model = embedWith(openai.embeddingModel('text-embedding-3-small'))
 */
export function embedWith(model: AiSdkEmbeddingModel, options: EmbedWithOptions = {}): EmbeddingModel {
  const asked = options.dimensions
  const id = `${model.provider}/${model.modelId}${asked === undefined ? '' : `@${asked}`}`
  let dimensions = asked

  const embedBatch = async (
    values: string[],
    abortSignal: AbortSignal | undefined,
  ): Promise<Float32Array[]> => {
    const embeddings = await callModel(model, id, {
      values,
      ...(asked === undefined ? {} : { dimensions: asked }),
      ...(abortSignal === undefined ? {} : { abortSignal }),
    })
    const vectors = checkEmbeddings(id, embeddings, { count: values.length, dimensions })
    dimensions ??= vectors[0]?.length
    return vectors
  }

  return {
    id,
    get dimensions() {
      return dimensions
    },
    async embed(texts, { abortSignal } = {}) {
      const spoken = texts.filter((text) => text.trim() !== '')
      const batch = Math.max(1, (await model.maxEmbeddingsPerCall) ?? Infinity)
      const vectors: Float32Array[] = []
      for (let from = 0; from < spoken.length; from += batch) {
        abortSignal?.throwIfAborted()
        vectors.push(...(await embedBatch(spoken.slice(from, from + batch), abortSignal)))
      }
      if (dimensions === undefined && texts.length > 0) await embedBatch([PROBE], abortSignal)
      let next = 0
      return texts.map(
        (text) => (text.trim() === '' ? undefined : vectors[next++]) ?? new Float32Array(dimensions ?? 0),
      )
    },
  }
}

async function callModel(
  model: AiSdkEmbeddingModel,
  id: string,
  call: Parameters<AiSdkEmbeddingModel['doEmbed']>[0],
): Promise<number[][]> {
  try {
    const { embeddings } = await model.doEmbed(call)
    return embeddings
  } catch (cause) {
    call.abortSignal?.throwIfAborted()
    throw modelErrorFrom(cause, id, `could not embed ${call.values.length} texts`)
  }
}

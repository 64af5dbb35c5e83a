// Adapts embedding models of the AI SDK to Keepsake's port.
import { type EmbeddingModel, ModelError, normaliseVector } from '@keepsake/text'
import { modelErrorFrom } from './ai-sdk-error.ts'

/** Checks and normalises a model's vectors. @throws ModelError when number or length differ, or a value is not finite */
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

/** The part of an AI SDK embedding model (v3 or v4) in use, defined here so that applications need no AI SDK. */
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
  /** Requests vectors of this length, if the model supports several (AI SDK 7). The model's default when absent. */
  dimensions?: number
}

/** This text is embedded to find a model's dimensions if all texts of a request are blank. */
const PROBE = '.'

/** Adapts an AI SDK embedding model. Sends batches of the model's size, returns zeros for blank texts, and does not retry. */
export function embedWith(model: AiSdkEmbeddingModel, options: EmbedWithOptions = {}): EmbeddingModel {
  const requested = options.dimensions
  const suffix = requested === undefined ? '' : `@${requested}`
  const id = `${model.provider}/${model.modelId}${suffix}`
  let dimensions = requested

  const embedBatch = async (
    values: string[],
    abortSignal: AbortSignal | undefined,
  ): Promise<Float32Array[]> => {
    const embeddings = await callModel(model, id, {
      values,
      ...(requested === undefined ? {} : { dimensions: requested }),
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
      const isBlank = (text: string): boolean => text.trim() === ''
      const sent = texts.filter((text) => !isBlank(text))
      const batchSize = Math.max(1, (await model.maxEmbeddingsPerCall) ?? Infinity)
      const vectors: Float32Array[] = []
      for (let start = 0; start < sent.length; start += batchSize) {
        abortSignal?.throwIfAborted()
        vectors.push(...(await embedBatch(sent.slice(start, start + batchSize), abortSignal)))
      }
      if (dimensions === undefined && texts.length > 0) await embedBatch([PROBE], abortSignal)
      let sentCount = 0
      return texts.map((text) => {
        const vector = isBlank(text) ? undefined : vectors[sentCount++]
        return vector ?? new Float32Array(dimensions ?? 0)
      })
    },
  }
}

/** Embeds one batch. @throws ModelError if the model fails */
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

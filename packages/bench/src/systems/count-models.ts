import type { EmbeddingModel, LanguageModel, RerankingModel } from 'keepsake'
import { Meter, NO_COST, sumCosts } from '../recordings/meter.ts'
import type { SystemUsage } from './memory-system.ts'

/** Models whose calls are counted. */
export interface CountedModels {
  readonly model: LanguageModel | null
  readonly embedding: EmbeddingModel | null
  /** The reranking model. Calls of a cross-encoder are not counted. */
  readonly reranking: LanguageModel | RerankingModel | null
  /** Returns the model calls so far. */
  readonly usage: () => SystemUsage & { readonly inputCharacters: number }
}

/** Wraps models and counts their calls. For an embedding model, a batch is one request. */
export function countModels(
  model: LanguageModel | null,
  embedding: EmbeddingModel | null,
  reranking: LanguageModel | RerankingModel | null = null,
): CountedModels {
  const meter = new Meter()
  let cost = NO_COST
  let embeddingRequests = 0
  const count = (): void => void (embeddingRequests += 1)
  return {
    model: model === null ? null : meter.model(model),
    embedding: embedding === null ? null : countedEmbedding(embedding, count),
    reranking: reranking === null || 'rerank' in reranking ? reranking : meter.model(reranking),
    usage: () => {
      cost = sumCosts([cost, ...Object.values(meter.take())])
      const { calls, inputTokens, outputTokens, inputCharacters } = cost
      return { calls, inputTokens, outputTokens, inputCharacters, embeddingRequests }
    },
  }
}

function countedEmbedding(model: EmbeddingModel, count: () => void): EmbeddingModel {
  const embedNow = model.embedNow?.bind(model)
  return {
    id: model.id,
    ...(model.semanticWeight === undefined ? {} : { semanticWeight: model.semanticWeight }),
    get dimensions() {
      return model.dimensions
    },
    embed: (texts, options) => {
      count()
      return model.embed(texts, options)
    },
    ...(embedNow === undefined
      ? {}
      : {
          embedNow: (text: string) => {
            count()
            return embedNow(text)
          },
        }),
  }
}

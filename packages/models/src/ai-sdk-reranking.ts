// Adapts reranking models of the AI SDK.
import { ModelError } from '@keepsake/text'
import type { RerankingModel } from 'keepsake'
import { modelErrorFrom } from 'keepsake/model'

/** The part of an AI SDK reranking model (v3 or v4) in use, defined here so that applications need no AI SDK. */
export interface AiSdkRerankingModel {
  readonly provider: string
  readonly modelId: string
  /** Ranks documents by how well they answer a query. */
  doRerank(options: {
    documents: { type: 'text'; values: string[] }
    query: string
    topN?: number
    abortSignal?: AbortSignal
  }): PromiseLike<{ ranking: readonly { readonly index: number; readonly relevanceScore: number }[] }>
}

/** Options of `rerankWith()`. */
export interface RerankWithOptions {
  /** Whether the model's scores are probabilities, as with most services. Default false: the scores only rank. */
  readonly isProbability?: boolean
}

/**
 * Adapts an AI SDK reranking model to Keepsake. It does not retry. `ModelError.isRetryable` says whether a retry may help.
 *
 * @example
 * const model = rerankWith(cohere.reranking('rerank-v3.5'), { isProbability: true })
 */
export function rerankWith(
  model: AiSdkRerankingModel,
  { isProbability = false }: RerankWithOptions = {},
): RerankingModel {
  const id = `${model.provider}/${model.modelId}`
  return {
    id,
    isProbability,
    async rerank(question, texts, { abortSignal } = {}) {
      abortSignal?.throwIfAborted()
      if (texts.length === 0) return []
      try {
        const { ranking } = await model.doRerank({
          documents: { type: 'text', values: [...texts] },
          query: question,
          topN: texts.length,
          ...(abortSignal === undefined ? {} : { abortSignal }),
        })
        return scoresInOrder(id, ranking, texts.length)
      } catch (cause) {
        abortSignal?.throwIfAborted()
        throw modelErrorFrom(cause, id, `could not rank ${texts.length} texts`)
      }
    },
  }
}

/** Returns one score for each text, in the order of the texts. */
function scoresInOrder(
  id: string,
  ranking: readonly { readonly index: number; readonly relevanceScore: number }[],
  count: number,
): number[] {
  const scores = new Map(ranking.map(({ index, relevanceScore }) => [index, relevanceScore]))
  return Array.from({ length: count }, (_, index) => {
    const score = scores.get(index)
    if (score === undefined || !Number.isFinite(score))
      throw new ModelError(`${id} was given ${count} texts and gave no score for number ${index + 1}.`, {
        details: { model: id },
      })
    return score
  })
}

import type { RerankingModelV3, RerankingModelV4 } from '@ai-sdk/provider'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { ModelError } from '@keepsake/text'
import { rerankWith, type AiSdkRerankingModel } from './ai-sdk-reranking.ts'

type Asked = Parameters<AiSdkRerankingModel['doRerank']>[0]

function ranking(doRerank: AiSdkRerankingModel['doRerank']): AiSdkRerankingModel {
  return { provider: 'test', modelId: 'rank', doRerank }
}

describe('rerankWith', () => {
  it('takes models of AI SDK 6 and 7', () => {
    expectTypeOf<RerankingModelV3>().toExtend<AiSdkRerankingModel>()
    expectTypeOf<RerankingModelV4>().toExtend<AiSdkRerankingModel>()
  })

  it('gives the scores in the order of the texts', async () => {
    const asked: Asked[] = []
    const model = rerankWith(
      ranking(async (options) => {
        asked.push(options)
        return {
          ranking: [
            { index: 1, relevanceScore: 0.9 },
            { index: 0, relevanceScore: 0.2 },
          ],
        }
      }),
    )
    expect(await model.rerank('q', ['a', 'b'])).toEqual([0.2, 0.9])
    expect(asked).toEqual([{ documents: { type: 'text', values: ['a', 'b'] }, query: 'q', topN: 2 }])
    expect(await model.rerank('q', [])).toEqual([])
    expect(asked).toHaveLength(1)
  })

  it('refuses a ranking that leaves a text out', async () => {
    const model = rerankWith(ranking(async () => ({ ranking: [{ index: 0, relevanceScore: 1 }] })))
    await expect(model.rerank('q', ['a', 'b'])).rejects.toBeInstanceOf(ModelError)
  })

  it('says whether to try again, and passes an abort on as it is', async () => {
    const cause = Object.assign(new Error('busy'), { isRetryable: true })
    const model = rerankWith(ranking(() => Promise.reject(cause)))
    await expect(model.rerank('q', ['a'])).rejects.toMatchObject({ isRetryable: true, cause })
    const reason = new Error('stop')
    await expect(model.rerank('q', ['a'], { abortSignal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

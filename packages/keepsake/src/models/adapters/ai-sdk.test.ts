import type { EmbeddingModelV3, EmbeddingModelV4 } from '@ai-sdk/provider'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { ModelError } from '@keepsake/text'
import { embedWith, type AiSdkEmbeddingModel } from './ai-sdk.ts'

/** Answers [length of text, 1]; keeps the batches it was asked for. */
function countingModel(overrides: Partial<AiSdkEmbeddingModel> = {}) {
  const batches: string[][] = []
  const model: AiSdkEmbeddingModel = {
    provider: 'test',
    modelId: 'count',
    maxEmbeddingsPerCall: 2,
    doEmbed: async ({ values }) => {
      batches.push(values)
      return { embeddings: values.map((value) => [value.length, 1]) }
    },
    ...overrides,
  }
  return { model, batches }
}

describe('embedWith', () => {
  it('takes models of AI SDK 6 and 7', () => {
    expectTypeOf<EmbeddingModelV3>().toExtend<AiSdkEmbeddingModel>()
    expectTypeOf<EmbeddingModelV4>().toExtend<AiSdkEmbeddingModel>()
  })

  it('keeps order over batches, normalises, and learns the dimensions', async () => {
    const { model, batches } = countingModel()
    const embedder = embedWith(model)
    expect(embedder.dimensions).toBeUndefined()
    const vectors = await embedder.embed(['aaa', 'b', 'cc'])
    expect(batches).toEqual([['aaa', 'b'], ['cc']])
    expect(vectors.map(([first = 0, second = 0]) => Math.round(first / second))).toEqual([3, 1, 2])
    expect(Math.hypot(...(vectors[0] ?? []))).toBeCloseTo(1)
    expect(embedder.dimensions).toBe(2)
    expect(embedder.id).toBe('test/count')
  })

  it('waits for a limit that is promised', async () => {
    const { model, batches } = countingModel({ maxEmbeddingsPerCall: Promise.resolve(1) })
    await embedWith(model).embed(['a', 'b'])
    expect(batches).toEqual([['a'], ['b']])
  })

  it('gives zeros for blank texts without sending them', async () => {
    const { model, batches } = countingModel()
    expect(await embedWith(model).embed([' ', 'a'])).toEqual([new Float32Array(2), expect.any(Float32Array)])
    expect(batches).toEqual([['a']])
    expect(await embedWith(model).embed([''])).toEqual([new Float32Array(2)])
  })

  it('wraps failures, keeping cause and whether to try again', async () => {
    const cause = Object.assign(new Error('busy'), { isRetryable: true })
    const { model } = countingModel({ doEmbed: () => Promise.reject(cause) })
    const error = await embedWith(model)
      .embed(['a'])
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ModelError)
    expect(error).toMatchObject({ isRetryable: true, cause })
  })

  it.each([
    ['too few vectors', [[1, 2]]],
    ['vectors of two lengths', [[1, 2], [1]]],
    [
      'what is not a number',
      [
        [1, 2],
        [1, Number.NaN],
      ],
    ],
  ])('refuses %s', async (_, embeddings) => {
    const { model } = countingModel({ doEmbed: async () => ({ embeddings }) })
    await expect(embedWith(model).embed(['a', 'b'])).rejects.toBeInstanceOf(ModelError)
  })

  it('refuses other dimensions than were asked for', async () => {
    const { model } = countingModel()
    await expect(embedWith(model, { dimensions: 3 }).embed(['a'])).rejects.toBeInstanceOf(ModelError)
  })

  it('passes an abort on as it is', async () => {
    const { model, batches } = countingModel()
    const reason = new Error('stop')
    await expect(embedWith(model).embed(['a'], { abortSignal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    )
    expect(batches).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { ModelError } from '@keepsake/text'
import { transformersEmbedding } from './transformers.ts'

/** A string, so that the type checker does not look for it. */
const ABSENT: string = '@keepsake/not-installed'

function fakePackage(pipelineError?: Error) {
  const calls: unknown[] = []
  const env = { localModelPath: '/models/', allowLocalModels: false, allowRemoteModels: true }
  const extract = async (texts: string[], options: unknown) => {
    calls.push({ texts: texts.length, options })
    return { tolist: () => texts.map((text) => [text.length, 1, 0]) }
  }
  const pipeline = async (...given: unknown[]) => {
    if (pipelineError) throw pipelineError
    calls.push(given)
    return extract
  }
  return { calls, env, load: async () => ({ env, pipeline }) }
}

describe('transformersEmbedding', () => {
  it('names the package to install when it is missing', async () => {
    const model = transformersEmbedding({ model: 'm' }, () => import(ABSENT))
    await expect(model.embed(['a'])).rejects.toThrow(/npm install @huggingface\/transformers/)
    await expect(model.embed(['a'])).rejects.toBeInstanceOf(ModelError)
  })

  it('loads once, passes its options on, batches, and normalises', async () => {
    const { calls, load } = fakePackage()
    const model = transformersEmbedding({ model: 'm', dtype: 'q8', pooling: 'cls' }, load)
    const vectors = await model.embed(Array.from({ length: 40 }, (_, at) => 'x'.repeat(at + 1)))
    await model.embed(['again'])
    const options = { pooling: 'cls', normalize: true }
    expect(calls).toEqual([
      ['feature-extraction', 'm', { dtype: 'q8' }],
      { texts: 32, options },
      { texts: 8, options },
      { texts: 1, options },
    ])
    expect(Math.hypot(...(vectors[39] ?? []))).toBeCloseTo(1)
    expect(model.dimensions).toBe(3)
  })

  it('fetches nothing when a local folder is given', async () => {
    const { env, load } = fakePackage()
    await transformersEmbedding({ model: 'm', localModelPath: './here' }, load).embed(['a'])
    expect(env).toEqual({ localModelPath: './here', allowLocalModels: true, allowRemoteModels: false })
  })

  it('says which model could not be loaded, and tries again at the next call', async () => {
    let broken = true
    const good = fakePackage()
    const bad = fakePackage(new Error('404'))
    const model = transformersEmbedding({ model: 'm' }, () => (broken ? bad.load() : good.load()))
    await expect(model.embed(['a'])).rejects.toThrow(/"m" could not be loaded/)
    broken = false
    expect(await model.embed(['a'])).toHaveLength(1)
  })

  it('has another id for everything that changes its vectors', () => {
    const ids = [{}, { dtype: 'q8' }, { pooling: 'cls' as const }, { prefix: 'query: ' }].map(
      (options) => transformersEmbedding({ model: 'm', ...options }).id,
    )
    expect(new Set(ids).size).toBe(ids.length)
  })
})

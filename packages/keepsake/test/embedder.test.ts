import { describe, expect, it } from 'vitest'
import { openMemory, type EmbeddingModel } from 'keepsake'
import { openForTest } from './open-for-test.ts'
import { temporaryFile } from './temporary-file.ts'

/** A remote embedder: answers later, knows that a few words mean the same. */
function remote(id: string, dimensions: number): EmbeddingModel & { readonly asked: string[] } {
  const asked: string[] = []
  const topics = [/dog|puppy|hound|canine/i, /boat|ship|vessel/i, /bread|loaf|bakery/i]
  return {
    id,
    dimensions,
    asked,
    embed: async (texts) => {
      asked.push(...texts)
      await new Promise((resolve) => setTimeout(resolve, 5))
      return texts.map((text) => {
        const vector = new Float32Array(dimensions)
        for (const [place, topic] of topics.entries()) if (topic.test(text)) vector[place] = 1
        vector[dimensions - 1] = 0.1
        const length = Math.hypot(...vector)
        return vector.map((value) => value / length)
      })
    },
  }
}

const TURNS = [
  { role: 'user', text: 'Pixel is a lovely puppy.', id: 't1' },
  { role: 'user', text: 'Oskar repairs an old vessel.', id: 't2' },
  { role: 'user', text: 'The loaf was burnt.', id: 't3' },
] as const

describe('an embedder that answers later', () => {
  it('never holds up remembering; its vectors count once they are there', async () => {
    const embedding = remote('remote/a', 8)
    const keepsake = await openForTest({ embedding })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember(TURNS)
    expect(embedding.asked).toEqual([])
    await ana.recall('anything')
    await keepsake.drain()
    const { memories } = await ana.recall('canine')
    expect(memories[0]?.evidence[0]?.turn).toBe('t1')
  })
})

it('weighs meaning as the model asks, where the preset ranks by parts', async () => {
  const meaningOf = async (own: { readonly semanticWeight?: number }) => {
    const keepsake = await openForTest({ embedding: { ...remote('remote/a', 8), ...own } })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember(TURNS)
    await ana.recall('anything')
    await keepsake.drain()
    return (await ana.recall('canine')).memories[0]?.parts['semantic']
  }
  expect([await meaningOf({}), await meaningOf({ semanticWeight: 2 })]).toEqual([0.7, 2])
})

describe('a change of embedder', () => {
  it('is noticed, embeds everything again in the background, and never mixes dimensions', async () => {
    const path = temporaryFile()
    const first = await openMemory({ path, embedding: remote('remote/a', 8) })
    await first.scope({ user: 'ana' }).remember(TURNS)
    await first.scope({ user: 'ana' }).recall('anything')
    await first.drain()
    await first.close()
    const other = remote('remote/b', 24)
    const second = await openForTest({ path, embedding: other })
    const ana = second.scope({ user: 'ana' })
    const during = await ana.recall('the lovely puppy')
    expect(during.memories[0]?.evidence[0]?.turn).toBe('t1')
    await second.drain()
    expect(other.asked).toEqual(expect.arrayContaining(TURNS.map((turn) => turn.text)))
    expect((await ana.recall('ship')).memories[0]?.evidence[0]?.turn).toBe('t2')
    await second.close()
    const third = remote('remote/b', 24)
    const again = await openForTest({ path, embedding: third })
    await again.scope({ user: 'ana' }).recall('ship')
    await again.drain()
    expect(third.asked.filter((text) => TURNS.some((turn) => turn.text === text))).toEqual([])
  })
})

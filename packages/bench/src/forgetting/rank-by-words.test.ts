import type { Memory } from 'keepsake'
import { embeddedWordVectors } from '@keepsake/text'
import { describe, expect, it } from 'vitest'
import { rankByWords } from './rank-by-words.ts'

/** Makes a memory with the fields that a ranking reads. */
const memoryOf = (text: string): Memory => ({ id: text, text }) as Memory

describe('rankByWords', () => {
  it('is BM25 over the best, plus cosine, of those that share a word', () => {
    const texts = ['cat milo', 'cat cat dog', 'tax']
    const found = rankByWords()('cat', texts.map(memoryOf))
    // Lengths 2, 3, 1: average 2. Two of three hold it: the rarity cancels out over the best.
    // once in 2: 2.2 / (1 + 1.2·1) = 1; twice in 3: 4.4 / (2 + 1.2·(0.25 + 1.125)) = 4.4/3.65 = 1.20548
    const model = embeddedWordVectors()
    const cosine = (text: string): number => {
      const [a, b] = [model.embedNow('cat'), model.embedNow(text)]
      return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
    }
    expect(found.map(({ memory }) => memory.text)).toEqual(['cat milo', 'cat cat dog'])
    expect(found[0]?.score).toBeCloseTo(1 / 1.20548 + cosine('cat milo'), 4)
    expect(found[1]?.score).toBeCloseTo(1 + cosine('cat cat dog'), 4)
  })

  it('ranks the same again among other memories', () => {
    const rank = rankByWords()
    const few = ['cat milo', 'a dog'].map(memoryOf)
    const before = rank('my cat', few)
    rank('my cat', [...few, ...['cat food', 'cat bed'].map(memoryOf)])
    expect(rank('my cat', few)).toEqual(before)
  })
})

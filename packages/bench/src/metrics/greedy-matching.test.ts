import * as fc from 'fast-check'
import type { EmbeddingModel } from 'keepsake'
import { embeddedWordVectors } from '@keepsake/text'
import { describe, expect, it } from 'vitest'
import { greedyMatcher, matchGreedily } from './greedy-matching.ts'

describe('matchGreedily, by hand', () => {
  // moved ~ relocated 0.8, she ~ he 0.5, everything else 0 but itself
  const similarity = (a: string, b: string): number => {
    if (a === b) return 1
    const pair = [a, b].toSorted().join(' ')
    return pair === 'moved relocated' ? 0.8 : pair === 'he she' ? 0.5 : 0
  }

  it('is 0 where a side is empty', () => {
    expect(matchGreedily([], ['lyon'], similarity).f1).toBe(0)
    expect(matchGreedily(['lyon'], [], similarity).f1).toBe(0)
  })

  it('does not depend on the order of words, and lies between 0 and 1', () => {
    const words = fc.array(fc.constantFrom('he', 'she', 'moved', 'relocated', 'lyon'), { maxLength: 8 })
    fc.assert(
      fc.property(words, words, (a, b) => {
        const one = matchGreedily(a, b, similarity)
        const other = matchGreedily(a.toReversed(), b, similarity)
        expect(one.f1).toBeCloseTo(other.f1, 12)
        expect(one.f1).toBeGreaterThanOrEqual(0)
        expect(one.f1).toBeLessThanOrEqual(1)
        if (a.length > 0) expect(matchGreedily(a, a, similarity).f1).toBeCloseTo(1, 12)
      }),
    )
  })
})

describe('greedyMatcher', () => {
  it('asks for each word once, across calls', async () => {
    const asked: string[] = []
    const vectors = embeddedWordVectors()
    const embedding: EmbeddingModel = {
      id: vectors.id,
      dimensions: vectors.dimensions,
      embed: async (texts) => {
        asked.push(...texts)
        return vectors.embed(texts)
      },
    }
    const matcher = greedyMatcher({ embedding, language: 'en' })
    await matcher.prepare(['red lamp', 'lamp by lamp'])
    await matcher.prepare(['old red lamp'])
    const words = asked.filter((text) => !text.includes(' '))
    expect(words).toEqual(['red', 'lamp', 'by', 'old'])
  })

  it('finds a paraphrase nearer than something else, in both languages', async () => {
    const matcher = greedyMatcher({ embedding: embeddedWordVectors(), language: 'en' })
    const [label, near, far] = ['She bought a small house', 'She purchased a home', 'Tomorrow it may rain']
    const texts = await matcher.prepare([label, near, far])
    expect(texts.match(near, label).f1).toBeGreaterThan(texts.match(far, label).f1)
    expect(texts.cosine(near, label)).toBeGreaterThan(texts.cosine(far, label))
    expect(texts.match(label, label).f1).toBeCloseTo(1, 6)
    expect(() => texts.match('something new', label)).toThrow(/was not prepared/)

    const chinese = greedyMatcher({ embedding: embeddedWordVectors(), language: 'zh' })
    const [要, 近, 远] = ['他喜欢吃辣的火锅', '他爱吃火锅', '明天会下雨']
    const compared = await chinese.prepare([要, 近, 远])
    expect(compared.match(近, 要).recall).toBeGreaterThan(compared.match(远, 要).recall)
  })
})

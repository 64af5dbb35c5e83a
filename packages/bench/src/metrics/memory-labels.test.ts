import * as fc from 'fast-check'
import { embeddedWordVectors } from '@keepsake/text'
import { describe, expect, it } from 'vitest'
import { greedyMatcher } from './greedy-matching.ts'
import { matchLabels, overlapWithLabel } from './memory-labels.ts'

describe('matchLabels', () => {
  //            label A  B  C
  const table = [
    [0.9, 0.2, 0.1],
    [0.3, 0.3, 0],
    [0.95, 0.1, 0.94],
    [0, 0, 0],
  ]
  const similarity = (memory: string, label: string): number =>
    table[Number(memory)]?.['ABC'.indexOf(label)] ?? 0

  it('gives each memory to its most similar label, the first of equals, and none to one like nothing', () => {
    // 0 → A; 1 → A (tie with B); 2 → A, above C; 3 → none. A’s best is 2, then 0, then 1.
    expect(matchLabels(['A', 'B', 'C'], ['0', '1', '2', '3'], similarity)).toEqual([[2, 0, 1], [], []])
    expect(matchLabels([], ['0'], similarity)).toEqual([])
  })

  it('matches a memory at most once', () => {
    const scores = fc.array(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
    )
    fc.assert(
      fc.property(scores, (rows) => {
        const labels = ['A', 'B', 'C']
        const found = matchLabels(
          labels,
          rows.map((_, i) => String(i)),
          (memory, label) => rows[Number(memory)]?.[labels.indexOf(label)] ?? 0,
        ).flat()
        expect(new Set(found).size).toBe(found.length)
      }),
    )
  })
})

describe('overlapWithLabel', () => {
  it('maximises each metric for itself', async () => {
    const label = 'Ana bought a red lamp'
    // precision: first: subsequence ana lamp, 2 of 3, no bigram of two; second: red lamp 2 of 2, 1 of 1
    const memories = ['Ana sells lamp', 'red lamp']
    const matcher = greedyMatcher({ embedding: embeddedWordVectors(), language: 'en' })
    const texts = await matcher.prepare([label, ...memories])
    const { overlap, nearest } = overlapWithLabel(label, memories, texts)
    expect(overlap.rougeL).toBe(1)
    expect(overlap.rouge2).toBe(1)
    expect(overlap.greedy_words).toBeCloseTo(1, 6)
    expect(nearest).toBe(1)
    expect(overlap.cosine).toBeGreaterThan(0.3)
  })

  it('is 0 without memories', async () => {
    const matcher = greedyMatcher({ embedding: embeddedWordVectors(), language: 'en' })
    const texts = await matcher.prepare(['a label'])
    expect(overlapWithLabel('a label', [], texts)).toEqual({
      overlap: { rouge2: 0, rougeL: 0, greedy_words: 0, cosine: 0 },
      nearest: null,
    })
  })
})

import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { auroc } from './auroc.ts'

it('counts pairs, ties a half', () => {
  // 0.9 beats both; 0.5 beats 0.1 and ties 0.5: (2 + 1.5) / 4
  expect(auroc([0.9, 0.5], [0.5, 0.1])).toBe(0.875)
  expect(auroc([1], [1])).toBe(0.5)
})

it('is what comparing every pair gives', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(scores, scores, (positives, negatives) => {
      let wins = 0
      for (const p of positives) for (const n of negatives) wins += p > n ? 1 : p === n ? 0.5 : 0
      expect(auroc(positives, negatives)).toBeCloseTo(wins / (positives.length * negatives.length), 12)
    }),
  )
})

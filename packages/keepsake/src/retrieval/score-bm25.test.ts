import { expect, it } from 'vitest'
import { inverseDocumentFrequency, saturate } from './score-bm25.ts'

it('weighs a term in one of three documents by ln(1 + 2.5 / 1.5)', () => {
  expect(inverseDocumentFrequency(3, 1)).toBeCloseTo(0.980829, 6)
})

it('never weighs below zero, not even what is everywhere', () => {
  expect(inverseDocumentFrequency(10, 10)).toBeGreaterThan(0)
})

it('saturates: 1 at an average length for one occurrence, k1 + 1 at the end', () => {
  expect(saturate(1, 1)).toBeCloseTo(1, 12)
  // 3 × 1.9 / (3 + 0.9 × (0.25 + 0.75 × 2)) = 5.7 / 4.575
  expect(saturate(3, 2)).toBeCloseTo(1.245902, 6)
  expect(saturate(1e9, 1)).toBeCloseTo(1.9, 6)
})

import { describe, expect, it } from 'vitest'
import { allAt, hitAt, ndcgAt, recallAt, reciprocalRank } from './ranking-metrics.ts'

const ranking = ['a', 'b', 'c', 'd']
const relevant = new Set(['b', 'd', 'z'])

describe('ranking metrics, by hand', () => {
  it('hits once any relevant stands within the cut', () => {
    expect(hitAt(1, ranking, relevant)).toBe(0)
    expect(hitAt(2, ranking, relevant)).toBe(1)
  })

  it('recalls the share of the relevant within the cut', () => {
    expect(recallAt(2, ranking, relevant)).toBeCloseTo(1 / 3, 12)
    expect(recallAt(10, ranking, relevant)).toBeCloseTo(2 / 3, 12)
  })

  it('asks for all of the relevant within the cut', () => {
    expect(allAt(2, ranking, new Set(['b', 'a']))).toBe(1)
    expect(allAt(2, ranking, new Set(['b', 'd']))).toBe(0)
    expect(allAt(2, ranking, new Set())).toBeNaN()
  })

  it('discounts by log2(rank + 1) against the best possible order', () => {
    // (1/log2 3 + 1/log2 5) / (1 + 1/log2 3 + 1/2)
    expect(ndcgAt(10, ranking, relevant)).toBeCloseTo((0.6309298 + 0.4306766) / 2.1309298, 6)
    expect(ndcgAt(10, ['b', 'd', 'z'], relevant)).toBeCloseTo(1, 12)
  })

  it('gives one over the first relevant rank', () => {
    expect(reciprocalRank(ranking, relevant)).toBe(0.5)
    expect(reciprocalRank(['x'], relevant)).toBe(0)
  })
})

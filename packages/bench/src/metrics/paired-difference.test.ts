import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairedDifference, type Pair } from './paired-difference.ts'

const pair = (cluster: string, a: number, b: number, weight?: number): Pair => ({
  cluster,
  a,
  b,
  ...(weight === undefined ? {} : { weight }),
})

describe('pairedDifference, by hand', () => {
  it('counts sign patterns over clusters', () => {
    // sums of differences by person: ana 2, ben 1, cleo −1. Observed 2. Of the 8 signed sums ±2 ±1 ±1:
    // 4 2 2 0 0 −2 −2 −4: six are 2 or more away from 0.
    const pairs = [pair('ana', 1, 0), pair('ana', 1, 0), pair('ben', 1, 0), pair('cleo', 0, 1)]
    const found = pairedDifference(pairs, { seed: 1 })
    expect(found).toMatchObject({ a: 0.75, b: 0.25, difference: 0.5, pairs: 4, clusters: 3 })
    expect(found.p).toBe(6 / 8)
  })

  it('draws patterns where there are too many to try, and never says 0', () => {
    const pairs = Array.from({ length: 30 }, (_, i) => pair(`p${i}`, 1, 0))
    expect(pairedDifference(pairs, { seed: 1, flips: 999 }).p).toBe(1 / 1_000)
  })

  it('weighs items', () => {
    // (1·3 + 0·1) / 4 against (0·3 + 1·1) / 4
    const found = pairedDifference([pair('ana', 1, 0, 3), pair('ben', 0, 1, 1)], { seed: 1 })
    expect(found).toMatchObject({ a: 0.75, b: 0.25, difference: 0.5 })
    // a resample holds ana twice (1) or ben twice (−1) in a quarter of the draws each
    expect(found.interval).toEqual({ low: -1, high: 1 })
  })

  it('says nothing of one cluster’s spread, and nothing at all of nothing', () => {
    expect(pairedDifference([pair('ana', 1, 0)], { seed: 1 })).toMatchObject({
      difference: 1,
      interval: null,
      p: null,
    })
    expect(pairedDifference([], { seed: 1 })).toMatchObject({ difference: null, p: null, pairs: 0 })
  })
})

it('finds no difference between a run and itself, and the opposite the other way round', () => {
  const score = fc.integer({ min: 0, max: 1 })
  const pairs = fc.array(
    fc
      .tuple(fc.constantFrom('ana', 'ben', 'cleo', 'dov'), score, score)
      .map(([who, a, b]) => pair(who, a, b)),
    { minLength: 1, maxLength: 30 },
  )
  fc.assert(
    fc.property(pairs, (given) => {
      const options = { seed: 1, resamples: 20 }
      const same = pairedDifference(
        given.map((one) => ({ ...one, b: one.a })),
        options,
      )
      expect(same.difference).toBe(0)
      expect(same.p ?? 1).toBe(1)
      const ours = pairedDifference(given, options)
      const theirs = pairedDifference(
        given.map(({ a, b, ...rest }) => ({ ...rest, a: b, b: a })),
        options,
      )
      expect(theirs.difference).toBeCloseTo(-(ours.difference ?? 0), 12)
      expect(theirs.p).toBe(ours.p)
    }),
  )
})

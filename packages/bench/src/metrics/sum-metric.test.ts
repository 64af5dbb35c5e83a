import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bootstrapInterval } from './bootstrap-interval.ts'
import { bootstrapSums, sumByCluster, totalOf } from './cluster-sums.ts'
import { measureSums, meanMetric, shareMetric } from './sum-metric.ts'

interface Item {
  readonly person: string
  readonly value: number
}

const items = fc.array(
  fc.record({ person: fc.constantFrom('ana', 'ben', 'cleo', 'dov'), value: fc.integer({ min: 0, max: 9 }) }),
  { minLength: 1, maxLength: 40 },
)
const personOf = ({ person }: Item): string => person

it('sums each cluster and all of them', () => {
  const clusters = sumByCluster(
    [
      { person: 'ana', value: 2 },
      { person: 'ben', value: 5 },
      { person: 'ana', value: 4 },
    ],
    personOf,
    ({ value }) => [value, 1],
  )
  expect(clusters).toEqual([
    [6, 2],
    [5, 1],
  ])
  expect(totalOf(clusters)).toEqual([11, 3])
})

it('gives the interval that pooling every item gives', () => {
  fc.assert(
    fc.property(items, fc.integer({ min: 0, max: 99 }), (given, seed) => {
      const options = { seed, resamples: 50 }
      const pooled = bootstrapInterval(
        [...Map.groupBy(given, personOf).values()],
        (some) => some.reduce((sum, { value }) => sum + value, 0) / some.length,
        options,
      )
      const summed = bootstrapSums(
        sumByCluster(given, personOf, ({ value }) => [value, 1]),
        ([sum = 0, count = 0]) => sum / count,
        options,
      )
      expect(summed.low).toBeCloseTo(pooled.low, 9)
      expect(summed.high).toBeCloseTo(pooled.high, 9)
    }),
  )
})

describe('measureSums', () => {
  it('leaves out what does not bear on the metric, and counts the rest', () => {
    const even = meanMetric<Item>('even', ({ value }) => (value % 2 === 0 ? value : null))
    const { value, count } = measureSums(
      even,
      [
        { person: 'ana', value: 2 },
        { person: 'ben', value: 3 },
        { person: 'ben', value: 6 },
      ],
      { seed: 1 },
    )
    expect(value).toBe(4)
    expect(count).toBe(2)
  })

  it('does not depend on the order of entries, and a share lies between 0 and 1', () => {
    const share = shareMetric<Item>('share', ({ value }) => value > 4)
    fc.assert(
      fc.property(items, (given) => {
        const { value } = measureSums(share, given, { seed: 1, resamples: 1 })
        expect(value).toBeCloseTo(
          measureSums(share, given.toReversed(), { seed: 1, resamples: 1 }).value ?? -1,
          12,
        )
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
      }),
    )
  })
})

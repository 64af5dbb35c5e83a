import { expect, it } from 'vitest'
import { bootstrapInterval } from './bootstrap-interval.ts'

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

it('is the same for the same seed and holds the mean', () => {
  const clusters = [
    [0, 0.2],
    [1, 0.9],
    [0.4, 0.6],
  ]
  const interval = bootstrapInterval(clusters, mean, { seed: 7 })
  expect(interval).toEqual(bootstrapInterval(clusters, mean, { seed: 7 }))
  expect(interval.low).toBeLessThan(mean(clusters.flat()))
  expect(interval.high).toBeGreaterThan(mean(clusters.flat()))
})

it('covers the range of two clusters that disagree', () => {
  expect(bootstrapInterval([[0], [1]], mean, { seed: 1 })).toEqual({ low: 0, high: 1 })
})

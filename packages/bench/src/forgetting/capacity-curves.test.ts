import { describe, expect, it } from 'vitest'
import { areaUnder } from './capacity-curves.ts'

describe('areaUnder', () => {
  it('is the mean height of straight lines between points', () => {
    // from 2 to 4: mean 0.5; from 4 to 8: mean 0.8; (2·0.5 + 4·0.8) / 6 = 0.7
    expect(
      areaUnder([
        [2, 0.4],
        [4, 0.6],
        [8, 1],
      ]),
    ).toBeCloseTo(0.7, 12)
  })

  it('is the height itself of a single point, and nothing of none', () => {
    expect(areaUnder([[5, 0.3]])).toBe(0.3)
    expect(areaUnder([])).toBeNaN()
  })
})

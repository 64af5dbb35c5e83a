import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LUFY_WEIGHTS, lufyStrength, retained, STRENGTH_FLOOR } from './strength.ts'

const NOTHING = { arousal: 0, surprise: 0, importance: 0, first: 0, second: 0 }

describe('lufyStrength', () => {
  it('weighs the five metrics as table 2 of the paper does', () => {
    // 2.76·0.5 − 0.28·0.25 + 0.44·0.75 + 1.02·2 − 0.012·3 = 1.38 − 0.07 + 0.33 + 2.04 − 0.036 = 3.644
    const inputs = { arousal: 0.5, surprise: 0.25, importance: 0.75, first: 2, second: 3 }
    expect(lufyStrength(inputs)).toBeCloseTo(3.644, 12)
  })

  it('weakens what was retrieved second, as the paper says in words', () => {
    const used = { ...NOTHING, arousal: 1 }
    expect(lufyStrength({ ...used, second: 10 })).toBeCloseTo(2.76 - 0.12, 12)
    expect(LUFY_WEIGHTS.second).toBeLessThan(0)
  })

  it('stays at the floor where the sum is zero or negative', () => {
    expect(lufyStrength(NOTHING)).toBe(STRENGTH_FLOOR)
    // −0.28·1 = −0.28, below 0.1
    expect(lufyStrength({ ...NOTHING, surprise: 1 })).toBe(0.1)
  })

  it('counts metrics that are no number as nothing', () => {
    expect(lufyStrength({ ...NOTHING, arousal: Number.NaN, first: 1 })).toBeCloseTo(1.02, 12)
    expect(lufyStrength({ ...NOTHING, surprise: Number.POSITIVE_INFINITY, first: 1 })).toBeCloseTo(1.02, 12)
  })

  it('never falls when a memory is retrieved first once more', () => {
    const unit = fc.double({ min: -5, max: 5, noNaN: true })
    const count = fc.nat(1_000)
    fc.assert(
      fc.property(unit, unit, unit, count, count, (arousal, surprise, importance, first, second) => {
        const inputs = { arousal, surprise, importance, first, second }
        expect(lufyStrength({ ...inputs, first: first + 1 })).toBeGreaterThanOrEqual(lufyStrength(inputs))
        expect(lufyStrength({ ...inputs, second: second + 1 })).toBeLessThanOrEqual(lufyStrength(inputs))
      }),
    )
  })
})

describe('retained', () => {
  it.each([
    // exp(−0/S) = 1; exp(−1/1) = 0.3679; exp(−2/4) = 0.6065; exp(−3/0.1) = 9.4e−14
    [0, 1, 1],
    [1, 1, 0.36788],
    [2, 4, 0.60653],
    [3, 0.1, 9.35762e-14],
  ])('after %d steps at strength %d leaves %d', (elapsed, strength, share) => {
    expect(retained(elapsed, strength)).toBeCloseTo(share, 5)
  })

  it('takes a clock set back as no time at all', () => {
    expect(retained(-5, 1)).toBe(1)
  })
})

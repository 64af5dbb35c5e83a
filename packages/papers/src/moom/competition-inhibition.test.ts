import { describe, expect, it } from 'vitest'
import { competitionInhibition } from './competition-inhibition.ts'
import { makeMemory } from '../../../keepsake/src/memories/memory-fixture.ts'

const valueAt = (round: number, traits: Parameters<typeof makeMemory>[0]): number => {
  const moment = { session: 1, round, now: 0 }
  return competitionInhibition().strengths([makeMemory(traits)], moment)[0]?.value ?? Number.NaN
}

describe('competitionInhibition', () => {
  it.each([
    // age = r_c − b; 0.1 / (e^age + 1 − ε), ε = 1e−6
    [0, 0.05], // 0.1 / (1 + 1 − 1e−6) = 0.05000003
    [1, 0.026894], // 0.1 / (2.71828 + 1)
    [2, 0.01192], // 0.1 / (7.38906 + 1)
    [10, 4.5398e-6], // 0.1 / (22026.5 + 1)
  ])('at age %d, never retrieved, holds with %d', (age, expected) => {
    expect(valueAt(5 + age, { round: 5 })).toBeCloseTo(expected, 6)
  })

  it.each([
    // e^709 is the last that a double holds; from 710 on exp overflows, and the term goes to 0 without a NaN
    [700, 0.1 * Math.exp(-700)],
    [709, 0.1 * Math.exp(-709)],
    [710, 0.1 * Math.exp(-710)],
    [745, 0.1 * Math.exp(-745)],
    [746, 0],
    [10_000, 0],
    [1_000_000, 0],
  ])('at age %d does not overflow', (age, expected) => {
    const value = valueAt(age + 1, { round: 1 })
    expect(value).toBe(expected)
  })

  it('adds 0.9 over the rounds since each retrieval', () => {
    // age 10: 0.1/(e^10 + 1) = 4.54e−6; retrieved 2 and 5 rounds ago: 0.9/2 + 0.9/5 = 0.45 + 0.18 = 0.63
    expect(valueAt(11, { round: 1, use: { rounds: [6, 9] } })).toBeCloseTo(0.63, 5)
  })

  it('holds what was retrieved in this very round above all else, and finitely', () => {
    // 0.9 / ε = 0.9 / 1e−6 = 900,000
    const value = valueAt(3, { round: 1, use: { rounds: [3] } })
    expect(value).toBeCloseTo(900_000, 0)
  })

  it('keeps retrievals at age 10,000', () => {
    // 0 + 0.9 / (10001 − 10000 + 1e−6) = 0.8999991
    expect(valueAt(10_001, { round: 1, use: { rounds: [10_000] } })).toBeCloseTo(0.9, 5)
  })

  it('halves what is suppressed, in the round in which it is only', () => {
    const traits = { id: 'rival', round: 1, use: { rounds: [9] } }
    const suppressed = { ...traits, use: { rounds: [9], secondAt: 11 } }
    expect(valueAt(11, suppressed)).toBeCloseTo(valueAt(11, traits) / 2, 12)
    expect(valueAt(12, suppressed)).toBe(valueAt(12, traits))
  })

  it('says what the strength is made of', () => {
    const moment = { session: 1, round: 11, now: 0 }
    const memories = [11, 10].map((secondAt) => makeMemory({ round: 1, use: { rounds: [9], secondAt } }))
    const [rival, other] = competitionInhibition({ epsilon: 0 }).strengths(memories, moment)
    const parts = { age: 10, retrievals: 1, decay: 0.1 / (Math.exp(10) + 1), reinforcement: 0.45 }
    expect(rival?.parts).toEqual({ ...parts, decay: expect.closeTo(parts.decay, 12), suppressed: 1 })
    expect(other?.parts).toEqual({ ...parts, decay: expect.closeTo(parts.decay, 12), suppressed: 0 })
  })

  it('takes other constants than the paper’s', () => {
    // age 2: 0.4 / (e^(2 · 0.5) + 1 − 0.5) + 0.2 / (2 − 1 + 0.5)
    const policy = competitionInhibition({ alpha: 0.4, beta: 0.2, gamma: 0.5, epsilon: 0.5 })
    const moment = { session: 1, round: 3, now: 0 }
    const [strength] = policy.strengths([makeMemory({ round: 1, use: { rounds: [2] } })], moment)
    expect(strength?.value).toBeCloseTo(0.4 / (Math.E + 0.5) + 0.2 / 1.5, 12)
  })

  it('takes rounds ahead of the current one as the current one', () => {
    expect(valueAt(5, { round: 8 })).toBe(valueAt(5, { round: 5 }))
    expect(valueAt(5, { round: 5, use: { rounds: [7] } })).toBe(
      valueAt(5, { round: 5, use: { rounds: [5] } }),
    )
  })
})

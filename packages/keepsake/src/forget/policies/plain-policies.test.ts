import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstInFirstOut } from './first-in-first-out.ts'
import { makeMemory } from '../../memories/memory-fixture.ts'
import { noForgetting } from './none.ts'
import { randomForgetting } from './random.ts'

const MOMENT = { session: 1, round: 10, now: 0 }

describe('noForgetting', () => {
  it('holds all alike', () => {
    const memories = [makeMemory({ round: 1 }), makeMemory({ round: 9, signals: { importance: 10 } })]
    expect(
      noForgetting()
        .strengths(memories, MOMENT)
        .map((s) => s.value),
    ).toEqual([1, 1])
  })
})

describe('firstInFirstOut', () => {
  it('holds the newer more strongly, whatever was recalled', () => {
    const old = makeMemory({ round: 3, use: { first: 50 } })
    const young = makeMemory({ round: 4 })
    expect(
      firstInFirstOut()
        .strengths([old, young], MOMENT)
        .map((s) => s.value),
    ).toEqual([3, 4])
  })
})

describe('randomForgetting', () => {
  it('draws the same for a memory at every call, and another with another seed', () => {
    const memory = makeMemory({ id: 'a' })
    const draw = (seed: number) => randomForgetting(seed).strengths([memory], MOMENT)[0]?.value
    expect(draw(7)).toBe(draw(7))
    expect(draw(7)).not.toBe(draw(8))
  })

  it('spreads evenly over [0, 1)', () => {
    const memories = Array.from({ length: 10_000 }, (_, i) => makeMemory({ id: `m${i}` }))
    const draws = randomForgetting(1)
      .strengths(memories, MOMENT)
      .map((s) => s.value)
    // The mean of 10,000 even draws has a standard error of 0.0029.
    expect(draws.reduce((a, b) => a + b, 0) / draws.length).toBeCloseTo(0.5, 1)
    for (let tenth = 0; tenth < 10; tenth++) {
      const inside = draws.filter((draw) => Math.floor(draw * 10) === tenth).length
      expect(inside).toBeGreaterThan(850)
      expect(inside).toBeLessThan(1_150)
    }
  })

  it('stays within [0, 1) for any id and seed', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer(), (id, seed) => {
        const value = randomForgetting(seed).strengths([makeMemory({ id })], MOMENT)[0]?.value ?? -1
        expect(value >= 0 && value < 1).toBe(true)
      }),
    )
  })
})

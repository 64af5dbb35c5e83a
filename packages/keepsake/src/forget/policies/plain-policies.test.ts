import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { competitionInhibition, ebbinghaus, lufyForgetting as lufy } from '@keepsake/papers'
import { firstInFirstOut, noForgetting, randomForgetting } from './known-policies.ts'
import type { ForgettingPolicy } from './forgetting-policy.ts'
import { keepsakeForgetting } from './keepsake.ts'
import { makeMemory } from '../../memories/memory-fixture.ts'

const MOMENT = { session: 1, round: 10, now: 0 }

describe('a policy', () => {
  it.each<[ForgettingPolicy, name: string, formula: string]>([
    [noForgetting(), 'none', '1'],
    [firstInFirstOut(), 'first-in-first-out', 'the round in which it was made'],
    [randomForgetting(7), 'random', "a number in [0, 1) drawn from seed 7 and the memory's id"],
    [ebbinghaus(), 'ebbinghaus', 'exp(−Δt/S), Δt in days since last recalled or made, S = 1 + recalls'],
    [
      ebbinghaus({ unit: 'sessions' }),
      'ebbinghaus',
      'exp(−Δt/S), Δt in sessions since last recalled or made, S = 1 + recalls',
    ],
    [lufy(), 'lufy', 'exp(−Δt/S), S = 2.76 A + -0.28 P + 0.44 L + 1.02 R1 + -0.012 R2'],
    [
      competitionInhibition(),
      'competition-inhibition',
      '0.1 / (exp(1·age) + 1 − ε) + 0.9 Σ 1/(rounds since retrieval + ε)',
    ],
    [
      keepsakeForgetting(),
      'keepsake',
      '(L + 0.3 log2(1 + uses) − 0.1 log2(sessions since touched)) · (1 − 0.5 redundancy)',
    ],
  ])('says what it is called and how it reckons: %o', (policy, name, formula) => {
    expect([policy.name, policy.formula]).toEqual([name, formula])
  })
})

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

  it('holds least what was made in no round that there is', () => {
    const rounds = [Number.NaN, Number.POSITIVE_INFINITY].map((round) => makeMemory({ round }))
    expect(firstInFirstOut().strengths(rounds, MOMENT)).toEqual([
      { value: 0, parts: { round: Number.NaN } },
      { value: 0, parts: { round: Number.POSITIVE_INFINITY } },
    ])
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

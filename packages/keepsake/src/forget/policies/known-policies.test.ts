import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeFact, makeMemory } from '../../memories/memory-fixture.ts'
import { fadingFacts, firstInFirstOut, randomForgetting } from './known-policies.ts'

const NOW = 1_000
const MOMENT = { session: 1, round: 1, now: NOW }
const strengthsOf = (...facts: Parameters<typeof makeFact>[0][]): number[] =>
  fadingFacts()
    .strengths(facts.map(makeFact), MOMENT)
    .map(({ value }) => value)

const signals = { arousal: null, surprise: null, importance: 8 }
const use = { first: 0, second: 0, rounds: [], lastSession: 1, lastAt: 0 }
const told = (...turns: string[]) => turns.map((turn) => ({ turn, quote: null }))

describe('the fading of facts', () => {
  it.each([
    // L: the middle of the scale for what holds, one more for whom somebody has to do with, one less for what happened once
    [{ type: 'persona' }, 5.5],
    [{ type: 'relationship' }, 6.5],
    [{ type: 'event' }, 4.5],
    // one less for what is told of others
    [{ type: 'persona', subject: 'Bob' }, 4.5],
    [{ type: 'persona', subject: 'agent' }, 5.5],
    // what a model judged counts, whoever it is of
    [{ type: 'event', subject: 'Bob', signals }, 8],
    // 0.3 log2(1 + 3 uses) = 0.6; told in four turns, three times again
    [{ type: 'persona', use: { ...use, first: 3 } }, 6.1],
    [{ type: 'persona', evidence: told('a', 'b', 'c', 'd', 'd') }, 6.1],
    // half of it once it ended, not before
    [{ type: 'persona', validUntil: NOW }, 2.75],
    [{ type: 'persona', validUntil: NOW + 1 }, 5.5],
  ] as const)('gives %j %d', (traits, expected) => {
    expect(strengthsOf({ use, ...traits })[0]).toBeCloseTo(expected, 12)
  })

  it('weakens by a tenth with each doubling of sessions untouched, and stays above nothing', () => {
    const [old] = fadingFacts().strengths([makeFact({ type: 'persona', use })], { ...MOMENT, session: 8 })
    expect(old?.value).toBeCloseTo(5.5 - 0.3, 12)
    const weak = makeFact({ use, signals: { ...signals, importance: 1 }, validUntil: 0 })
    const [least] = fadingFacts().strengths([weak], { ...MOMENT, session: 5_000_000 })
    expect(least?.value).toBe(0.05)
  })

  it('says the same in pieces', async () => {
    const facts = [
      makeFact({ id: 'a', type: 'event' }),
      makeFact({ id: 'b', type: 'persona', validUntil: 1 }),
    ]
    const policy = fadingFacts()
    expect(await policy.strengthsInPieces?.(facts, MOMENT)).toEqual(policy.strengths(facts, MOMENT))
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

  it('stays within [0, 1) for any id and seed', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer(), (id, seed) => {
        const value = randomForgetting(seed).strengths([makeMemory({ id })], MOMENT)[0]?.value ?? -1
        expect(value >= 0 && value < 1).toBe(true)
      }),
    )
  })
})

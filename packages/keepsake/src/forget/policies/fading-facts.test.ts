import { describe, expect, it } from 'vitest'
import { makeFact } from '../../memories/memory-fixture.ts'
import { fadingFacts } from './fading-facts.ts'

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

import { describe, expect, it } from 'vitest'
import type { Candidate } from '../memories/candidate.ts'
import { makeCandidate, makeFact } from '../memories/memory-fixture.ts'
import type { PastVersion } from '../memories/memory.ts'
import type { KnownFact } from '../facts/fact-lookup.ts'
import { addPastVersion, supersedeFact, type MergeDecision } from './merge-decisions.ts'

function past(value: string, validFrom: number, validUntil: number): PastVersion {
  return { text: `The user lives in ${value}.`, value, validFrom, validUntil, evidence: [] }
}

function lives(value: string, turn: string) {
  const text = `The user lives in ${value}.`
  return { key: 'residence', value, text, evidence: [{ turn, quote: value }] }
}

function known(value: string, validFrom = 100, rest: Partial<KnownFact> = {}): KnownFact {
  return makeFact({ id: 'home', ...lives(value, 't1'), validFrom, ...rest })
}

function told(value: string, validFrom = 200, rest: Partial<Candidate> = {}): Candidate {
  return makeCandidate({ ...lives(value, 't2'), validFrom, label: 'user-confirmed', ...rest })
}

/** What is past of a decision that changes it. */
function pastOf(
  decision: MergeDecision,
): readonly (readonly [value: string | null, from: number, until: number])[] {
  const past = decision.kind === 'modify' ? (decision.change.past ?? []) : []
  return past.map(({ value, validFrom, validUntil }) => [value, validFrom, validUntil])
}

describe('supersedeFact', () => {
  it('takes the key of the statement, else the known key for a bare value', () => {
    const keyOf = (rest: Partial<Candidate>) => {
      const decision = supersedeFact(known('Lyon'), told('Paris', 200, rest))
      return decision.kind === 'modify' ? decision.change.key : undefined
    }
    expect(keyOf({ key: 'birthplace' })).toBe('birthplace')
    expect(keyOf({ key: 'birthplace', value: null })).toBe('birthplace')
    expect(keyOf({ key: null })).toBe('residence')
    expect(keyOf({ key: null, value: null })).toBeNull()
  })
})

describe('addPastVersion', () => {
  it('holds until the next that is known, and makes room for itself', () => {
    const fact = known('Rome', 500, { past: [past('Lyon', 100, 400), past('Paris', 400, 500)] })
    const oslo = { ...past('Oslo', 200, 400), evidence: told('Oslo').evidence }
    expect(addPastVersion(fact, told('Oslo', 200))).toEqual({
      kind: 'modify',
      memory: 'home',
      change: { past: [past('Lyon', 100, 200), oslo, past('Paris', 400, 500)] },
    })
  })
  it('holds until its own end where that comes first', () => {
    const fact = known('Rome', 500, { past: [past('Paris', 400, 500)] })
    const until = (validUntil: number) => pastOf(addPastVersion(fact, told('Oslo', 200, { validUntil })))[0]
    expect([until(300), until(450)]).toEqual([
      ['Oslo', 200, 300],
      ['Oslo', 200, 400],
    ])
  })
  it.each([
    ['ended before', past('Lyon', 100, 150), 'Lyon 100-150, Oslo 200-300'],
    ['ends where it begins', past('Lyon', 100, 200), 'Lyon 100-200, Oslo 200-300'],
    ['begins after it began', past('Lyon', 250, 300), 'Oslo 200-250, Lyon 250-300'],
    ['ends within it', past('Lyon', 100, 250), 'Lyon 100-200, Oslo 200-300'],
    ['ends with it', past('Lyon', 100, 300), 'Lyon 100-200, Oslo 200-300'],
    ['lasts longer', past('Lyon', 100, 400), 'Lyon 100-200, Oslo 200-300, Lyon 300-400'],
    ['begins with it', past('Lyon', 200, 400), 'Lyon 200-200, Oslo 200-300, Lyon 300-400'],
  ])('shortens a version that %s', (_, version, expected) => {
    const fact = known('Rome', 500, { past: [version] })
    const versions = pastOf(addPastVersion(fact, told('Oslo', 200, { validUntil: 300 })))
    expect(versions.map(([value, from, until]) => `${value} ${from}-${until}`).join(', ')).toBe(expected)
  })
  it('is known already when it stands among the past at that time', () => {
    const lyon = past('Lyon', 100, 400)
    const versions = [past('Paris', 10, 50), lyon, past('Nice', 450, 500)]
    const fact = known('Rome', 500, { past: versions })
    const isKnown = { kind: 'confirm', memory: 'home', evidence: [] }
    expect(addPastVersion(fact, told('Lyon', 200))).toEqual(isKnown)
    expect(addPastVersion(fact, told('Lyon', 50, { validUntil: 100 }))).toEqual(isKnown)
    expect(addPastVersion(fact, told('Lyon', 400, { validUntil: 420 }))).toEqual(isKnown)
    expect(addPastVersion(fact, told('Lyon', 50, { validUntil: 99 })).kind).toBe('modify')
    expect(addPastVersion(fact, told('Lyon', 401, { validUntil: 420 })).kind).toBe('modify')
    expect(addPastVersion(fact, told('Oslo', 200)).kind).toBe('modify')
  })
})

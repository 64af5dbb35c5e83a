import { describe, expect, it } from 'vitest'
import type { Candidate } from '../memories/candidate.ts'
import type { PastVersion } from '../memories/memory.ts'
import type { KnownFact } from './known-facts.ts'
import { end, keepAsPast, knownAlready, refine, repeat, replace } from './merge-verbs.ts'

function past(value: string, validFrom: number, validUntil: number): PastVersion {
  return { text: `The user lives in ${value}.`, value, validFrom, validUntil, evidence: [] }
}

function known(value: string, validFrom = 100, rest: Partial<KnownFact> = {}): KnownFact {
  return {
    id: 'home',
    subject: 'user',
    key: 'residence',
    value,
    text: `The user lives in ${value}.`,
    evidence: [{ turn: 't1', quote: value }],
    past: [],
    validFrom,
    validUntil: null,
    pinned: false,
    ...rest,
  }
}

function told(value: string, validFrom = 200, rest: Partial<Candidate> = {}): Candidate {
  return {
    form: 'fact',
    type: 'persona',
    subject: 'user',
    text: `The user lives in ${value}.`,
    key: 'residence',
    value,
    level: 0,
    evidence: [{ turn: 't2', quote: value }],
    validFrom,
    validUntil: null,
    signals: { arousal: null, surprise: null, importance: null },
    label: 'user-confirmed',
    ...rest,
  }
}

describe('a statement that takes the place of another', () => {
  it('is whoever told it, and keeps what was so until then', () => {
    expect(replace(known('Lyon'), told('Paris'))).toMatchObject({
      change: {
        value: 'Paris',
        validFrom: 200,
        label: 'user-confirmed',
        past: [{ value: 'Lyon', validFrom: 100, validUntil: 200 }],
      },
    })
  })
  it('is whoever told it also when it is only more exact, and holds from when the known one did', () => {
    const decision = refine(known('Lyon'), told('Lyon, France'))
    expect(decision).toMatchObject({
      change: { value: 'Lyon, France', label: 'user-confirmed', evidence: [{ turn: 't1' }, { turn: 't2' }] },
    })
    expect(decision).not.toHaveProperty('change.validFrom')
  })
  it('leaves the sheet when it has neither key nor value, and keeps the key of a bare value', () => {
    expect(replace(known('Lyon'), told('Paris', 200, { key: null, value: null }))).toMatchObject({
      change: { key: null, value: null },
    })
    expect(replace(known('Lyon'), told('Paris', 200, { key: null }))).toMatchObject({
      change: { key: 'residence' },
    })
  })
})

describe('a statement told late', () => {
  it('holds until the next that is known, and makes room for itself', () => {
    const fact = known('Rome', 500, { past: [past('Lyon', 100, 400), past('Paris', 400, 500)] })
    expect(keepAsPast(fact, told('Oslo', 200))).toMatchObject({
      change: {
        past: [
          past('Lyon', 100, 200),
          { value: 'Oslo', validFrom: 200, validUntil: 400 },
          past('Paris', 400, 500),
        ],
      },
    })
  })
  it('is known already when it stands among the past', () => {
    const fact = known('Rome', 500, { past: [past('Lyon', 100, 400)] })
    expect(keepAsPast(fact, told('Lyon', 200))).toEqual({
      kind: 'none',
      memory: 'home',
      evidence: [],
      why: 'known already, as past',
    })
  })
})

describe('the same said again', () => {
  it('is more evidence, each piece once', () => {
    const again = [
      { turn: 't1', quote: 'Lyon' },
      { turn: 't3', quote: null },
      { turn: 't3', quote: null },
    ]
    expect(knownAlready(known('Lyon'), again)).toMatchObject({ evidence: [{ turn: 't3', quote: null }] })
  })
  it('ends what it says is over, and begins anew what was over', () => {
    expect(repeat(known('Lyon'), told('Lyon', 200, { validUntil: 300 }))).toMatchObject({
      kind: 'modify',
      change: { validUntil: 300 },
    })
    expect(repeat(known('Lyon', 100, { validUntil: 150 }), told('Lyon', 200))).toMatchObject({
      kind: 'modify',
      change: {
        validFrom: 200,
        validUntil: null,
        past: [{ value: 'Lyon', validFrom: 100, validUntil: 150 }],
      },
    })
  })
})

describe('an end', () => {
  it('is not before the beginning, nor twice', () => {
    expect(end(known('Lyon', 100), 50, [])).toMatchObject({ kind: 'none' })
    expect(end(known('Lyon', 100, { validUntil: 120 }), 300, [])).toMatchObject({ kind: 'none' })
    expect(end(known('Lyon', 100), 300, [])).toMatchObject({ kind: 'modify', change: { validUntil: 300 } })
  })
})

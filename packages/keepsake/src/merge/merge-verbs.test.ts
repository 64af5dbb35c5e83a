import { describe, expect, it } from 'vitest'
import type { Candidate } from '../memories/candidate.ts'
import { makeCandidate, makeFact } from '../memories/memory-fixture.ts'
import type { PastVersion } from '../memories/memory.ts'
import type { KnownFact } from '../facts/fact-lookup.ts'
import type { MergeDecision } from './known-facts.ts'
import { append, drop, end, keepAsPast, knownAlready, refine, repeat, replace } from './merge-verbs.ts'

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

describe('a statement that stands beside what is known', () => {
  it('is added under its ref', () => {
    const candidate = told('Paris')
    expect(append('new:3', candidate, 'new')).toEqual({ kind: 'add', ref: 'new:3', candidate, why: 'new' })
  })
})

describe('a statement that takes the place of another', () => {
  it('is whoever told it, and keeps what was so until then', () => {
    const fact = known('Lyon', 100, { past: [past('Rome', 10, 100)] })
    const { text, key, value, evidence } = told('Paris')
    expect(replace(fact, told('Paris'))).toEqual({
      kind: 'modify',
      memory: 'home',
      change: {
        label: 'user-confirmed',
        text,
        key,
        value,
        evidence,
        validFrom: 200,
        validUntil: null,
        past: [past('Rome', 10, 100), { ...past('Lyon', 100, 200), evidence: fact.evidence }],
      },
      why: 'something else is so now',
    })
  })
  it('keeps the label that was known when it has none', () => {
    const { label: _label, ...unlabelled } = told('Paris')
    expect(replace(known('Lyon'), unlabelled)).not.toHaveProperty('change.label')
    expect(refine(known('Lyon'), unlabelled)).not.toHaveProperty('change.label')
  })
  it('leaves what was so its own end where that was earlier', () => {
    const until = (validUntil: number) =>
      pastOf(replace(known('Lyon', 100, { validUntil }), told('Paris', 200)))
    expect([until(150), until(250)]).toEqual([[['Lyon', 100, 150]], [['Lyon', 100, 200]]])
  })
  it('says why, where it is told', () => {
    expect(replace(known('Lyon'), told('Paris'), 'it was merged').why).toBe('it was merged')
  })
  it('is whoever told it also when it is only more exact, and holds from when the known one did', () => {
    const fact = known('Lyon')
    const { text, value, evidence } = told('Lyon, France')
    expect(refine(fact, told('Lyon, France'))).toEqual({
      kind: 'modify',
      memory: 'home',
      change: { label: 'user-confirmed', text, value, evidence: [...fact.evidence, ...evidence] },
      why: 'said more exactly',
    })
  })
  it('goes under its own key, else the memory’s for a bare value, and leaves the sheet with neither', () => {
    const keyOf = (rest: Partial<Candidate>) => {
      const decision = replace(known('Lyon'), told('Paris', 200, rest))
      return decision.kind === 'modify' ? decision.change.key : undefined
    }
    expect(keyOf({ key: 'birthplace' })).toBe('birthplace')
    expect(keyOf({ key: 'birthplace', value: null })).toBe('birthplace')
    expect(keyOf({ key: null })).toBe('residence')
    expect(keyOf({ key: null, value: null })).toBeNull()
  })
})

describe('a statement told late', () => {
  it('holds until the next that is known, and makes room for itself', () => {
    const fact = known('Rome', 500, { past: [past('Lyon', 100, 400), past('Paris', 400, 500)] })
    const oslo = { ...past('Oslo', 200, 400), evidence: told('Oslo').evidence }
    expect(keepAsPast(fact, told('Oslo', 200))).toEqual({
      kind: 'modify',
      memory: 'home',
      change: { past: [past('Lyon', 100, 200), oslo, past('Paris', 400, 500)] },
      why: 'stated late; something newer is known',
    })
  })
  it('holds until what is so now where nothing else is known between', () => {
    expect(pastOf(keepAsPast(known('Rome', 500), told('Oslo', 200)))).toEqual([['Oslo', 200, 500]])
  })
  it('holds until its own end where that comes first', () => {
    const fact = known('Rome', 500, { past: [past('Paris', 400, 500)] })
    const until = (validUntil: number) => pastOf(keepAsPast(fact, told('Oslo', 200, { validUntil })))[0]
    expect([until(300), until(450)]).toEqual([
      ['Oslo', 200, 300],
      ['Oslo', 200, 400],
    ])
  })
  it.each([
    [
      'ended before',
      past('Lyon', 100, 150),
      [
        ['Lyon', 100, 150],
        ['Oslo', 200, 300],
      ],
    ],
    [
      'ends where it begins',
      past('Lyon', 100, 200),
      [
        ['Lyon', 100, 200],
        ['Oslo', 200, 300],
      ],
    ],
    [
      'begins after it began',
      past('Lyon', 250, 300),
      [
        ['Oslo', 200, 250],
        ['Lyon', 250, 300],
      ],
    ],
    [
      'ends within it',
      past('Lyon', 100, 250),
      [
        ['Lyon', 100, 200],
        ['Oslo', 200, 300],
      ],
    ],
    [
      'ends with it',
      past('Lyon', 100, 300),
      [
        ['Lyon', 100, 200],
        ['Oslo', 200, 300],
      ],
    ],
    [
      'lasts longer',
      past('Lyon', 100, 400),
      [
        ['Lyon', 100, 200],
        ['Oslo', 200, 300],
        ['Lyon', 300, 400],
      ],
    ],
    [
      'begins with it',
      past('Lyon', 200, 400),
      [
        ['Lyon', 200, 200],
        ['Oslo', 200, 300],
        ['Lyon', 300, 400],
      ],
    ],
  ])('meets a version that %s', (_, version, expected) => {
    const fact = known('Rome', 500, { past: [version] })
    expect(pastOf(keepAsPast(fact, told('Oslo', 200, { validUntil: 300 })))).toEqual(expected)
  })
  it('keeps the evidence of what makes room', () => {
    const lyon = { ...past('Lyon', 100, 400), evidence: [{ turn: 't0', quote: 'Lyon' }] }
    const fact = known('Rome', 500, { past: [lyon] })
    expect(keepAsPast(fact, told('Oslo', 200, { validUntil: 300 }))).toMatchObject({
      change: { past: [{ ...lyon, validUntil: 200 }, { value: 'Oslo' }, { ...lyon, validFrom: 300 }] },
    })
  })
  it('is known already when it stands among the past at that time', () => {
    const lyon = past('Lyon', 100, 400)
    const versions = [past('Paris', 10, 50), lyon, past('Nice', 450, 500)]
    const fact = known('Rome', 500, { past: versions })
    const isKnown = { kind: 'none', memory: 'home', evidence: [], why: 'known already, as past' }
    expect(keepAsPast(fact, told('Lyon', 200))).toEqual(isKnown)
    expect(keepAsPast(fact, told('Lyon', 50, { validUntil: 100 }))).toEqual(isKnown)
    expect(keepAsPast(fact, told('Lyon', 400, { validUntil: 420 }))).toEqual(isKnown)
    expect(keepAsPast(fact, told('Lyon', 50, { validUntil: 99 })).kind).toBe('modify')
    expect(keepAsPast(fact, told('Lyon', 401, { validUntil: 420 })).kind).toBe('modify')
    expect(keepAsPast(fact, told('Oslo', 200)).kind).toBe('modify')
  })
})

describe('the same said again', () => {
  const again = [
    { turn: 't1', quote: 'Lyon' },
    { turn: 't3', quote: null },
    { turn: 't3', quote: null },
  ]

  it('is more evidence, each piece once', () => {
    expect(knownAlready(known('Lyon'), again)).toEqual({
      kind: 'none',
      memory: 'home',
      evidence: [{ turn: 't3', quote: null }],
      why: 'known already',
    })
    expect(knownAlready(known('Lyon'), [], 'for a reason').why).toBe('for a reason')
  })
  it('ends what it says is over', () => {
    expect(repeat(known('Lyon'), told('Lyon', 200, { validUntil: 300 }))).toMatchObject({
      change: { validUntil: 300, evidence: [{ turn: 't1' }, { turn: 't2' }] },
      why: 'no longer so',
    })
  })
  it('is no change while it is so, whenever it is told', () => {
    for (const validFrom of [50, 100, 200])
      expect(repeat(known('Lyon'), told('Lyon', validFrom))).toMatchObject({ kind: 'none' })
  })
  it('begins anew what was over, from its end on', () => {
    const over = known('Lyon', 100, { validUntil: 150 })
    expect(repeat(over, told('Lyon', 149))).toMatchObject({ kind: 'none', evidence: [{ turn: 't2' }] })
    for (const validFrom of [150, 200]) {
      const decision = repeat(over, told('Lyon', validFrom))
      expect(decision).toMatchObject({ kind: 'modify', change: { validFrom, validUntil: null } })
      expect(pastOf(decision)).toEqual([['Lyon', 100, 150]])
    }
  })
})

describe('an end', () => {
  const heard = [{ turn: 't3', quote: 'no more' }]

  it('is noted with the words that told it', () => {
    const evidence = [{ turn: 't1', quote: 'Lyon' }, ...heard]
    expect(end(known('Lyon', 100), 300, heard)).toEqual({
      kind: 'modify',
      memory: 'home',
      change: { validUntil: 300, evidence },
      why: 'no longer so',
    })
    expect(end(known('Lyon', 100), 100, heard, { why: 'stated as over' })).toMatchObject({
      change: { validUntil: 100 },
      why: 'stated as over',
    })
  })
  it('is not before the beginning', () => {
    expect(end(known('Lyon', 100), 99, heard)).toEqual({
      kind: 'none',
      memory: 'home',
      evidence: [],
      why: 'what is known of it began later',
    })
  })
  it('is not twice; what tells it again is evidence', () => {
    expect(end(known('Lyon', 100, { validUntil: 120 }), 300, heard)).toEqual({
      kind: 'none',
      memory: 'home',
      evidence: heard,
      why: 'known already',
    })
  })
})

describe('what goes', () => {
  it('goes with its end, and with the words that asked for it where somebody did', () => {
    const gone = { kind: 'delete', memory: 'home', validUntil: 300, asked: null, why: 'so it is' }
    expect(drop(known('Lyon'), 300, 'so it is')).toEqual(gone)
    const asked = [{ turn: 't3', quote: 'forget it' }]
    expect(drop(known('Lyon'), 300, 'so it is', asked)).toEqual({ ...gone, asked })
  })
})

import { describe, expect, it } from 'vitest'
import type { Candidate, ProposedOperation } from './candidate.ts'
import { checkOperation, type DeleteProposal, type ModifyProposal } from './check-operation.ts'
import type { Evidence } from './evidence.ts'
import { makeCandidate, makeFact } from './memory-fixture.ts'
import type { Memory } from './memory.ts'

const LYON = makeFact({ id: 'lyon' })
const HEARD: readonly Evidence[] = [{ turn: 't9', quote: 'so it is' }]
/** The farthest point in time that a `Date` can hold. */
const FARTHEST = 8.64e15

const add = (traits: Partial<Candidate> = {}): ProposedOperation => ({
  kind: 'add',
  candidate: makeCandidate(traits),
})
const modify = (traits: Partial<Candidate> = {}, index = 1): ModifyProposal => ({
  kind: 'modify',
  index,
  candidate: makeCandidate(traits),
})
const remove = (why: DeleteProposal['why'], traits: Partial<DeleteProposal> = {}): DeleteProposal => ({
  kind: 'delete',
  index: 1,
  why,
  at: 300,
  evidence: HEARD,
  ...traits,
})

/** What checking makes of what is stated; the reason where it is refused. */
function stated(traits: Partial<Candidate>): Candidate | string {
  const checked = checkOperation(add(traits), [])
  return typeof checked === 'string' ? checked : checked.kind === 'add' ? checked.candidate : 'no statement'
}

describe('a number', () => {
  it.each([0, -1, 3, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e308])(
    'of %d of 2 names nothing',
    (index) => {
      for (const operation of [modify({}, index), remove('asked', { index })])
        expect(checkOperation(operation, [LYON, LYON])).toBe('it names a memory that was not shown')
    },
  )

  it.each(['deleted', 'forgotten', 'quarantined', 'erased'] as const)(
    'of a memory that is %s is refused',
    (status) => {
      for (const operation of [modify(), remove('asked'), remove('no-longer-so')])
        expect(checkOperation(operation, [{ ...LYON, status }])).toBe(
          'it names a memory that is not live any more',
        )
    },
  )
})

describe('a statement', () => {
  it.each(['', '  \n', '\u0000\u0007', '\u200b\ufeff', '\u2028'])('that is %j is refused', (text) => {
    expect(stated({ text })).toBe('it states nothing')
    expect(checkOperation(modify({ text }), [LYON])).toBe('it states nothing')
  })

  it('must say of whom it is', () => {
    expect([stated({ subject: '' }), stated({ subject: ' \t' })]).toEqual([
      'it does not say whom it is about',
      'it does not say whom it is about',
    ])
  })

  it('must hold at a time that there is', () => {
    const times = [Number.NaN, Number.POSITIVE_INFINITY, FARTHEST + 1, -FARTHEST - 1]
    for (const time of times) {
      expect(stated({ validFrom: time })).toBe('it holds at no time')
      expect(stated({ validFrom: -FARTHEST, validUntil: time })).toBe('it holds at no time')
    }
    for (const validFrom of [FARTHEST, -FARTHEST, 0])
      expect(stated({ validFrom })).toMatchObject({ validFrom })
  })

  it('must not end before it begins', () => {
    expect(stated({ validFrom: 200, validUntil: 199 })).toBe('it ends before it begins')
    expect(stated({ validFrom: 200, validUntil: 200 })).toMatchObject({ validUntil: 200 })
  })

  it.each([
    [{ turn: '', quote: null }],
    [{ turn: '\ud800', quote: null }],
    [{ turn: 't1', quote: '\udfff' }],
  ])('is refused with %j, which no turn can hold', (evidence) => {
    expect(stated({ evidence: [...HEARD, evidence] })).toBe('its evidence is no text of a turn')
  })

  it('is mended: one line of well-formed Unicode, and no value that is empty', () => {
    const given = makeCandidate({
      text: ' The user\u0000\n\u2028sings \ud800!\u2029',
      subject: '\tuser ',
      key: 'hobbies\u0007',
      value: ' singing\n',
      validFrom: -0,
      validUntil: 5.7,
    })
    const mended = {
      ...given,
      text: 'The user sings \ufffd!',
      subject: 'user',
      key: 'hobbies',
      value: 'singing',
      validFrom: 0,
      validUntil: 5,
    }
    expect(stated(given)).toEqual(mended)
    expect(stated({ value: ' \u0000' })).toMatchObject({ value: null, key: null })
  })
})

describe('modify', () => {
  it('changes the memory it names to the mended statement', () => {
    const proposed = modify({ text: ' The user sings.\n' })
    expect(checkOperation(proposed, [LYON])).toEqual({
      kind: 'modify',
      proposed,
      candidate: { ...proposed.candidate, text: 'The user sings.' },
      target: LYON,
    })
  })

  it.each<[Partial<Memory>, string]>([
    [{ pinned: true }, 'it would change a pinned memory'],
    [{ form: 'summary' }, 'it names a memory that is no plain statement'],
    [{ form: 'utterance', pinned: true }, 'it names a memory that is no plain statement'],
  ])('leaves one that is %j', (traits, reason) => {
    expect(checkOperation(modify(), [{ ...LYON, ...traits }])).toBe(reason)
  })
})

describe('delete', () => {
  it('needs evidence that a turn can hold, why ever it is proposed', () => {
    for (const why of ['asked', 'no-longer-so'] as const) {
      expect(checkOperation(remove(why, { evidence: [] }), [LYON])).toBe(
        'it deletes a memory and gives no evidence',
      )
      expect(checkOperation(remove(why, { evidence: [...HEARD, { turn: '', quote: null }] }), [LYON])).toBe(
        'its evidence is no text of a turn',
      )
    }
  })

  it('tells since when in whole milliseconds', () => {
    const proposed = remove('no-longer-so', { at: 300.9 })
    expect(checkOperation(proposed, [LYON])).toEqual({ kind: 'delete', proposed, target: LYON, at: 300 })
    expect(checkOperation(remove('asked', { at: -0.5 }), [LYON])).toMatchObject({ at: 0 })
  })

  it('does not fail a wish to drop something for a date that was not understood', () => {
    expect(checkOperation(remove('asked', { at: Number.NaN }), [LYON])).toMatchObject({ at: null })
    expect(checkOperation(remove('no-longer-so', { at: Number.NaN }), [LYON])).toBe(
      'it says since when something is over, and that is no time',
    )
  })

  it.each<[Partial<Memory>, string]>([
    [{ pinned: true }, 'it would change a pinned memory'],
    [{ form: 'story' }, 'it names a memory that is no plain statement'],
  ])('of one that is %j needs the user’s asking', (traits, reason) => {
    const shown = [{ ...LYON, ...traits }]
    expect(checkOperation(remove('no-longer-so'), shown)).toBe(reason)
    expect(checkOperation(remove('asked'), shown)).toMatchObject({ kind: 'delete', at: 300 })
  })
})

import { describe, expect, it } from 'vitest'
import { makeFact } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import { keyTable } from '@keepsake/text'
import { buildPersonaSheet } from './persona-sheet.ts'

function fact(id: string, key: string | null, value: string, rest: Partial<Memory> = {}): Memory {
  const text = `The user: ${value}.`
  return makeFact({ id, key, value, text, evidence: [{ turn: `t-${id}`, quote: value }], round: 4, ...rest })
}

describe('buildPersonaSheet', () => {
  const table = keyTable()

  it('groups by subject and key, the user first, keys in the table’s order', () => {
    const facts = [
      fact('1', 'likes', 'jazz'),
      fact('2', 'age', '7', { subject: 'Anna' }),
      fact('3', 'name', 'Tom'),
      fact('4', 'occupation', 'guard', { subject: 'agent' }),
    ]
    const { subjects } = buildPersonaSheet(facts, table, { now: 200 })
    expect(subjects.map((one) => one.subject)).toEqual(['user', 'Anna', 'agent'])
    expect(subjects[0]?.entries.map((entry) => entry.key.id)).toEqual(['name', 'likes'])
  })

  it('shows what holds before what does not, newest first, with an age that grows', () => {
    const facts = [
      fact('1', 'residence', 'Lyon', { validFrom: 100, validUntil: 300 }),
      fact('2', 'residence', 'Paris', { validFrom: 300 }),
    ]
    const values = (now: number) =>
      buildPersonaSheet(facts, table, { now, roundOf: () => 10 }).subjects[0]?.entries[0]?.values
    expect(values(500)).toMatchObject([
      { value: 'Paris', validUntil: null, ageMs: 200, ageRounds: 6 },
      { value: 'Lyon', validUntil: 300, ageMs: 400 },
    ])
    expect(values(900)?.map((one) => one.ageMs)).toEqual([600, 800])
  })

  it('shows a replaced value as past, with its own evidence', () => {
    const past = [
      {
        text: 'The user: 34.',
        value: '34',
        validFrom: 50,
        validUntil: 100,
        evidence: [{ turn: 'old', quote: null }],
      },
    ]
    const [entry] =
      buildPersonaSheet([fact('1', 'age', '35', { past })], table, { now: 200, roundOf: () => 10 })
        .subjects[0]?.entries ?? []
    expect(entry?.values).toMatchObject([
      { value: '35', isPast: false, ageRounds: 6 },
      { value: '34', isPast: true, ageMs: 150, ageRounds: null, evidence: [{ turn: 'old' }] },
    ])
  })

  it('leaves out what is not live, no fact, or under no key', () => {
    const facts = [
      fact('1', 'likes', 'jazz', { status: 'deleted' }),
      fact('2', 'likes', 'blues', { status: 'quarantined' }),
      fact('3', null, 'x'),
    ]
    expect(buildPersonaSheet(facts, table, { now: 200 }).subjects).toEqual([])
  })

  it('shows keys that are in no table behind those that are', () => {
    const facts = [fact('1', 'shoe size', '44'), fact('2', 'age', '35')]
    const [user] = buildPersonaSheet(facts, table, { now: 200 }).subjects
    expect(user?.entries.map(({ key, values }) => [key.id, key.names.en, values[0]?.value])).toEqual([
      ['age', ['age'], '35'],
      ['shoe size', ['shoe size'], '44'],
    ])
  })
})

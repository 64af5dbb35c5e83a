import { describe, expect, it } from 'vitest'
import { InvalidInputError, type ScopedMemory, type TurnInput } from 'keepsake'
import { openForTest, stoppedClock } from './open-for-test.ts'

const USER = { role: 'user', text: 'I live in Lyon.' } as const
const clock = stoppedClock('2026-03-05T12:00:00Z')

async function ana(): Promise<ScopedMemory> {
  return (await openForTest({ now: clock.now })).scope({ user: 'ana' })
}

describe('a turn', () => {
  it.each<[Partial<TurnInput>, string]>([
    [{ at: '9999-12-31T00:00:00Z' }, 'turn.at is 9999-12-31T00:00:00.000Z, which lies more than a day ahead'],
    [
      { at: Date.parse('2026-03-07T00:00:00Z') },
      'turn.at is 2026-03-07T00:00:00.000Z, which lies more than a day ahead',
    ],
    [{ at: '1066-10-14T00:00:00Z' }, 'turn.at is 1066-10-14T00:00:00.000Z, which is before 1900'],
    [{ at: 8.64e18 }, 'turn.at must be a Date'],
    [{ at: Number.NaN }, 'turn.at must be a Date'],
    [
      { at: 1_772_000_000 },
      'turn.at is 1772000000, which looks like seconds since 1970: milliseconds are meant. Multiply it by 1,000.',
    ],
    [{ at: '2026-02-31' }, 'turn.at cannot be: no calendar has the day 2026-02-31.'],
    [{ at: '2025-02-29T10:00:00Z' }, 'turn.at cannot be: no calendar has the day 2025-02-29.'],
    [{ timeZone: 'Mars/Olympus' }, 'turn.timeZone is not a time zone this Node knows'],
    [{ id: 'a\ud800' }, 'turn.id holds half of a character'],
    [{ text: 'x'.repeat(4_000_001) }, 'turn.text is 4000001 characters long; at most 4000000 are taken'],
  ])('that nobody can have said so is refused, with field and reason: %j', async (wrong, message) => {
    const memory = await ana()
    await expect(memory.remember({ ...USER, ...wrong })).rejects.toThrow(message)
    expect(await memory.turns()).toEqual([])
  })

  it('of tomorrow is taken: clocks and zones differ', async () => {
    const memory = await ana()
    await memory.remember({ ...USER, at: '2026-03-06T11:00:00Z' })
    expect(await memory.turns()).toHaveLength(1)
  })
})

it('a note is held to the same', async () => {
  await expect((await ana()).note('x', { at: '9999-12-31' })).rejects.toThrow('at is 9999-12-31')
})

it('a moment of asking is held to the calendar too', async () => {
  const memory = await ana()
  await expect(memory.recall('Where?', { now: '2026-04-31' })).rejects.toThrow(
    'no calendar has the day 2026-04-31',
  )
  await expect(memory.recall('Where?', { asOf: 1_772_000_000 })).rejects.toThrow(
    'looks like seconds since 1970',
  )
})

it('ids that differ in half a character are not taken for one', async () => {
  const memory = await ana()
  for (const id of ['a\ud800', 'a\ud801'])
    await expect(memory.remember({ ...USER, id })).rejects.toThrow(InvalidInputError)
  const keepsake = await openForTest()
  expect(() => keepsake.scope({ user: 'a\ud800' })).toThrow('scope.user holds half of a character')
})

describe('an import', () => {
  async function exported(): Promise<string[]> {
    const memory = await ana()
    await memory.remember({ ...USER, id: 't1', timeZone: 'Europe/Paris' })
    await memory.drain()
    return Array.fromAsync(memory.export())
  }
  const change = (lines: readonly string[], row: string, fields: object): string[] =>
    lines.map((line) => {
      const value = JSON.parse(line) as { row: string }
      return value.row === row ? JSON.stringify({ ...value, ...fields }) : line
    })

  it.each<[string, object, RegExp]>([
    [
      'turn',
      { position: 1e15 },
      /"position" in line \d+ of the import is 1000000000000000, but must be from 0 to/,
    ],
    [
      'turn',
      { at: 8.64e18 },
      /"at" in line \d+ of the import is 8640000000000000000, which is no time of the calendar/,
    ],
    ['turn', { at: Date.parse('9999-12-31') }, /"at" in line \d+ .* more than a day ahead/],
    ['session', { lastAt: Date.parse('9999-12-31') }, /"lastAt" in line \d+ .* more than a day ahead/],
    ['turn', { timeZone: 'Mars/Olympus' }, /"timeZone" in line \d+ of the import is not a time zone/],
    ['turn', { id: 'a\ud800' }, /"id" in line \d+ of the import holds half of a character/],
    ['keepsake-export', { user: '' }, /"user" in line 1 of the import is empty/],
    [
      'keepsake-export',
      { user: 'x'.repeat(5_000) },
      /"user" in line 1 of the import is 5000 characters long/,
    ],
    ['keepsake-export', { user: 'a\ud800' }, /"user" in line 1 of the import holds half of a character/],
  ])('of a %s with %j is refused, by line and field, and leaves nothing', async (row, fields, message) => {
    const lines = change(await exported(), row, fields)
    const other = await openForTest({ now: clock.now })
    await expect(other.import(lines)).rejects.toThrow(message)
    expect(await other.scopes()).toEqual([])
  })

  it('of an own export comes back as it was', async () => {
    const lines = await exported()
    const other = await openForTest({ now: clock.now })
    await other.import(lines)
    expect(await Array.fromAsync(other.scope({ user: 'ana' }).export())).toEqual(lines)
  })
})

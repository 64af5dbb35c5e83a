import { describe, expect, it } from 'vitest'
import { readDate } from './read-date.ts'

const iso = (text: string, zone: string | null): string[] | null => {
  const span = readDate(text, zone)
  return span === null ? null : [span.from, span.to].map((at) => new Date(at).toISOString())
}

describe('readDate', () => {
  it.each([
    ['2026', '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2026-12', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2026-02-28', '2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['2026年3月5日', '2026-03-05T00:00:00.000Z', '2026-03-06T00:00:00.000Z'],
    ['2026年3月', '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
    ['2026-03-05T21:10', '2026-03-05T21:10:00.000Z', '2026-03-05T21:11:00.000Z'],
  ])('reads %s as a span', (text, from, to) => {
    expect(iso(text, null)).toEqual([from, to])
  })

  it('reads it on the speaker’s clock, changes of the clock included', () => {
    expect(iso('2026-03-05', 'Asia/Shanghai')).toEqual([
      '2026-03-04T16:00:00.000Z',
      '2026-03-05T16:00:00.000Z',
    ])
    expect(iso('2026-03-29', 'Europe/Paris')).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
  })

  it.each(['2026-02-30', '2026-13', 'last Friday', '', '26-03-05', '2026-03-05T25:00', '12', 'null'])(
    'refuses %j',
    (text) => {
      expect(readDate(text, null)).toBeNull()
    },
  )
})

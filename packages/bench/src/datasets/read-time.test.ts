import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTime } from './read-time.ts'

const NAMED = 'Dec 15, 2025, 08:41:23'
const SLASHED = '2023/05/20 (Sat) 02:21'
const SPOKEN = '1:56 pm on 8 May, 2023'
const ISO = '2026-01-05T09:00:00Z'

describe('times in published files', () => {
  it('reads each form', () => {
    expect(readTime('Dec 15, 2025, 08:41:23', NAMED)).toBe(Date.UTC(2025, 11, 15, 8, 41, 23))
    expect(readTime('2023/05/20 (Sat) 02:21', SLASHED)).toBe(Date.UTC(2023, 4, 20, 2, 21))
    expect(readTime('2023/05/20', SLASHED)).toBe(Date.UTC(2023, 4, 20))
    expect(readTime('1:56 pm on 8 May, 2023', SPOKEN)).toBe(Date.UTC(2023, 4, 8, 13, 56))
    expect(readTime('12:05 am on 3 March, 2024', SPOKEN)).toBe(Date.UTC(2024, 2, 3, 0, 5))
    expect(readTime('2026-01-05T09:00:00+02:00', ISO)).toBe(Date.UTC(2026, 0, 5, 7))
    expect(readTime('2026-01-05T09:00:00', ISO)).toBe(Date.UTC(2026, 0, 5, 9))
  })

  it.each(['', 'Dec 15, 2025', 'Foo 15, 2025, 08:41:23', 'Feb 30, 2025, 08:41:23', 'Feb 3, 2025, 25:00:00'])(
    'tells that “%s” is none',
    (text) => expect(readTime(text, NAMED)).toBeNull(),
  )

  it.each(['5 January', '2026-13-01T00:00:00Z', '12'])('tells that “%s” is none', (text) =>
    expect(readTime(text, ISO)).toBeNull(),
  )

  it('reads back what it would be written as', () => {
    const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
    const two = (n: number): string => String(n).padStart(2, '0')
    const seconds = fc.integer({ min: 0, max: 4_000_000_000 })
    fc.assert(
      fc.property(seconds, (second) => {
        const date = new Date(second * 1_000)
        const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`
        const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
        const named = `${months[month] ?? ''} ${two(day)}, ${year}, ${time}:${two(date.getUTCSeconds())}`
        expect(readTime(named, NAMED)).toBe(second * 1_000)
        const slashed = `${year}/${two(month + 1)}/${two(day)} (Mon) ${time}`
        expect(readTime(slashed, SLASHED)).toBe(Math.floor(second / 60) * 60_000)
      }),
    )
  })
})

import { expect, test } from 'vitest'
import { dateOrTime } from './read-values.ts'

test('a day, a month and a time stand as they are; words are refused', () => {
  for (const value of ['2026', '2026-03', '2026-03-31', '2026-03-31T18:00:00Z'])
    expect(dateOrTime(value)).toBe(value)
  for (const value of ['tomorrow', '2026-13', '31.3.2026', ''])
    expect(() => dateOrTime(value)).toThrow('It must be a day, month or year such as 2026-03-31')
})

import { describe, expect, it } from 'vitest'
import { makeFact } from '../memories/memory-fixture.ts'
import { isDuePlan } from './compare-unshown.ts'

const day = (text: string): number => Date.parse(`${text}T12:00:00Z`)
const told = (text: string, on: string, validUntil: number | null = null) =>
  makeFact({ id: 'm', text, learnedAt: day(on), validUntil })

describe('a plan', () => {
  it.each([
    ['The regatta is on 2026-07-04.', '2026-07-20'],
    ['The regatta is from 2026-07-04 to 2026-07-06.', '2026-06-25'],
    ['The regatta is in 2026-07.', '2026-07-20'],
    ['The regatta is on July 4, 2026.', '2026-07-20'],
    ['The regatta is on 4 July 2026.', '2026-07-20'],
    ['The regatta is in July 2026.', '2026-09-01'],
    ['赛舟会定在2026年7月4日。', '2026-07-20'],
    ['赛舟会定在2026年7月。', '2026-07-20'],
  ])('is due once its day has come, or is near: %s', (text, now) => {
    expect(isDuePlan(told(text, '2026-03-01'), day(now))).toBe(true)
  })

  it('is not due before, nor once it is over, nor where it tells of a day before its telling', () => {
    const plan = 'The regatta is on 2026-07-04.'
    expect(isDuePlan(told(plan, '2026-03-01'), day('2026-05-01'))).toBe(false)
    expect(isDuePlan(told(plan, '2026-03-01', day('2026-06-01')), day('2026-07-20'))).toBe(false)
    expect(isDuePlan(told(plan, '2026-07-05'), day('2026-07-20'))).toBe(false)
    expect(isDuePlan(told('The user has 2026 postcards.', '2026-03-01'), day('2026-07-20'))).toBe(false)
    expect(isDuePlan(told('The regatta is on 2026-99-04.', '2026-03-01'), day('2026-07-20'))).toBe(false)
  })
})

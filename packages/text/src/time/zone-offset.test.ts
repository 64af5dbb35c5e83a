import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { zoneOffset } from './zone-offset.ts'

const MINUTE = 60_000
const ZONES = [...Intl.supportedValuesOf('timeZone'), '+05:30', '-03:30', '+14:00']

/** By the definition: what the zone's clock shows, read as if it were UTC, less the moment itself. */
function offsetByClock(timeZone: string, at: number): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const shown = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const [year = NaN, month = NaN, day, hour, minute] = ['year', 'month', 'day', 'hour', 'minute'].map(
    (part) => shown.get(part as Intl.DateTimeFormatPartTypes),
  )
  return (Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at / MINUTE) * MINUTE) / MINUTE
}

/** The minute from which on the zone's clock is another, within a day on which it changes. */
function changeWithin(timeZone: string, from: number, to: number): number {
  let [before, after] = [from, to]
  while (after - before > MINUTE) {
    const middle = Math.floor((before + after) / 2 / MINUTE) * MINUTE
    if (offsetByClock(timeZone, middle) === offsetByClock(timeZone, from)) before = middle
    else after = middle
  }
  return after
}

it('is what the clock of the zone shows, whatever the zone and the moment', () => {
  // Until a week before, Liberia's clocks stood 44½ minutes behind, which the library takes for ahead.
  const moment = fc.date({ min: new Date('1972-01-08'), max: new Date('2060-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), moment, (timeZone, date) => {
      expect(zoneOffset(timeZone, date.getTime())).toBe(offsetByClock(timeZone, date.getTime()))
    }),
    { numRuns: 500 },
  )
})

it.each([
  ['Europe/Paris', '2026-03-29', 60, 120],
  ['Europe/Paris', '2026-10-25', 120, 60],
  ['America/New_York', '2026-03-08', -300, -240],
  ['America/New_York', '2026-11-01', -240, -300],
  ['Australia/Lord_Howe', '2026-04-04', 660, 630],
  ['America/St_Johns', '2026-03-08', -210, -150],
])('changes to the minute when the clocks of %s do on %s', (timeZone, day, before, after) => {
  const start = Date.parse(`${day}T00:00Z`)
  const change = changeWithin(timeZone, start, start + 24 * 60 * MINUTE)
  expect(zoneOffset(timeZone, change - 1)).toBe(before)
  expect(zoneOffset(timeZone, change)).toBe(after)
})

it('is 0 where no zone is named, or one that is not known', () => {
  expect(zoneOffset(null, 0)).toBe(0)
  expect(zoneOffset('Nowhere/Land', 0)).toBe(0)
})

import { TZDate } from '@date-fns/tz'
import { unreadable } from './import-error.ts'
import type { ImportSettings } from './import-source.ts'

/** A time in early 1973, in milliseconds. Smaller numbers are seconds, since no conversation is older. */
const EARLIEST_MILLISECONDS = 1e11
/** Times may lie this far in the future, since clocks run ahead and trial conversations may have later dates. */
const MAX_AHEAD_MS = 366 * 86_400_000
const EARLIEST_YEAR = 1800
const EXAMPLE = 'Write it as "2026-03-03T19:05:00Z".'
/** Matches `2026-03-03`, `2026-03-03 19:05` and `2026-03-03T19:05:00.5+01:00`. */
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i

/** A time on a wall clock. Months are numbered from 1. */
export type WallTime = readonly [
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
]

/** The settings that reading a time needs. */
type TimeSettings = Pick<ImportSettings, 'now' | 'timeZone'>
type Unit = 'seconds' | 'milliseconds'

/**
 * Reads ISO 8601, or seconds or milliseconds since 1970.
 *
 * @param what the place and name of the time, for errors
 * @throws ImportError for an invalid or impossible time
 */
export function readMoment(
  value: unknown,
  what: string,
  settings: TimeSettings,
  unit: Unit = 'milliseconds',
): number {
  if (typeof value === 'number' && Number.isFinite(value)) return readNumber(value, what, settings, unit)
  const parts = typeof value === 'string' ? ISO.exec(value.trim()) : null
  if (parts === null)
    throw unreadable(`${what} is not a time: ${JSON.stringify(value) ?? 'nothing'}. ${EXAMPLE}`)
  const [, year, month, day, hour, minute, second] = parts.map(Number)
  const wall: WallTime = [year ?? 0, month ?? 0, day ?? 0, hour || 0, minute || 0, second || 0]
  const local = readWallTime(wall, what, settings)
  if (parts[8] === undefined) return local + fraction(parts[7])
  // With a zone, the wall time is taken as UTC and then moved by the zone's offset.
  const inUtc = Date.UTC(wall[0], wall[1] - 1, wall[2], wall[3], wall[4], wall[5])
  return requirePlausible(inUtc - offsetOf(parts[8]) + fraction(parts[7]), what, settings)
}

function readNumber(value: number, what: string, settings: TimeSettings, unit: Unit): number {
  if (unit === 'seconds') {
    const at = Math.abs(value) < EARLIEST_MILLISECONDS ? value * 1_000 : value
    return requirePlausible(Math.trunc(at), what, settings)
  }
  if (value !== 0 && Math.abs(value) < EARLIEST_MILLISECONDS && Math.abs(value) > 1e8)
    throw unreadable(
      `${what} is ${value}, which looks like seconds since 1970. Use milliseconds: multiply it by 1,000.`,
    )
  return requirePlausible(Math.trunc(value), what, settings)
}

/** Converts a wall-clock time in the settings' time zone. @throws ImportError for an invalid day */
export function readWallTime(wall: WallTime, what: string, settings: TimeSettings): number {
  const [year, month, day, hour, minute, second] = wall
  const calendarDay = new Date(Date.UTC(year, month - 1, day))
  const isDay = calendarDay.getUTCMonth() === month - 1 && calendarDay.getUTCDate() === day
  if (!isDay || hour > 23 || minute > 59 || second > 60)
    throw unreadable(`${what} is impossible: no calendar or clock shows ${wallText(wall)}. ${EXAMPLE}`)
  const time = new TZDate(year, month - 1, day, hour, minute, second, settings.timeZone)
  return requirePlausible(time.getTime(), what, settings)
}

function wallText([year, month, day, hour, minute]: WallTime): string {
  const twoDigits = (number: number): string => String(number).padStart(2, '0')
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)} ${twoDigits(hour)}:${twoDigits(minute)}`
}

/** Returns the milliseconds of a fraction of a second. */
const fraction = (digits: string | undefined): number =>
  digits === undefined ? 0 : Math.trunc(Number(`0.${digits}`) * 1_000)

/** Returns the milliseconds that a zone such as `+01:00` is ahead of UTC. */
function offsetOf(zone: string): number {
  if (/[a-z]/i.test(zone)) return 0
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0)) * 60_000
}

function requirePlausible(at: number, what: string, { now }: TimeSettings): number {
  const year = new Date(at).getUTCFullYear()
  if (Number.isNaN(year)) throw unreadable(`${what} is not a time. ${EXAMPLE}`)
  const day = new Date(at).toISOString().slice(0, 10)
  if (year === 1970 || year < EARLIEST_YEAR)
    throw unreadable(`${what} is ${day}, the start of a clock that was never set. Omit an unknown time.`)
  if (at > now + MAX_AHEAD_MS) throw unreadable(`${what} is ${day}, which is years in the future. ${EXAMPLE}`)
  return at
}

// Reads times and spans that applications give.
import { describeValue } from '../errors/describe-value.ts'
import { InvalidInputError } from '../errors/invalid-input-error.ts'
import { readName } from '../terms/read-text.ts'

/** Converts a caller's time to milliseconds since 1970. @throws InvalidInputError */
export function readTime(value: unknown, what: string): number {
  requireMilliseconds(value, what)
  requireDay(value, what)
  const numberOrText = value instanceof Date ? value.getTime() : value
  const time = typeof numberOrText === 'string' ? parseIsoTime(numberOrText) : numberOrText
  if (typeof time !== 'number' || !Number.isFinite(time) || Math.abs(time) > 8.64e15) {
    throw new InvalidInputError(
      `${what} must be a Date, milliseconds since 1970 or an ISO 8601 string, but it is ${describeValue(value)}.`,
    )
  }
  return Math.trunc(time)
}

/** Matches a year, month, day or minute in ISO 8601. `Date` also reads “01/02/2026”, as January, and “5”, as May of 2001. */
const ISO =
  /^(?:\d{4}|[+-]\d{6})(?:-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?Z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/i

/** Returns the milliseconds since 1970 of a time in ISO 8601, or `NaN` for other words. */
export function parseIsoTime(words: string): number {
  return ISO.test(words) ? Date.parse(words) : Number.NaN
}

/** Numbers in this range are days before 1974 as milliseconds, but plausible dates as seconds. */
const LIKE_SECONDS = { above: 1e8, below: 1e11 }

/** Rejects Unix seconds, which would give a day in January 1970. */
function requireMilliseconds(value: unknown, what: string): void {
  const isLikeSeconds = typeof value === 'number' && value > LIKE_SECONDS.above && value < LIKE_SECONDS.below
  if (!isLikeSeconds) return
  throw new InvalidInputError(
    `${what} is ${value}, which looks like seconds since 1970: milliseconds are meant. Multiply it by 1,000.`,
  )
}

/** Rejects impossible days, since `Date` takes the 31st of February for the 3rd of March. */
function requireDay(value: unknown, what: string): void {
  const [, year, month, day] = (typeof value === 'string' && /^(\d{4})-(\d\d)-(\d\d)/.exec(value)) || []
  if (day === undefined) return
  const shown = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (shown.getUTCMonth() === Number(month) - 1 && shown.getUTCDate() === Number(day)) return
  throw new InvalidInputError(`${what} cannot be: no calendar has the day ${year}-${month}-${day}.`)
}

/** The earliest plausible time of a message. */
const EARLIEST = Date.UTC(1900, 0, 1)
/** Allowed difference of clocks and zones. */
const AHEAD_MS = 86_400_000

/**
 * Reads a message's time, which must lie between 1900 and a day from now. A message in the far future would make all others seem old.
 *
 * @throws InvalidInputError
 */
export function readMoment(value: unknown, what: string, now: number): number {
  const time = readTime(value, what)
  const reason = findImplausible(time, now)
  if (reason !== null)
    throw new InvalidInputError(
      `${what} is ${new Date(time).toISOString()}, ${reason}. Give when it was said, in milliseconds since 1970 or as an ISO 8601 string.`,
    )
  return time
}

/** Returns why a message cannot have a time, or `null` if it can. */
export function findImplausible(time: number, now: number): string | null {
  if (!Number.isFinite(time) || Math.abs(time) > 8.64e15) return 'which is no time of the calendar'
  if (time > now + AHEAD_MS)
    return `which lies more than a day ahead of the memory's clock (${new Date(now).toISOString()})`
  return time < EARLIEST ? 'which is before 1900' : null
}

/** Returns Node's canonical name of a time zone. @throws InvalidInputError */
export function readTimeZone(value: unknown, what: string): string {
  const zone = readName(value, what)
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch (cause) {
    throw new InvalidInputError(
      `${what} is not a time zone this Node knows. Give an IANA name such as "Europe/Paris" or an offset such as "+02:00".`,
      {},
      cause,
    )
  }
}

import { describeValue } from '../errors/describe-value.ts'
import { InvalidInputError } from '../errors/invalid-input-error.ts'
import { readName } from '../terms/read-text.ts'

/** Milliseconds since 1970 from what a caller may give as a time. @throws InvalidInputError */
export function readTime(value: unknown, what: string): number {
  requireMilliseconds(value, what)
  requireDay(value, what)
  const time = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : value
  if (typeof time !== 'number' || !Number.isFinite(time) || Math.abs(time) > 8.64e15) {
    throw new InvalidInputError(
      `${what} must be a Date, milliseconds since 1970 or an ISO 8601 string, but it is ${describeValue(value)}.`,
    )
  }
  return Math.trunc(time)
}

/** As milliseconds a number between them is a day between 1970 and 1973, as seconds one between 1973 and the far future. */
const LIKE_SECONDS = { above: 1e8, below: 1e11 }

/** Unix seconds, which most other programs count, would be a day in January 1970. */
function requireMilliseconds(value: unknown, what: string): void {
  const isLike = typeof value === 'number' && value > LIKE_SECONDS.above && value < LIKE_SECONDS.below
  if (!isLike) return
  throw new InvalidInputError(
    `${what} is ${value}, which looks like seconds since 1970: milliseconds are meant. Multiply it by 1,000.`,
  )
}

/** `Date` takes the 31st of February for the 3rd of March. */
function requireDay(value: unknown, what: string): void {
  const [, year, month, day] = (typeof value === 'string' && /^(\d{4})-(\d\d)-(\d\d)/.exec(value)) || []
  if (day === undefined) return
  const shown = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (shown.getUTCMonth() === Number(month) - 1 && shown.getUTCDate() === Number(day)) return
  throw new InvalidInputError(`${what} cannot be: no calendar has the day ${year}-${month}-${day}.`)
}

/** Before it nobody now alive said anything. */
const EARLIEST = Date.UTC(1900, 0, 1)
/** Clocks and zones differ by so much. */
const AHEAD_MS = 86_400_000

/**
 * When something was said or stated: no later than a day after now, and not before 1900. One far ahead would make all that is said
 * after it a thing of the past.
 *
 * @param now by the memory's clock
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

/** Why nothing can have been said at a time; `null` where it can. */
export function findImplausible(time: number, now: number): string | null {
  if (!Number.isFinite(time) || Math.abs(time) > 8.64e15) return 'which is no time of the calendar'
  if (time > now + AHEAD_MS)
    return `which lies more than a day ahead of the memory's clock (${new Date(now).toISOString()})`
  return time < EARLIEST ? 'which is before 1900' : null
}

/** A time zone by the name that this Node knows it by. @throws InvalidInputError */
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

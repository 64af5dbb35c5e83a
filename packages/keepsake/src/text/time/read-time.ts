import { describeValue } from '../../errors/describe-value.ts'
import { InvalidInputError } from '../../errors/invalid-input-error.ts'
import { readName } from '../read-text.ts'

/** Milliseconds since 1970 from what a caller may give as a time. @throws InvalidInputError */
export function readTime(value: unknown, what: string): number {
  const time = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : value
  if (typeof time !== 'number' || !Number.isFinite(time) || Math.abs(time) > 8.64e15) {
    throw new InvalidInputError(
      `${what} must be a Date, milliseconds since 1970 or an ISO 8601 string, but it is ${describeValue(value)}.`,
    )
  }
  return Math.trunc(time)
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

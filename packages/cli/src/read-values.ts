import { InvalidArgumentError } from 'commander'
import type { TimeSpan } from 'keepsake'

export function wholeNumber(min: number, max: number): (value: string) => number {
  return numberReader(
    (number) => Number.isInteger(number) && number >= min && number <= max,
    `It must be a whole number from ${min} to ${max}.`,
  )
}

/** Reads a share from 0 to 1. */
export const share = numberReader((number) => number >= 0 && number <= 1, 'It must be a number from 0 to 1.')

/** Reads seconds, with fractions. */
export const seconds = numberReader(
  (number) => number > 0 && number <= 86_400,
  'It must be a number of seconds above 0, up to 86400.',
)

function numberReader(isValid: (number: number) => boolean, message: string): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (value.trim() !== '' && isValid(number)) return number
    throw new InvalidArgumentError(message)
  }
}

/** Reads a date or time as ISO 8601. */
export function time(value: string): Date {
  const date = new Date(value)
  if (/^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(date.getTime())) return date
  throw new InvalidArgumentError(
    'It must be a date such as 2026-03-31 or a time such as 2026-03-31T18:00:00Z.',
  )
}

/** Checks a year, month, day or time, and returns the text unchanged. The memory reads it in a time zone. */
export function dateOrTime(value: string): string {
  if (/^\d{4}(?:-\d\d){0,2}(?:T|$)/.test(value) && !Number.isNaN(Date.parse(value))) return value
  throw new InvalidArgumentError(
    'It must be a day, month or year such as 2026-03-31, 2026-03 or 2026, or a time such as 2026-03-31T18:00:00Z.',
  )
}

/** Reads a date or time, or `never` as null. */
export function timeOrNever(value: string): Date | null {
  return value === 'never' ? null : time(value)
}

/** Reads an ISO 8601 interval of days or times: `2026-03-01/2026-03-31`, with `..` for an open side. */
export function span(value: string): TimeSpan {
  const [from = '', to = '', ...rest] = value.split('/')
  const sides = Object.entries({ from, to }).filter(([, side]) => side !== '' && side !== '..')
  if (value.includes('/') && rest.length === 0 && sides.length > 0) return Object.fromEntries(sides)
  throw new InvalidArgumentError('It must be a span such as 2026-03-01/2026-03-31, with .. for an open side.')
}

export function timeZoneName(value: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
  } catch {
    throw new InvalidArgumentError('It must be the name of a time zone such as Europe/Paris.')
  }
}

/** Reads a list separated by commas, each of `allowed`. */
export function oneOrMoreOf<Name extends string>(allowed: readonly Name[]): (value: string) => Name[] {
  return (value) =>
    value.split(',').map((part) => {
      const name = allowed.find((name) => name === part.trim())
      if (name === undefined) throw new InvalidArgumentError(`It must be of ${allowed.join(', ')}.`)
      return name
    })
}

/** Reads a list separated by commas. */
export function commaSeparated(value: string): string[] {
  return value.split(',').flatMap((part) => part.trim() || [])
}

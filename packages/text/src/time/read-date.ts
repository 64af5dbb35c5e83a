import { zoneOffset } from './zone-offset.ts'

/** A date as a time range: a year, a month, a day or a minute. */
export interface Span {
  /** The first moment of the date, in milliseconds since 1970. */
  readonly from: number
  /** The first moment after the date. */
  readonly to: number
}

/** Matches a date. A zone at its end is ignored, since models often add one to the speaker's local time. */
const DATE =
  /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?)?)?$/

/**
 * Parses a date from a model (`2026-03-05`, `2026-03`, `2026`, with or without a time) in the speaker's time zone.
 *
 * @returns `null` for an invalid date
 *
 * @example
 * readDate('2026-03', 'Asia/Shanghai') // from 2026-02-28T16:00Z to 2026-03-31T16:00Z
 */
export function readDate(text: string, timeZone: string | null): Span | null {
  const plain = text
    .trim()
    .replace(/[年月]/g, '-')
    .replace(/日/, '')
    .replace(/-$/, '')
  const match = DATE.exec(plain)
  if (match === null) return null
  const parts = readParts(match)
  const from = startOf(parts, timeZone)
  return from === null ? null : { from, to: endOf(from, parts, timeZone) }
}

type Part = number | undefined
type Parts = readonly [year: number, month: Part, day: Part, hour: Part, minute: Part]

const MINUTE_MS = 60_000

function readParts(match: RegExpExecArray): Parts {
  const [year = 0, month, day, hour, minute] = match
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)))
  return [year, month, day, hour, minute]
}

function endOf(from: number, [year, month, day, hour]: Parts, timeZone: string | null): number {
  if (month === undefined) return onClock(Date.UTC(year + 1, 0, 1), timeZone)
  if (day === undefined) return onClock(Date.UTC(year, month, 1), timeZone)
  return hour === undefined ? onClock(Date.UTC(year, month - 1, day + 1), timeZone) : from + MINUTE_MS
}

/** Returns the first moment of a date, or `null` for an invalid one. */
function startOf(
  [year, month = 1, day = 1, hour = 0, minute = 0]: Parts,
  timeZone: string | null,
): number | null {
  const local = Date.UTC(year, month - 1, day, hour, minute)
  const date = new Date(local)
  const isOfCalendar = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isOfCalendar && hour < 24 && minute < 60 ? onClock(local, timeZone) : null
}

/** Converts a local time in a zone to a moment. The zone's offset is taken at the moment itself, since it may differ in summer. */
function onClock(local: number, timeZone: string | null): number {
  return local - zoneOffset(timeZone, local - zoneOffset(timeZone, local) * MINUTE_MS) * MINUTE_MS
}

import { z } from 'zod'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const NAMED_MONTH = /^([A-Za-z]{3})[a-z]* (\d{1,2}), (\d{4}), (\d{1,2}):(\d\d):(\d\d)$/
const SLASHED = /^(\d{4})\/(\d\d)\/(\d\d)(?: \([A-Za-z]+\))?(?: (\d{1,2}):(\d\d))?$/

/** `Dec 15, 2025, 08:41:23`, taken as UTC, in milliseconds since 1970; `null` when it does not read like that. */
export function readNamedMonth(text: string): number | null {
  const match = NAMED_MONTH.exec(text.trim())
  if (match === null) return null
  const [, name = '', day, year, hour, minute, second] = match
  const month = MONTHS.indexOf(name.toLowerCase())
  return month < 0
    ? null
    : utc(Number(year), month, Number(day), Number(hour), Number(minute), Number(second))
}

/** `2023/05/20 (Sat) 02:21`, taken as UTC, in milliseconds since 1970; `null` when it does not read like that. */
export function readSlashed(text: string): number | null {
  const match = SLASHED.exec(text.trim())
  if (match === null) return null
  const [, year, month, day, hour = '0', minute = '0'] = match
  return utc(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), 0)
}

/** An ISO 8601 time, in milliseconds since 1970; one without an offset is taken as UTC. `null` when it is none. */
export function readIso(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d(T|$)/.test(text)) return null
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(text.slice('2026-01-05'.length))
  const at = Date.parse(hasZone || !text.includes('T') ? text : `${text}Z`)
  return Number.isNaN(at) ? null : at
}

/** A field that holds a time. @param example what an error says that it should read like. */
export function timeField(read: (text: string) => number | null, example: string): z.ZodType<number, string> {
  return z.string().transform((text, context) => {
    const at = read(text)
    if (at !== null) return at
    context.addIssue({ code: 'custom', message: `should read like “${example}”, not “${text}”` })
    return z.NEVER
  })
}

/** `null` for days and hours that do not exist, which `Date.UTC` would carry over to the next. */
function utc(...parts: [number, number, number, number, number, number]): number | null {
  const date = new Date(Date.UTC(...parts))
  const [, month, day, hour, minute] = parts
  const isReal =
    date.getUTCMonth() === month &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute
  return isReal ? date.getTime() : null
}

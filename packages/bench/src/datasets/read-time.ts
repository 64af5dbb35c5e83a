import { z } from 'zod'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The forms of times in published data, each under an example of it. */
const FORMS = {
  'Dec 15, 2025, 08:41:23':
    /^(?<month>[a-z]{3})[a-z]* (?<day>\d{1,2}), (?<year>\d{4}), (?<hour>\d{1,2}):(?<minute>\d\d):(?<second>\d\d)$/i,
  '2023/05/20 (Sat) 02:21':
    /^(?<year>\d{4})\/(?<month>\d\d)\/(?<day>\d\d)(?: \([a-z]+\))?(?: (?<hour>\d{1,2}):(?<minute>\d\d))?$/i,
  '1:56 pm on 8 May, 2023':
    /^(?<hour>\d{1,2}):(?<minute>\d\d)\s*(?<half>[ap]m) on (?<day>\d{1,2}) (?<month>[a-z]{3})[a-z]*,? (?<year>\d{4})$/i,
  '2026-01-05T09:00:00Z': null,
} as const

type TimeForm = keyof typeof FORMS

/** Parses a time to milliseconds since 1970. A time without an offset is UTC. `null`: the text is malformed. */
export function readTime(text: string, form: TimeForm): number | null {
  const pattern = FORMS[form]
  if (pattern === null) return readIso(text)
  const parts = pattern.exec(text.trim())?.groups
  if (parts === undefined) return null
  const { year, month = '', day, hour = 0, minute = 0, second = 0, half } = parts
  const monthIndex = /\d/.test(month) ? Number(month) - 1 : MONTHS.indexOf(month.slice(0, 3).toLowerCase())
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)
  const at = new Date(Date.UTC(Number(year), monthIndex, Number(day), hours, Number(minute), Number(second)))
  // Invalid dates, such as 30 February or 25 o'clock, would overflow into the next day or month.
  const isReal =
    at.getUTCMonth() === monthIndex &&
    at.getUTCDate() === Number(day) &&
    at.getUTCMinutes() === Number(minute)
  return isReal ? at.getTime() : null
}

/** Parses a time in ISO form. A time without a zone is UTC. */
function readIso(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d(T|$)/.test(text)) return null
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(text.slice('2026-01-05'.length))
  const at = Date.parse(hasZone || !text.includes('T') ? text : `${text}Z`)
  return Number.isNaN(at) ? null : at
}

/** The schema of a field with a time. It converts the time to milliseconds since 1970. */
export function timeField(form: TimeForm): z.ZodType<number, string> {
  return z.string().transform((text, context) => {
    const at = readTime(text, form)
    if (at !== null) return at
    context.addIssue({ code: 'custom', message: `should read like “${form}”, not “${text}”` })
    return z.NEVER
  })
}

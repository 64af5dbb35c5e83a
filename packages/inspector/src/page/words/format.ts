/** The languages of the page. */
export const LANGUAGES = ['en', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTH = 30.44 * DAY
const YEAR = 365.25 * DAY

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, milliseconds: number])[] = [
  ['year', YEAR],
  ['month', MONTH],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
]

/** Numbers and moments as a language writes them. */
export interface Format {
  /** `12,408` */
  readonly number: (value: number) => string
  /** With so many places: `0.93` */
  readonly decimal: (value: number, places?: number) => string
  /** `93 %`, of a share from 0 to 1. */
  readonly percent: (share: number) => string
  /** `1.3 MB` */
  readonly bytes: (bytes: number) => string
  /** `5 May 2026` */
  readonly day: (moment: string | number) => string
  /** `5 May 2026, 18:00` */
  readonly moment: (moment: string | number) => string
  /** `3 days ago` */
  readonly ago: (moment: string | number, now?: number) => string
  /** `a, b and c` */
  readonly list: (words: readonly string[]) => string
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', zh: 'zh-Hans-CN' }
const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** What a language writes numbers and moments by, in the reader's own time zone. */
export function makeFormat(language: Language): Format {
  const locale = LOCALES[language]
  const number = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const list = new Intl.ListFormat(locale)
  const decimals = keepDecimals(locale)
  return {
    number: (value) => number.format(value),
    decimal: (value, places = 2) => decimals(places).format(value).replace('-', '−'),
    percent: (share) => percent.format(share),
    bytes: (bytes) => formatBytes(locale, bytes),
    day: (at) => day.format(new Date(at)),
    moment: (at) => moment.format(new Date(at)),
    ago: (at, now = Date.now()) => formatAgo(relative, new Date(at).getTime() - now),
    list: (words) => list.format(words),
  }
}

/** Formats by their places, each made once: making one takes longer than writing a thousand numbers. */
function keepDecimals(locale: string): (places: number) => Intl.NumberFormat {
  const kept = new Map<number, Intl.NumberFormat>()
  return (places) => {
    const bounds = { minimumFractionDigits: places, maximumFractionDigits: places }
    const format = kept.get(places) ?? new Intl.NumberFormat(locale, bounds)
    kept.set(places, format)
    return format
  }
}

function formatAgo(relative: Intl.RelativeTimeFormat, difference: number): string {
  const step = STEPS.find(([, milliseconds]) => Math.abs(difference) >= milliseconds)
  if (step === undefined) return relative.format(0, 'second')
  const [unit, milliseconds] = step
  return relative.format(Math.round(difference / milliseconds), unit)
}

function formatBytes(locale: string, bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: BYTE_UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 ? 0 : 1,
  }).format(bytes / 1_000 ** power)
}

export const LANGUAGES = ['en', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]

/** Formats numbers and times for a language. */
export interface Format {
  /** `12,408` */
  readonly number: (value: number) => string
  /** `0.93`; with two decimal places when `places` is absent. */
  readonly decimal: (value: number, places?: number) => string
  /** `93%`, of a share from 0 to 1. */
  readonly percent: (share: number) => string
  /** `5 May 2026` */
  readonly day: (moment: string | number) => string
  /** `5 May 2026, 18:00` */
  readonly moment: (moment: string | number) => string
  /** `a, b and c` */
  readonly list: (items: readonly string[]) => string
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', zh: 'zh-Hans-CN' }

/** Makes the formats of a language, in the reader's time zone. */
export function makeFormat(language: Language): Format {
  const locale = LOCALES[language]
  const number = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const list = new Intl.ListFormat(locale)
  const decimals = cacheDecimalFormats(locale)
  return {
    number: (value) => number.format(value),
    decimal: (value, places = 2) => decimals(places).format(value).replace('-', '−'),
    percent: (share) => percent.format(share),
    day: (at) => day.format(new Date(at)),
    moment: (at) => moment.format(new Date(at)),
    list: (items) => list.format(items),
  }
}

/** Caches number formats: making one takes longer than formatting a thousand numbers. */
function cacheDecimalFormats(locale: string): (places: number) => Intl.NumberFormat {
  const formats = new Map<number, Intl.NumberFormat>()
  return (places) => {
    const bounds = { minimumFractionDigits: places, maximumFractionDigits: places }
    const format = formats.get(places) ?? new Intl.NumberFormat(locale, bounds)
    formats.set(places, format)
    return format
  }
}

import { readDate, type Span } from './read-date.ts'
import type { MessageTime } from './resolve-time.ts'
import { zoneOffset } from './zone-offset.ts'

/** A date that words name, in its precision: a minute, a day, a month or a year. */
export interface NamedDate extends Span {
  /** Its place in the words. */
  readonly index: number
  /** Whether the words name the time of day. */
  readonly hasTime: boolean
  /** Whether the words leave the year open: “on Friday”, “3 March”. */
  readonly isRelative: boolean
}

/** Reads the dates that words name. */
export interface DateReader {
  /** The dates in a text, in its order. One without a year is the next after it was said. */
  readAll(words: string, said: MessageTime, language: 'en' | 'zh'): readonly NamedDate[]
  /** The moment after “until Friday”, 待到周五 (the named day included); `null` for none, or none ahead. */
  readEnd(words: string, said: MessageTime, language: 'en' | 'zh'): number | null
}

let loading: Promise<DateReader> | undefined

/** Loads chrono-node once, on the first call. */
export function loadDateReader(): Promise<DateReader> {
  loading ??= load()
  return loading
}

const DAY_MS = 86_400_000
/** An end further ahead is a misreading. */
const FARTHEST_MS = 40 * 366 * DAY_MS

/** Words before the end of something, in the present or the future. */
const UNTIL = {
  en: /\b(?:(?:until|till?|up to) |(?:expires?|runs? out|lapses?) (?:on |at |in )?)(?:the )?/giu,
  zh: /(?:直到|截止到?|有效期(?:是|为)?(?:到|至)?|有效(?:到|至)|(?:待|呆|住|留|用|休|放|请|租|签|忙|出差|休假|请假|放假|度假|旅行)(?:到|至)|(?=(?:[^，。]{1,12})(?:为止|到期|过期)))/gu,
} as const
/** Verbs of the past, of which “until” names an end that has come. */
const PAST = {
  en: /\b(?:was|were|had|did|used to|\w{3,}ed)\b/iu,
  zh: /以前|曾经|当时|[去昨前]年|昨天|上周|上个?月/u,
} as const
/** Spans whose end is not clear: “until next week”. */
const VAGUE = /^(?:next|this|the|last) (?:week|month|year|weekend)|^weekend/iu

async function load(): Promise<DateReader> {
  const [english, chinese] = await Promise.all([import('chrono-node/en'), import('chrono-node/zh/hans')])
  const readAll: DateReader['readAll'] = (words, said, language) => {
    const offset = zoneOffset(said.timeZone, said.at)
    const reference = { instant: new Date(said.at), timezone: offset }
    const text = language === 'zh' ? spellOut(words, said.at + offset * 60_000) : words
    const results =
      language === 'zh'
        ? chinese.parse(text, reference, { forwardDate: true })
        : english.parse(text, reference, { forwardDate: true })
    return results.flatMap(({ start, index, text: named }): NamedDate[] => {
      const isNamed = (part: 'year' | 'month' | 'day' | 'weekday' | 'hour' | 'meridiem'): boolean =>
        start.isCertain(part)
      if (VAGUE.test(named)) return []
      // “At 3” may be in the afternoon: only its day is sure.
      const hasTime = isNamed('hour') && (isNamed('meridiem') || /noon|midnight/iu.test(named))
      const place = { index, hasTime, isRelative: !/\d{4}/u.test(named) }
      if (place.hasTime) {
        const from = start.date().getTime()
        return Number.isFinite(from) ? [{ from, to: from + 60_000, ...place }] : []
      }
      const isDay = isNamed('day') || isNamed('weekday')
      if (!isDay && !isNamed('month')) return []
      const [year, month, day] = [start.get('year'), start.get('month'), start.get('day')]
      const written = [year, month, ...(isDay ? [day] : [])]
        .map((part) => String(part).padStart(2, '0'))
        .join('-')
      const span = readDate(written, said.timeZone)
      // “Friday”, said on a Friday, is the next one.
      const isToday = span !== null && !isNamed('day') && isDay && span.from <= said.at && said.at < span.to
      return span === null ? [] : [{ ...span, ...(isToday ? weekLater(span) : {}), ...place }]
    })
  }
  const readEnd: DateReader['readEnd'] = (words, said, language) => {
    for (const match of words.matchAll(UNTIL[language])) {
      const tail = words.slice(match.index + match[0].length)
      const clause = words.slice(0, match.index)
      if (PAST[language].test(clause)) continue
      const [date] = readAll(tail, said, language)
      if (date === undefined || date.index > 0) continue
      const end = date.hasTime ? date.from : date.to
      if (end > said.at && end - said.at < FARTHEST_MS) return end
    }
    return null
  }
  return { readAll, readEnd }
}

function weekLater({ from, to }: Span): Span {
  return { from: from + 7 * DAY_MS, to: to + 7 * DAY_MS }
}

/** Writes what chrono misreads as days: ends of months and years (月底), and days with a part of the day (周五下午). */
function spellOut(words: string, local: number): string {
  const now = new Date(local)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1]
  const lastOf = (of: number, years = year): string =>
    `${years}年${of}月${new Date(Date.UTC(years, of, 0)).getUTCDate()}日`
  return words
    .replace(/(?:上午|下午|晚上|早上|中午|傍晚|凌晨)(?![\d一二三四五六七八九十两]{1,3}[点:：])/gu, '')
    .replace(/(?:(\d{4})年)?(\d{1,2})月底/gu, (_, named: string | undefined, of: string) =>
      lastOf(Number(of), named === undefined ? year + (Number(of) < month ? 1 : 0) : Number(named)),
    )
    .replace(/下个?月底/gu, () => (month === 12 ? lastOf(1, year + 1) : lastOf(month + 1)))
    .replace(/(?:[这本]个?)?月底/gu, () => lastOf(month))
    .replace(/明年年?底/gu, () => lastOf(12, year + 1))
    .replace(/(?:今年)?年底/gu, () => lastOf(12))
}

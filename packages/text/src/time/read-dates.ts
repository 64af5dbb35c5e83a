// Reads the dates in a text, and ends such as “until Friday”.
import type { ParsedResult } from 'chrono-node/en'
import { readDate, type Span } from './read-date.ts'
import type { MessageTime } from './resolve-time.ts'
import { zoneOffset } from './zone-offset.ts'

/** A date that words name: a minute, a day, a month or a year. */
export interface NamedDate extends Span {
  /** The index of the date in the words. */
  readonly index: number
  /** Whether the words name the time of day. */
  readonly hasTime: boolean
  /** Whether the words leave the year open: “on Friday”, “3 March”. */
  readonly isRelative: boolean
}

/** Reads the dates that words name. */
export interface DateReader {
  /** Returns the dates of a text, in order. A date without a year is the next such date after the message. */
  readAll(words: string, said: MessageTime, language: 'en' | 'zh'): readonly NamedDate[]
  /** Returns the end that “until Friday” or 待到周五 names, after that day. Returns `null` if there is none in the future. */
  readEnd(words: string, said: MessageTime, language: 'en' | 'zh'): number | null
}

let loading: Promise<DateReader> | undefined

/** Loads chrono-node once, on the first call. */
export function loadDateReader(): Promise<DateReader> {
  loading ??= load()
  return loading
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** An end that lies further in the future is a misreading. */
const FARTHEST_MS = 40 * 366 * DAY_MS

/** Match words before the end of something: “until”, “expires on”, 直到. */
const UNTIL = {
  en: /\b(?:(?:until|till?|up to) |(?:expires?|runs? out|lapses?) (?:on |at |in )?)(?:the )?/giu,
  zh: /(?:直到|截止到?|有效期(?:是|为)?(?:到|至)?|有效(?:到|至)|(?:待|呆|住|留|用|休|放|请|租|签|忙|出差|休假|请假|放假|度假|旅行)(?:到|至)|(?=(?:[^，。]{1,12})(?:为止|到期|过期)))/gu,
} as const
/** Match signs of the past, after which “until” names an end that has come. */
const PAST = {
  en: /\b(?:was|were|had|did|used to|\w{3,}ed)\b/iu,
  zh: /以前|曾经|当时|[去昨前]年|昨天|上周|上个?月/u,
} as const
/** Matches spans whose end is not clear: “until next week”. */
const VAGUE = /^(?:next|this|the|last) (?:week|month|year|weekend)|^weekend/iu

async function load(): Promise<DateReader> {
  const [english, chinese] = await Promise.all([import('chrono-node/en'), import('chrono-node/zh/hans')])
  const readAll: DateReader['readAll'] = (words, said, language) => {
    const offset = zoneOffset(said.timeZone, said.at)
    const reference = { instant: new Date(said.at), timezone: offset }
    const text = language === 'zh' ? spellOut(words, said.at + offset * MINUTE_MS) : words
    const results =
      language === 'zh'
        ? chinese.parse(text, reference, { forwardDate: true })
        : english.parse(text, reference, { forwardDate: true })
    return results.flatMap((result) => toNamedDate(result, said) ?? [])
  }
  return { readAll, readEnd: (words, said, language) => readEnd(readAll, words, said, language) }
}

/** Converts a date of chrono-node; `null` if it names no day, month or time. */
function toNamedDate({ start, index, text: named }: ParsedResult, said: MessageTime): NamedDate | null {
  const isNamed = (part: 'month' | 'day' | 'weekday' | 'hour' | 'meridiem'): boolean => start.isCertain(part)
  if (VAGUE.test(named)) return null
  // “At 3” may be in the afternoon, so only its day is sure.
  const hasTime = isNamed('hour') && (isNamed('meridiem') || /noon|midnight/iu.test(named))
  const fields = { index, hasTime, isRelative: !/\d{4}/u.test(named) }
  if (hasTime) {
    const from = start.date().getTime()
    return Number.isFinite(from) ? { from, to: from + MINUTE_MS, ...fields } : null
  }
  const isDay = isNamed('day') || isNamed('weekday')
  if (!isDay && !isNamed('month')) return null
  const [year, month, day] = [start.get('year'), start.get('month'), start.get('day')]
  const written = [year, month, ...(isDay ? [day] : [])]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
  const span = readDate(written, said.timeZone)
  if (span === null) return null
  // “Friday”, said on a Friday, is the next one.
  const isToday = isDay && !isNamed('day') && span.from <= said.at && said.at < span.to
  return { ...(isToday ? weekLater(span) : span), ...fields }
}

/** Reads the end after a word such as “until”; see {@link DateReader.readEnd}. */
function readEnd(
  readAll: DateReader['readAll'],
  ...[words, said, language]: Parameters<DateReader['readEnd']>
): number | null {
  for (const match of words.matchAll(UNTIL[language])) {
    const clause = words.slice(0, match.index)
    if (PAST[language].test(clause)) continue
    const [date] = readAll(words.slice(match.index + match[0].length), said, language)
    if (date === undefined || date.index > 0) continue
    const end = date.hasTime ? date.from : date.to
    if (end > said.at && end - said.at < FARTHEST_MS) return end
  }
  return null
}

function weekLater({ from, to }: Span): Span {
  return { from: from + 7 * DAY_MS, to: to + 7 * DAY_MS }
}

/** Rewrites words that chrono misreads: ends of months and years (月底) become days, and a part of a day (周五下午) is removed. */
function spellOut(words: string, local: number): string {
  const now = new Date(local)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1]
  const lastDayOf = (ofMonth: number, ofYear = year): string =>
    `${ofYear}年${ofMonth}月${new Date(Date.UTC(ofYear, ofMonth, 0)).getUTCDate()}日`
  return words
    .replace(/(?:上午|下午|晚上|早上|中午|傍晚|凌晨)(?![\d一二三四五六七八九十两]{1,3}[点:：])/gu, '')
    .replace(/(?:(\d{4})年)?(\d{1,2})月底/gu, (_, namedYear: string | undefined, namedMonth: string) => {
      const nextSuchYear = Number(namedMonth) < month ? year + 1 : year
      return lastDayOf(Number(namedMonth), namedYear === undefined ? nextSuchYear : Number(namedYear))
    })
    .replace(/下个?月底/gu, () => (month === 12 ? lastDayOf(1, year + 1) : lastDayOf(month + 1)))
    .replace(/(?:[这本]个?)?月底/gu, () => lastDayOf(month))
    .replace(/明年年?底/gu, () => lastDayOf(12, year + 1))
    .replace(/(?:今年)?年底/gu, () => lastDayOf(12))
}

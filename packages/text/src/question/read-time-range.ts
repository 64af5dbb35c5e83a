// Reads the times that a question names: “last March”, 上个月. Imports two languages of chrono-node, since its root loads all of them.
import { either, pattern } from '../pattern.ts'
import * as english from 'chrono-node/en'
import * as chinese from 'chrono-node/zh/hans'
import type { ParsedResult } from 'chrono-node'
import { simplifyChinese } from '../terms/simplify-chinese.ts'

const DAY_MS = 86_400_000
/** Matches relative Chinese months, weeks and years: 上个月, 本周, 去年. */
const RELATIVE =
  /(上上|上|这|本)个?(月|周|星期|礼拜)(?![一二三四五六日天\d])|(前年|去年|今年)(?!\d|的?[春夏秋冬][天季]|[一二三四五六七八九十]+月)/g
const STEPS_BACK: Readonly<Record<string, number>> = {
  上上: 2,
  上: 1,
  这: 0,
  本: 0,
  前年: 2,
  去年: 1,
  今年: 0,
}

/** Matches a month of a relative year: 去年十月. */
const MONTH_OF_YEAR = /(前年|去年|今年)的?(十[一二]?|[一二三四五六七八九]|1[0-2]|[1-9])月/g
const DIGITS = '〇一二三四五六七八九'

/** Returns the number of a month: 12 for 十二 and for “12”. */
function monthNumber(text: string): number {
  if (/\d/.test(text)) return Number(text)
  return text.startsWith('十') ? 10 + DIGITS.indexOf(text.charAt(1) || '〇') : DIGITS.indexOf(text)
}

/** Reads months of relative years (去年十月), of which chrono-node reads only the month. */
function readMonthsOfYears(question: string, now: number, offsetMinutes: number): TimeRange[] {
  const shift = offsetMinutes * 60_000
  const thisYear = new Date(now + shift).getUTCFullYear()
  return [...question.matchAll(MONTH_OF_YEAR)].map(([, named = '', month = '']) => {
    const year = thisYear - (STEPS_BACK[named] ?? 0)
    const number = monthNumber(month)
    return range(Date.UTC(year, number - 1), Date.UTC(year, number), shift)
  })
}

/** Reads relative months, weeks and years in Chinese (上个月, 本周, 去年), which chrono-node does not read. Weeks start on Monday. */
function readRelativeChinese(question: string, now: number, offsetMinutes: number): TimeRange[] {
  const shift = offsetMinutes * 60_000
  const local = new Date(now + shift)
  const year = local.getUTCFullYear()
  const month = local.getUTCMonth()
  const monday = Date.UTC(year, month, local.getUTCDate() - ((local.getUTCDay() + 6) % 7))
  return [...question.matchAll(RELATIVE)].map((match) => {
    const back = STEPS_BACK[match[1] ?? match[3] ?? ''] ?? 0
    if (match[3] !== undefined) return range(Date.UTC(year - back, 0), Date.UTC(year - back + 1, 0), shift)
    if (match[2] === '月') return range(Date.UTC(year, month - back), Date.UTC(year, month - back + 1), shift)
    const start = monday - back * 7 * DAY_MS
    return range(start, start + 7 * DAY_MS, shift)
  })
}

/** Matches a span up to now: 最近三个月. */
const SPAN = /(?:这|近|过去|最近)的?(一|半|两|三|几|\d{1,2})个?(年|月|周|星期|礼拜|天)/g
const COUNTS: Readonly<Record<string, number>> = { 一: 1, 半: 0.5, 两: 2, 三: 3, 几: 4 }
const UNIT_DAYS: Readonly<Record<string, number>> = { 年: 365, 月: 30, 周: 7, 星期: 7, 礼拜: 7, 天: 1 }

/** Reads spans that end with the current day: 这一年, 最近几个月. */
function readSpans(question: string, now: number): TimeRange[] {
  return [...question.matchAll(SPAN)].map(([, count = '', unit = '']) => {
    const days = (COUNTS[count] ?? Number(count)) * (UNIT_DAYS[unit] ?? 1)
    return { from: now - days * DAY_MS, to: now + DAY_MS }
  })
}

function range(from: number, to: number, shift: number): TimeRange {
  return { from: from - shift, to: to - shift }
}

/** A time range in milliseconds since 1970. `from` is included, `to` is excluded. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

const HAN = /\p{Script=Han}/u
/** English words for times: “yesterday”, “last”, “jan”. */
const TIME_WORDS = either(
  /yesterday|today|tonight|tomorrow|last|past|next|this|ago|earlier|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|may/,
  /jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december/,
)
/** Matches words for times. Texts without one are not parsed, since that takes half a millisecond. */
const HINT = pattern(
  'i',
  /\d/,
  String.raw`\b(?:${TIME_WORDS})\b`,
  /spring|summer|autumn|fall|winter|christmas|halloween|valentine|new year/,
  /[春夏秋冬][天季]|圣诞|元旦|跨年|万圣|情人节|[昨今明前后]天|今晚|昨晚|[上下这本][个]?(?:周|星期|月|年)|[去今明前]年|星期|周[一二三四五六日天]|月|号|日|(?:这|近|过去|最近)的?(?:[一半两三几]|\d{1,2})个?(?:年|礼拜|天)/,
)

/**
 * Reads the times that a question names. Each range is as long as the named time: a day, a month, a year.
 *
 * @param now time of the question, for “last March” and 上个月
 * @param offsetMinutes the user's zone, minutes east of UTC
 * @example
 * readTimeRanges('What did I cook on May 4th?', Date.UTC(2023, 4, 10)) // [{ from: 2023-05-04, to: 2023-05-05 }]
 */
export function readTimeRanges(text: string, now: number, offsetMinutes = 0): readonly TimeRange[] {
  if (last?.text === text && last.now === now && last.offsetMinutes === offsetMinutes) return last.ranges
  const question = simplifyChinese(text)
  const ranges = HINT.test(question) ? findRanges(question, now, offsetMinutes) : []
  last = { text, now, offsetMinutes, ranges }
  return ranges
}

/** Caches the last result, because recalls ask twice and parsing many dates is slow. */
let last: {
  readonly text: string
  readonly now: number
  readonly offsetMinutes: number
  readonly ranges: readonly TimeRange[]
} | null = null

function findRanges(question: string, now: number, offsetMinutes: number): readonly TimeRange[] {
  const isChinese = HAN.test(question)
  const parser = isChinese ? chinese : english
  // Gives the parser the zone of the user. By default it uses that of the process.
  const reference = { instant: new Date(now), timezone: offsetMinutes }
  const months = isChinese ? readMonthsOfYears(question, now, offsetMinutes) : []
  const relative = isChinese ? readRelativeChinese(question, now, offsetMinutes) : []
  const seasons = readSeasons(question, now, offsetMinutes)
  const rest = months.length > 0 ? '' : question.replaceAll(PART_OF_MONTH, '')
  const named = parser.parse(rest, reference, { forwardDate: false }).flatMap((result) => {
    const range = toRange(result, offsetMinutes)
    if (range === undefined) return []
    const isMonthWithoutYear = !result.start.isCertain('year') && result.start.isCertain('month')
    return [isMonthWithoutYear && range.from > now && !AHEAD.test(question) ? aYearBefore(range) : range]
  })
  return [...months, ...relative, ...(isChinese ? readSpans(question, now) : []), ...seasons, ...named]
}

/** Matches “the end of” before a month. It is removed, since chrono-node would read it as the last day. */
const PART_OF_MONTH =
  /\b(?:the\s+)?(?:very\s+)?(?:early|mid|late|(?:beginning|start|middle|end)\s+of)[\s-]+(?=(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/gi
/** Matches questions about the future. In others, a month without a year is the latest past one. */
const AHEAD =
  /\b(?:will|shall|going to|gonna|plan(?:s|ned|ning)?|next|coming|upcoming|am i|are we)\b|将|(?<![重需主])要|打算|计划|准备|下个?|明年/i

function aYearBefore({ from, to }: TimeRange): TimeRange {
  const back = (time: number): number => {
    const date = new Date(time)
    return date.setUTCFullYear(date.getUTCFullYear() - 1)
  }
  return { from: back(from), to: back(to) }
}

function toRange(result: ParsedResult, offsetMinutes: number): TimeRange | undefined {
  const { start, end } = result
  const hasDay = start.isCertain('day') || start.isCertain('weekday')
  const hasMonth = start.isCertain('month')
  const hasYear = start.isCertain('year')
  if (!hasDay && !hasMonth && !hasYear) return undefined
  const year = start.get('year') ?? 0
  const month = (start.get('month') ?? 1) - 1
  const day = start.get('day') ?? 1
  const shift = -offsetMinutes * 60_000
  const from = Date.UTC(year, hasDay || hasMonth ? month : 0, hasDay ? day : 1) + shift
  if (end !== null && end !== undefined) {
    const last = Date.UTC(end.get('year') ?? year, (end.get('month') ?? 1) - 1, end.get('day') ?? 1) + shift
    return { from, to: Math.max(last, from) + DAY_MS }
  }
  if (hasDay) return { from, to: from + DAY_MS }
  if (isWeek(result.text)) return { from, to: from + 7 * DAY_MS }
  return { from, to: (hasMonth ? Date.UTC(year, month + 1, 1) : Date.UTC(year + 1, 0, 1)) + shift }
}

function isWeek(text: string): boolean {
  return /week|周|星期/i.test(text)
}

/** First month, counted from 0, and number of months of each season in the northern hemisphere. */
const SEASONS: Readonly<Record<string, readonly [month: number, months: number]>> = {
  spring: [2, 3],
  summer: [5, 3],
  autumn: [8, 3],
  fall: [8, 3],
  winter: [11, 3],
  春: [2, 3],
  夏: [5, 3],
  秋: [8, 3],
  冬: [11, 3],
}

const ENGLISH =
  /\b(?:(last|this|next)\s+)?(spring|summer|autumn|fall|winter)(?:\s+(?:of\s+)?((?:19|20)\d\d))?\b/gi

const CHINESE = /(?:(前年|去年|今年)|((?:19|20)\d\d)年)?的?([春夏秋冬])[天季]/g

/** Holidays with fixed dates. The month is counted from 0. */
const FEASTS: readonly (readonly [name: RegExp, month: number, day: number])[] = [
  [/\bchristmas\b|圣诞/i, 11, 25],
  [/\bnew year['’]?s?\b|元旦|跨年/i, 0, 1],
  [/\bhalloween\b|万圣节/i, 9, 31],
  [/\bvalentine['’]?s\b|情人节/i, 1, 14],
]

/** Days before and after a holiday that belong to its range, since people speak of it around that time. */
const AROUND_FEAST = 5

const YEARS_BACK: Readonly<Record<string, number>> = { 前年: 2, 去年: 1, 今年: 0 }

/** Returns the season of a year. Without a year, returns the latest season that has begun. */
function seasonOf(
  [month, months]: readonly [number, number],
  year: number | null,
  now: number,
  shift: number,
): TimeRange {
  const startIn = (year: number): number => Date.UTC(year, month) - shift
  const thisYear = new Date(now + shift).getUTCFullYear()
  const chosenYear = year ?? (startIn(thisYear) <= now ? thisYear : thisYear - 1)
  return { from: startIn(chosenYear), to: Date.UTC(chosenYear, month + months) - shift }
}

function feastAround(month: number, day: number, now: number, shift: number): TimeRange {
  const thisYear = new Date(now + shift).getUTCFullYear()
  const year = Date.UTC(thisYear, month, day) - shift <= now ? thisYear : thisYear - 1
  return {
    from: Date.UTC(year, month, day - AROUND_FEAST) - shift,
    to: Date.UTC(year, month, day + AROUND_FEAST + 1) - shift,
  }
}

/** Reads seasons and holidays, which chrono-node does not read. Without a year, the latest that has begun is meant. */
export function readSeasons(question: string, now: number, offsetMinutes: number): TimeRange[] {
  const shift = offsetMinutes * 60_000
  const thisYear = new Date(now + shift).getUTCFullYear()
  const english = [...question.matchAll(ENGLISH)]
    // “A fall” and “I fall” name no season, but “in the fall” does.
    .filter(
      ([all, which, name, year]) =>
        name?.toLowerCase() !== 'fall' ||
        which !== undefined ||
        year !== undefined ||
        new RegExp(String.raw`\b(?:in|over|during) (?:the )?${all}`, 'i').test(question),
    )
    .map(([, , name = '', year]) =>
      seasonOf(SEASONS[name.toLowerCase()] ?? [0, 12], year === undefined ? null : Number(year), now, shift),
    )
  const chinese = [...question.matchAll(CHINESE)].map(([, named, year, name = '']) => {
    const relativeYear = named === undefined ? null : thisYear - (YEARS_BACK[named] ?? 0)
    return seasonOf(SEASONS[name] ?? [0, 12], year === undefined ? relativeYear : Number(year), now, shift)
  })
  const feasts = FEASTS.filter(([name]) => name.test(question)).map(([, month, day]) =>
    feastAround(month, day, now, shift),
  )
  return [...english, ...chinese, ...feasts]
}

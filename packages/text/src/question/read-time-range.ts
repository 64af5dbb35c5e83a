// The two languages alone: the package's root loads all of its locales.
import type { ParsedResult } from 'chrono-node'
import * as english from 'chrono-node/en'
import * as chinese from 'chrono-node/zh/hans'
import { readSeasons } from './read-seasons.ts'
import { readMonthsOfYears, readRelativeChinese } from './read-relative-chinese.ts'

/** A stretch of time, from (included) to (excluded), in milliseconds since 1970. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

const DAY_MS = 86_400_000
const HAN = /\p{Script=Han}/u
/** A question without any of these names no time; asking the parser costs half a millisecond. */
const HINT =
  /\d|\b(?:yesterday|today|tonight|tomorrow|last|past|next|this|ago|earlier|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december)\b|spring|summer|autumn|fall|winter|christmas|halloween|valentine|new year|[春夏秋冬][天季]|圣诞|元旦|跨年|万圣|情人节|[昨今明前后]天|今晚|昨晚|[上下这本][个]?(?:周|星期|月|年)|[去今明前]年|星期|周[一二三四五六日天]|月|号|日/i

/**
 * The times that a question names, as ranges as wide as they were named: a day, a month, a year.
 *
 * @param now the moment of asking, for “last March” and 上个月
 * @param offsetMinutes the asker's zone, minutes east of UTC
 * @example
 * readTimeRanges('What did I cook on May 4th?', Date.UTC(2023, 4, 10)) // [{ from: 2023-05-04, to: 2023-05-05 }]
 */
export function readTimeRanges(question: string, now: number, offsetMinutes = 0): readonly TimeRange[] {
  if (!HINT.test(question)) return []
  const isSame = last?.question === question && last.now === now && last.offsetMinutes === offsetMinutes
  last = isSame ? last : { question, now, offsetMinutes, ranges: findRanges(question, now, offsetMinutes) }
  return last?.ranges ?? []
}

/** What was read last: a recall asks for the same twice, and of what is full of dates the parser takes long. */
let last: {
  readonly question: string
  readonly now: number
  readonly offsetMinutes: number
  readonly ranges: readonly TimeRange[]
} | null = null

function findRanges(question: string, now: number, offsetMinutes: number): readonly TimeRange[] {
  const isChinese = HAN.test(question)
  const parser = isChinese ? chinese : english
  // The parser reads dates in the process's zone; the reference is given as an instant with its own zone.
  const reference = { instant: new Date(now), timezone: offsetMinutes }
  const months = isChinese ? readMonthsOfYears(question, now, offsetMinutes) : []
  const relative = isChinese ? readRelativeChinese(question, now, offsetMinutes) : []
  const seasons = readSeasons(question, now, offsetMinutes)
  const rest = months.length > 0 ? '' : question.replaceAll(PART_OF_MONTH, '')
  const named = parser.parse(rest, reference, { forwardDate: false }).flatMap((result) => {
    const range = toRange(result, offsetMinutes)
    if (range === undefined) return []
    const isOpen = !result.start.isCertain('year') && result.start.isCertain('month')
    return [isOpen && range.from > now && !AHEAD.test(question) ? aYearBefore(range) : range]
  })
  return [...months, ...relative, ...seasons, ...named]
}

/** “The end of April” is not its last day alone. */
const PART_OF_MONTH =
  /\b(?:the\s+)?(?:very\s+)?(?:early|mid|late|(?:beginning|start|middle|end)\s+of)[\s-]+(?=(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/gi
/** A month without a year is the last there was, unless what is to come is asked about. */
const AHEAD =
  /\b(?:will|shall|going to|gonna|plan(?:s|ned|ning)?|next|coming|upcoming|am i|are we)\b|将|(?<![重需主])要|打算|计划|准备|下个?|明年/i

function aYearBefore({ from, to }: TimeRange): TimeRange {
  const back = (at: number): number => {
    const date = new Date(at)
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
  const from =
    (hasDay ? Date.UTC(year, month, day) : hasMonth ? Date.UTC(year, month, 1) : Date.UTC(year, 0, 1)) + shift
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

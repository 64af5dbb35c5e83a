import { analyseText } from '@keepsake/text'
import { readEnglishNumbers, readChineseNumber, CHINESE_DIGITS } from './number-words.ts'

export type QuantityKind = 'number' | 'year' | 'month' | 'day' | 'weekday' | 'time' | 'half-day'

/** A number, or a part of a date or time, in one form for both languages. (The engine's type of this name serves its check of statements.) */
export interface Quantity {
  readonly kind: QuantityKind
  /** `3`, `2021`, `3:30` (hours to 12) or `pm`. */
  readonly value: string
  /** Stem or measure word of the counted things. `null`: the text names none. */
  readonly unit: string | null
  /** Whether texts often omit the quantity: “one”, 一, am and pm. Another value contradicts it, but it may be absent. */
  readonly isOptional: boolean
}

interface ReadQuantities {
  readonly quantities: readonly Quantity[]
  /** The text with spaces in place of the quantities, so that positions stay. The words for counted things are not replaced. */
  readonly rest: string
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const MONTH =
  '(January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)'
/** The beginnings of English weekdays, each with the Chinese characters of the same day. */
const WEEKDAYS = 'mon一 tue二 wed三 thu四 fri五 sat六 sun日天'.split(' ')
/** Matches a number up to 31 in Chinese characters or digits. */
const HAN = `[${CHINESE_DIGITS}十\\d]{1,3}`
/** Measure words that only say that single things are counted. They name no unit. */
const GENERIC_MEASURE = '个只条位名头匹口'
/** Measure words after which a Chinese numeral counts something. Before other characters, 一 is mostly part of a word. */
const MEASURE = `个月|小时|分钟|公里|公斤|星期|[${GENERIC_MEASURE}本次年月天日周岁元块米斤楼层张辆台套间家件双杯瓶碗届场遍倍种把支首门盒秒箱顿节]`

/** Converts a match to quantities. `null`: the match is no quantity. */
type ReadMatch = (match: RegExpExecArray) => readonly Quantity[] | null
type Rule = readonly [RegExp, ReadMatch]

/**
 * Rules for dates and times, in order. A text that a rule has read is replaced by spaces, so that later rules do not read it again. The rules
 * read `2021-05-03`, `2021-05`, `2021年5月3日`, `2021年`, `May 3, 2021`, `3 May 2021`, `May 2021`, `in May`, `April`, `Monday`, `on Mon`,
 * `星期一`, `3:30 pm`, `下午3:30` and `下午三点半`.
 */
const RULES: readonly Rule[] = [
  [/\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/g, ([, y, m, d]) => date(y, m, d)],
  [/\b((?:19|20)\d\d)-(0[1-9]|1[0-2])\b/g, ([, y, m]) => date(y, m)],
  [
    new RegExp(`(?:([${CHINESE_DIGITS}\\d]{4})年)?(${HAN})月份?(?:(${HAN})[日号])?`, 'g'),
    ([, y, m, d]) => date(y, m, d),
  ],
  [new RegExp(`([${CHINESE_DIGITS}\\d]{4})年`, 'g'), ([, y]) => date(y)],
  [
    new RegExp(`\\b${MONTH}\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?\\b(?:,?\\s+(\\d{4})\\b)?`, 'g'),
    ([, m, d, y]) => date(y, m, d),
  ],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}\\b(?:,?\\s+(\\d{4})\\b)?`, 'g'),
    ([, d, m, y]) => date(y, m, d),
  ],
  [new RegExp(`\\b${MONTH}(?:,|\\s+of)?\\s+(\\d{4})\\b`, 'g'), ([, m, y]) => date(y, m)],
  [
    new RegExp(
      `(?<=\\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Bb]y|[Ll]ast|[Nn]ext|[Ee]arly|[Ll]ate)\\s)${MONTH}\\b`,
      'g',
    ),
    ([, m]) => date(undefined, m),
  ],
  [
    /\b(January|February|April|June|July|August|September|October|November|December)\b/g,
    ([, m]) => date(undefined, m),
  ],
  [/\b(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?days?\b/gi, ([, name = '']) => weekday(name)],
  [
    /(?<=\b(?:on|last|next|this|every)\s)(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:r?s)?\b/gi,
    ([, name = '']) => weekday(name),
  ],
  [/(?:星期|周|礼拜)([一二三四五六日天])(?![次回遍个天顿节])/g, ([, name = '']) => weekday(name)],
  [
    /\b(\d{1,2})(?:[:.](\d{2}))?\s*([ap])\.?m\b\.?/gi,
    ([, h, m, half = '']) => time(h, m, `${half.toLowerCase()}m`),
  ],
  [
    /(凌晨|早上|上午|中午|下午|傍晚|晚上)?\s*(?<!\d)(\d{1,2}):(\d{2})(?!\d)/g,
    ([, partOfDay, h, m]) => time(h, m, halfOf(partOfDay)),
  ],
  [
    new RegExp(`(凌晨|早上|上午|中午|下午|傍晚|晚上)?(${HAN})点(半|整|钟|(?:${HAN})分?)?`, 'g'),
    ([, partOfDay, h, afterHour]) => {
      // 一点 alone mostly means “a little”.
      const isALittle = partOfDay === undefined && afterHour === undefined && h === '一'
      return isALittle ? null : time(h, minutesOf(afterHour), halfOf(partOfDay))
    },
  ],
]

/** Matches a number in digits with its scale and measure word: `1,200`, `3rd`, `3万`, `5公里`. */
const DIGITS = new RegExp(
  `(?<![\\p{Script=Latin}\\d])(\\d+(?:,\\d{3})*(?:\\.\\d+)?)(?:st|nd|rd|th)?(万|亿|千|百)?(${MEASURE})?`,
  'gu',
)
/** Matches a number in Chinese characters with its measure word: 三十二, 两本. */
const HAN_NUMBER = new RegExp(`([一二两三四五六七八九十][${CHINESE_DIGITS}十百千万亿]*)(${MEASURE})?`, 'g')

/** Reads numbers, dates and times of an NFKC text. Ordinals in words, fractions and relative dates stay words. */
export function readQuantities(text: string): ReadQuantities {
  const quantities: Quantity[] = []
  // `matchAll` reads a copy of `rest`, so `rest` may change inside the loop.
  let rest = text
  const applyRule = (pattern: RegExp, readMatch: ReadMatch): void => {
    for (const match of rest.matchAll(pattern)) {
      const matched = readMatch(match)
      if (matched === null) continue
      quantities.push(...matched)
      rest = blank(rest, match.index, match.index + match[0].length)
    }
  }
  for (const [pattern, readMatch] of RULES) applyRule(pattern, readMatch)
  for (const { value, start, end, unit } of readEnglishNumbers(rest)) {
    quantities.push(numberOf(value, unit ?? unitAfter(rest, end), value === 1))
    rest = blank(rest, start, end)
  }
  applyRule(DIGITS, (match) => readDigits(match, rest))
  applyRule(HAN_NUMBER, readHan)
  return { quantities, rest }
}

function readDigits(match: RegExpExecArray, text: string): Quantity[] {
  const [whole, digits = '', scale, measure] = match
  const value = Number(digits.replaceAll(',', '')) * (scale === undefined ? 1 : scaleOf(scale))
  if (/^(?:19|20)\d\d$/.test(digits) && scale === undefined && measure === undefined)
    return date(digits) ?? []
  const unit = measure === undefined ? unitAfter(text, match.index + whole.length) : unitOf(measure)
  return [numberOf(value, unit, false)]
}

function readHan([, numeral = '', measure]: RegExpExecArray): Quantity[] | null {
  // Without a measure word only a numeral of several characters counts: 一 alone is mostly part of a word.
  if (measure === undefined && (numeral.length < 2 || !/[十百千万]/.test(numeral))) return null
  const value = readChineseNumber(numeral)
  return value === null ? null : [numberOf(value, unitOf(measure ?? null), value === 1)]
}

function numberOf(value: number, unit: string | null, isOptional: boolean): Quantity {
  return { kind: 'number', value: String(value), unit, isOptional }
}

function unitOf(measure: string | null): string | null {
  return measure !== null && GENERIC_MEASURE.includes(measure) ? null : measure
}

/** Returns the stem of the English word after a number. `null`: there is none. */
function unitAfter(text: string, end: number): string | null {
  const word = /^[\s-]*([\p{L}]+|%)/u.exec(text.slice(end, end + 40))?.[1]
  if (word === undefined || /\p{Script=Han}/u.test(word)) return null
  return word === '%' ? 'percent' : (analyseText(word).terms[0] ?? null)
}

function scaleOf(scale: string): number {
  return scale === '亿' ? 1e8 : scale === '万' ? 1e4 : scale === '千' ? 1e3 : 100
}

function date(year?: string, month?: string, day?: string): Quantity[] | null {
  const monthNumber = month === undefined ? null : monthOf(month)
  const dayNumber = day === undefined ? null : (readChineseNumber(day) ?? Number.NaN)
  if (monthNumber !== null && !(monthNumber >= 1 && monthNumber <= 12)) return null
  if (dayNumber !== null && !(dayNumber >= 1 && dayNumber <= 31)) return null
  return [
    ...(year === undefined ? [] : [partOf('year', digitsOf(year))]),
    ...(monthNumber === null ? [] : [partOf('month', String(monthNumber))]),
    ...(dayNumber === null ? [] : [partOf('day', String(dayNumber))]),
  ]
}

function monthOf(month: string): number {
  const name = MONTHS.indexOf(month.slice(0, 3).toLowerCase())
  return name === -1 ? (readChineseNumber(month) ?? Number.NaN) : name + 1
}

/** Converts the characters of a year to digits: 二〇二一 becomes 2021. */
function digitsOf(year: string): string {
  return Array.from(year, (character) => String(readChineseNumber(character) ?? character)).join('')
}

function weekday(name: string): Quantity[] {
  const day = WEEKDAYS.findIndex((names) => names.includes(name.toLowerCase()))
  return [partOf('weekday', String(day + 1))]
}

/** Makes a part of a date or time. */
export function partOf(kind: QuantityKind, value: string, isOptional = false): Quantity {
  return { kind, value, unit: null, isOptional }
}

function time(
  hours: string | undefined,
  minutes: string | undefined,
  half: string | null,
): Quantity[] | null {
  const hour = readChineseNumber(hours ?? '')
  if (hour === null || hour > 24) return null
  const minute = (minutes ?? '00').padStart(2, '0')
  const halfOfDay = hour >= 13 ? 'pm' : half
  return [
    partOf('time', `${hour % 12}:${minute}`),
    ...(halfOfDay === null ? [] : [partOf('half-day', halfOfDay, true)]),
  ]
}

/** Converts a Chinese part of the day, such as 下午, to am or pm. */
function halfOf(partOfDay: string | undefined): string | null {
  if (partOfDay === undefined) return null
  return /凌晨|早上|上午/.test(partOfDay) ? 'am' : 'pm'
}

/** Reads the minutes of a Chinese time from the text after 点 (o'clock), such as 半 (half). */
function minutesOf(afterHour: string | undefined): string | undefined {
  if (afterHour === undefined || afterHour === '整' || afterHour === '钟') return undefined
  return afterHour === '半' ? '30' : String(readChineseNumber(afterHour.replace('分', '')) ?? 0)
}

function blank(text: string, start: number, end: number): string {
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end)
}

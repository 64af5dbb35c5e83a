// Compares the numbers, units and dates of a statement with the talk.
import { readTimeRanges, zoneOffset, type TimeRange } from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import type { Turn } from '../../turns/turn.ts'
import { DAY_MS } from './dates-of-statement.ts'
import { open, textOf, wrong, type Difference, type Talk } from './difference.ts'
import {
  dimensionsOf,
  exclusiveUnits,
  isSameUnit,
  namesUnit,
  readQuantities,
  type Quantity,
} from './read-quantities.ts'
import { matchAnyOf } from './word-lists.ts'

/** Compares the numbers and units of a statement with those of the talk. */
export function compareNumbers(candidate: Candidate, said: Talk): Difference[] {
  const text = candidate.text.replaceAll(DATE, ' ').replaceAll(UNCOUNTED, ' ')
  const years = new Set(said.turns.map(({ at }) => new Date(at).getUTCFullYear()))
  // Years are compared by `compareYears`.
  const quantities = readQuantities(text).filter(
    ({ value, unit, noun }) => !years.has(value) && (unit !== null || noun !== null || !isYear(value)),
  )
  const talk = textOf(said)
  const known = readQuantities(talk)
  const differences = quantities.flatMap((quantity) => compareQuantity(quantity, known, said) ?? [])
  return [...differences, ...compareUnitsAlone(text, talk), ...compareYears(candidate.text, known, said)]
}

function compareQuantity(quantity: Quantity, known: readonly Quantity[], said: Talk): Difference | null {
  const { value, noun } = quantity
  const same = known.filter((other) => other.value === value)
  // Statements use 1 for "a" and "an", so it need not be said.
  if (same.length === 0 && value !== 1)
    return isComputed(quantity, known, said) ? open(`${value} is reckoned`) : wrong(`${value} was not said`)
  const ofSameNoun = known.filter((other) => other.noun !== null && other.noun === noun)
  if (ofSameNoun.length > 0 && !ofSameNoun.some((other) => other.value === value))
    return open(`another number of ${noun} was said`)
  return value === 1 ? null : compareUnit(quantity, same, textOf(said))
}

const isYear = (value: number): boolean => /^(?:19|20)\d\d$/.test(String(value))

/** Compares years without a month, which `compareDates` does not read. */
function compareYears(text: string, known: readonly Quantity[], said: Talk): Difference[] {
  const yearsOfTurns = said.turns.map(({ at }) => new Date(at).getUTCFullYear())
  const hasYear = known.some(({ value }) => isYear(value))
  // A year with a month or a season is compared as a date, so only “2019” and “in 2019” stay.
  const withoutDates = text.replaceAll(DATE, (date) => (/^(?:[a-z]+ )?\d{4}年?$/i.test(date) ? date : ' '))
  const years = withoutDates.match(/(?<![\d,.-])(?:19|20)\d\d(?![\d,]|\.\d)/g) ?? []
  return years.flatMap((written) => {
    const year = Number(written)
    // “In 98” means 1998.
    const isSaid = known.some(({ value }) => value === year || (value > 20 && value === year % 100))
    const isNear = yearsOfTurns.some((yearOfTurn) => Math.abs(yearOfTurn - year) <= 1)
    if (isSaid || (isNear && !hasYear)) return []
    if (isNear || isComputed({ value: year, unit: null, noun: null }, known, said))
      return [open(`${written} is reckoned`)]
    return [hasYear ? wrong(`${written} was not said`) : open(`${written} may follow from the talk`)]
  })
}

/** Compares units that exclude each other, also without a number, such as “monthly” and “weekly”. */
function compareUnitsAlone(text: string, talk: string): Difference[] {
  const unitsOfTalk = exclusiveUnits(talk)
  return exclusiveUnits(text).flatMap(({ unit, dimension }) => {
    const isSaid = namesUnit(talk, unit) || unitsOfTalk.some((entry) => entry.unit === unit)
    if (isSaid || !unitsOfTalk.some((entry) => entry.dimension === dimension)) return []
    return [dimension === 'rate' ? open('it was said of another span') : wrong('another unit was said')]
  })
}

/** Compares the unit of a number with those of the same number in the talk. */
function compareUnit({ value, unit }: Quantity, same: readonly Quantity[], talk: string): Difference | null {
  if (unit === null || same.some((quantity) => quantity.unit !== null && isSameUnit(quantity.unit, unit)))
    return null
  const dimensions = new Set(dimensionsOf(unit))
  const otherQuantity = same.find(
    (quantity) => quantity.unit !== null && dimensionsOf(quantity.unit).some((name) => dimensions.has(name)),
  )
  if (otherQuantity !== undefined) return wrong(`${value} was said with another unit`)
  // “I'm 41” and “5 foot 6” leave the unit out.
  const canBeOmitted = unit === 'age' || (unit === 'inch' && namesUnit(talk, 'foot'))
  const isAmbiguous = exclusiveUnits(talk).some(
    (entry) => entry.unit !== unit && dimensions.has(entry.dimension),
  )
  const isSaid = namesUnit(talk, unit) && !isAmbiguous
  return canBeOmitted || isSaid ? null : open(`the unit of ${value} was not said`)
}

/** Matches numbers that are not exact, such as “sixties” or “fortyish”, from which any number may follow. */
const VAGUE_NUMBER = /\bish\b|\d(?:ish|s)\b|\b\w+(?:teens|ties)\b|\bhalf\b|\bquarter\b|几|多岁|半/i

/** Checks whether a number may be computed from two others, such as a year from an age. */
function isComputed({ value }: Quantity, known: readonly Quantity[], said: Talk): boolean {
  if (VAGUE_NUMBER.test(textOf(said))) return true
  const years = said.turns.map(({ at }) => new Date(at).getUTCFullYear())
  const numbers = known.map((quantity) => quantity.value)
  const operands = [...numbers, ...years]
  return operands.some((a, first) =>
    operands.some((b, second) => first !== second && [a + b, a - b, a * b, a / b].includes(value)),
  )
}

/** Matches a month. A text with this pattern may name a date without its year. */
const MONTH = /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|月/i
const WEEKDAY =
  /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?\b|周[一二三四五六日天末]|星期[一二三四五六日天]|礼拜[一二三四五六日天]/i
const WEEK_MS = 7 * DAY_MS
const YEAR_MS = 365.25 * DAY_MS
/** Matches words of time, from which the date may follow although the date reader does not understand them. */
const TIME_WORDS = matchAnyOf({
  words: [
    'ago|last|next|since|until|till|yesterday|tomorrow|tonight|today|week|month|year|weekend|fortnight',
    'christmas|easter|new year|birthday|summer|winter|spring|autumn|morning|term|now|this',
  ],
  others: ['昨|今|明|前|后|去年|周|星期|礼拜|月|年|节|元旦|刚'],
})

/** Matches spans of time, which are no dates: “for two years”. */
const SPAN = /\bfor (?:\S+ ){1,3}?(?:years?|months?|weeks?|days?)\b/gi

/** Compares the dates of a statement with the times that the turns name. */
export function compareDates(candidate: Candidate, said: Talk): Difference[] {
  const { turns } = said
  const firstEvidence = turns.find(({ id }) => candidate.evidence.some(({ turn }) => turn === id))
  const saidAt = firstEvidence?.at ?? candidate.validFrom
  const zone = turns.at(-1)?.timeZone ?? null
  const stated = readTimeRanges(candidate.text.replaceAll(SPAN, ' '), saidAt, zoneOffset(zone, saidAt))
  if (stated.length === 0) return []
  const evidenceIds = new Set(said.quotes.map(({ turn }) => turn.id))
  const saidTimes = turns.flatMap((turn) => {
    const times = timesIn(turn)
    const meansItsDay = evidenceIds.has(turn.id) && (times.length === 0 || SAME_DAY.test(turn.text))
    return meansItsDay ? [dayOf(turn), ...times] : times
  })
  const talk = textOf(said)
  const numbers = new Set(readQuantities(talk).map(({ value }) => value))
  return stated.flatMap((range) => {
    if (saidTimes.some((time) => isWithin(time, range))) return []
    // A day of this or a near month may be said by its number: “on the 5th”.
    const isNearDay =
      range.to - range.from <= DAY_MS && Math.abs(range.from - saidAt) < MAX_DAYS_BY_NUMBER * DAY_MS
    if (isNearDay && numbers.has(new Date(range.from).getUTCDate())) return []
    return [
      TIME_WORDS.test(talk) ? open('its date may follow from the talk') : wrong('its date was not said'),
    ]
  })
}

/** Maximum distance in days of a day that is said by its number only: this month and the next. */
const MAX_DAYS_BY_NUMBER = 45

/** Matches words that mean the day of their turn. */
const SAME_DAY = /\b(?:today|tonight|this (?:morning|afternoon|evening)|now|just)\b|今|刚|现在/i

/** Returns the day of a turn in the speaker's time zone. */
function dayOf({ at, timeZone }: Turn): TimeRange {
  const shift = zoneOffset(timeZone, at) * 60_000
  const from = Math.floor((at + shift) / DAY_MS) * DAY_MS - shift
  return { from, to: from + DAY_MS }
}

/** Matches a weekday whose week is named: “last Monday”, 下周. */
const WEEKDAY_OF_WEEK =
  /\b(?:last|next|this|past|coming)\s+(?:mon|tue|wed|thu|fri|sat|sun)|[上下这本]个?(?:周|星期|礼拜)/i

/** Returns the times that a turn names. A weekday or month without its week or year may be of the one before or after. */
function timesIn({ text, at, timeZone }: Turn): TimeRange[] {
  // The date reader misreads "the Saturday after next".
  if (/after next|下下/i.test(text)) return []
  const isOpenWeekday = WEEKDAY.test(text) && !WEEKDAY_OF_WEEK.test(text)
  const weeks = isOpenWeekday ? [0, WEEK_MS, -WEEK_MS] : [0]
  const years = MONTH.test(text) ? [YEAR_MS, -YEAR_MS] : []
  const shifts = [...weeks, ...years]
  const offset = zoneOffset(timeZone, at)
  const clauses = text.split(/[.!?;\n。！？；，,]/)
  return clauses.flatMap((clause) => shifts.flatMap((shift) => readTimeRanges(clause, at + shift, offset)))
}

/** Checks whether a time of the talk lies within the stated one. Half a day more allows for time zones. */
function isWithin(said: TimeRange, stated: TimeRange): boolean {
  return said.from >= stated.from - 1 && said.to <= stated.to + DAY_MS / 2
}

const MONTH_NAMES = [
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?',
  String.raw`may(?= \d|$)|june?|july?|aug(?:ust)?`,
  'sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?',
].join('|')
const DAY_BEFORE = String.raw`(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?`
const DAY_AFTER = String.raw`(?: \d{1,2}(?:st|nd|rd|th)?(?!\d))?`
const WORDS_BEFORE_YEAR = 'in|since|until|of|early|late|mid|by|from|summer|winter|spring|autumn|fall'
/** Matches dates in statements, which are compared as times and not as numbers: 2026-03-05, 3月5日, “5th of March 2026”. */
export const DATE = new RegExp(
  [
    String.raw`\d{4}-\d{2}(?:-\d{2})?`,
    String.raw`\d{4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?|\d{1,2}月(?:\d{1,2}[日号])?|(?<![\d-])\d{1,2}[日号]`,
    String.raw`\b${DAY_BEFORE}(?:${MONTH_NAMES})\b\.?${DAY_AFTER},?(?: \d{4})?`,
    String.raw`\b(?:${WORDS_BEFORE_YEAR}) (?:19|20)\d\d\b|(?:19|20)\d\d年`,
  ].join('|'),
  'giu',
)

/** Matches the names of days and months. */
export const CALENDAR =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/i

/** Matches words of statements that need not count anything, and the minutes of a full hour. */
const UNCOUNTED = /\b(?:both|couple|pair|twins|first)\b|(?<=\d):00\b/gi

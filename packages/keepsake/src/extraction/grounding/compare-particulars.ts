// Compares the numbers, units and dates of a statement with what was said.
import { readTimeRanges, zoneOffset, type TimeRange } from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import type { Turn } from '../../turns/turn.ts'
import { open, textOf, wrong, type Difference, type Talk } from './difference.ts'
import { DAY_MS } from './find-unsupported.ts'
import {
  dimensionsOf,
  exclusiveUnits,
  isSameUnit,
  namesUnit,
  readQuantities,
  type Quantity,
} from './read-quantities.ts'

/** Matches dates in statements, which are compared as times and not as numbers. */
export const DATE =
  /\d{4}-\d{2}(?:-\d{2})?|\d{4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?|\d{1,2}月(?:\d{1,2}[日号])?|(?<![\d-])\d{1,2}[日号]|\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may(?= \d|$)|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?(?: \d{1,2}(?:st|nd|rd|th)?(?!\d))?,?(?: \d{4})?|\b(?:in|since|until|of|early|late|mid|by|from|summer|winter|spring|autumn|fall) (?:19|20)\d\d\b|(?:19|20)\d\d年/giu

/** Compares the numbers and units of a statement with those that were said. */
export function compareNumbers(candidate: Candidate, said: Talk): Difference[] {
  const text = candidate.text
    .replaceAll(DATE, ' ')
    .replaceAll(/\b(?:both|couple|pair|twins|first)\b|(?<=\d):00\b/gi, ' ')
  const years = new Set(said.turns.map(({ at }) => new Date(at).getUTCFullYear()))
  const quantities = readQuantities(text).filter(
    ({ value, unit, noun }) => !years.has(value) && (unit !== null || noun !== null || !isYear(value)),
  )
  const talk = textOf(said)
  const known = readQuantities(talk)
  return quantities
    .flatMap((quantity) => {
      const same = known.filter(({ value }) => value === quantity.value)
      if (same.length === 0 && quantity.value !== 1)
        return isComputed(quantity, known, said)
          ? [open(`${quantity.value} is reckoned`)]
          : [wrong(`${quantity.value} was not said`)]
      const counted = known.filter(({ noun }) => noun !== null && noun === quantity.noun)
      if (counted.length > 0 && !counted.some(({ value }) => value === quantity.value))
        return [open(`another number of ${quantity.noun} was said`)]
      if (quantity.value === 1) return []
      return compareUnit(quantity, same, talk) ?? []
    })
    .concat(comparePlainUnits(text, talk), compareYears(candidate.text, known, said))
}

const isYear = (value: number): boolean => /^(?:19|20)\d\d$/.test(String(value))

/** Compares years without a month, which `compareDates` does not read. */
function compareYears(text: string, known: readonly Quantity[], said: Talk): Difference[] {
  const now = said.turns.map(({ at }) => new Date(at).getUTCFullYear())
  const isGiven = known.some(({ value }) => isYear(value))
  // A year with a month or a season is compared as a date.
  const alone = text.replaceAll(DATE, (date) => (/^(?:[a-z]+ )?\d{4}年?$/i.test(date) ? date : ' '))
  return [...alone.matchAll(/(?<![\d,.-])(?:19|20)\d\d(?![\d,]|\.\d)/g)].flatMap(([written]) => {
    const year = Number(written)
    if (known.some(({ value }) => value === year || (value > 20 && value === year % 100))) return []
    const isNear = now.some((one) => Math.abs(one - year) <= 1)
    if (isNear && !isGiven) return []
    if (isNear || isComputed({ value: year, unit: null, noun: null }, known, said))
      return [open(`${written} is reckoned`)]
    return [isGiven ? wrong(`${written} was not said`) : open(`${written} may follow from the talk`)]
  })
}

/** Compares units that exclude each other, without their numbers. */
function comparePlainUnits(text: string, talk: string): Difference[] {
  const known = exclusiveUnits(talk)
  return exclusiveUnits(text).flatMap(({ unit, dimension }) => {
    const isSaid = namesUnit(talk, unit) || known.some((entry) => entry.unit === unit)
    if (isSaid || !known.some((entry) => entry.dimension === dimension)) return []
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
  const mayGoUnsaid = unit === 'age' || (unit === 'inch' && namesUnit(talk, 'foot'))
  const isAmbiguous = exclusiveUnits(talk).some(
    (entry) => entry.unit !== unit && dimensions.has(entry.dimension),
  )
  return mayGoUnsaid || (namesUnit(talk, unit) && !isAmbiguous)
    ? null
    : open(`the unit of ${value} was not said`)
}

const VAGUE_NUMBER = /\bish\b|\d(?:ish|s)\b|\b\w+(?:teens|ties)\b|\bhalf\b|\bquarter\b|几|多岁|半/i

/** Checks whether a number may be computed from two others, such as a year from an age. */
function isComputed({ value }: Quantity, known: readonly Quantity[], said: Talk): boolean {
  if (VAGUE_NUMBER.test(textOf(said))) return true
  const years = said.turns.map(({ at }) => new Date(at).getUTCFullYear())
  const numbers = known.map((quantity) => quantity.value)
  const from = [...numbers, ...years]
  return from.some((one, index) =>
    from.some(
      (second, i) => index !== i && [one + second, one - second, one * second, one / second].includes(value),
    ),
  )
}

const MONTH = /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|月/i
const WEEKDAY =
  /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?\b|周[一二三四五六日天末]|星期[一二三四五六日天]|礼拜[一二三四五六日天]/i
const WEEK_MS = 7 * DAY_MS
const YEAR_MS = 365.25 * DAY_MS
/** Matches words of time that the date reader may not understand. */
const TIME_WORDS =
  /\b(?:ago|last|next|since|until|till|yesterday|tomorrow|tonight|today|week|month|year|weekend|fortnight|christmas|easter|new year|birthday|summer|winter|spring|autumn|morning|term|now|this)\b|昨|今|明|前|后|去年|周|星期|礼拜|月|年|节|元旦|刚/i

/** Matches spans of time, which are no dates. */
const SPAN = /\bfor (?:\S+ ){1,3}?(?:years?|months?|weeks?|days?)\b/gi

/** Compares the dates of a statement with the times that the turns name. */
export function compareDates(candidate: Candidate, said: Talk): Difference[] {
  const { turns } = said
  const index =
    turns.find(({ id }) => candidate.evidence.some(({ turn }) => turn === id))?.at ?? candidate.validFrom
  const zone = turns.at(-1)?.timeZone ?? null
  const stated = readTimeRanges(candidate.text.replaceAll(SPAN, ' '), index, zoneOffset(zone, index))
  if (stated.length === 0) return []
  const cited = new Set(said.quotes.map(({ turn }) => turn.id))
  const allowed = turns.flatMap((turn) => {
    const times = timesIn(turn)
    const isOfDay = cited.has(turn.id) && (times.length === 0 || SAME_DAY.test(turn.text))
    return isOfDay ? [dayOf(turn), ...times] : times
  })
  const talk = textOf(said)
  const days = new Set(readQuantities(talk).map(({ value }) => value))
  return stated.flatMap((range) => {
    if (allowed.some((one) => isWithin(one, range))) return []
    const isDay = range.to - range.from <= DAY_MS && Math.abs(range.from - index) < 45 * DAY_MS
    if (isDay && days.has(new Date(range.from).getUTCDate())) return []
    return [
      TIME_WORDS.test(talk) ? open('its date may follow from the talk') : wrong('its date was not said'),
    ]
  })
}

/** Matches words that mean the day of their turn. */
const SAME_DAY = /\b(?:today|tonight|this (?:morning|afternoon|evening)|now|just)\b|今|刚|现在/i

function dayOf({ at, timeZone }: Turn): TimeRange {
  const shift = zoneOffset(timeZone, at) * 60_000
  const from = Math.floor((at + shift) / DAY_MS) * DAY_MS - shift
  return { from, to: from + DAY_MS }
}

/** Returns the times that a turn names. If it leaves the week or year open, those before and after are included. */
function timesIn({ text, at, timeZone }: Turn): TimeRange[] {
  const isFixed =
    /\b(?:last|next|this|past|coming)\s+(?:mon|tue|wed|thu|fri|sat|sun)|[上下这本]个?(?:周|星期|礼拜)/i.test(
      text,
    )
  // The date reader misreads "the Saturday after next".
  if (/after next|下下/i.test(text)) return []
  const weeks = isFixed || !WEEKDAY.test(text) ? [0] : [0, WEEK_MS, -WEEK_MS]
  const steps = [...weeks, ...(MONTH.test(text) ? [YEAR_MS, -YEAR_MS] : [])]
  return text
    .split(/[.!?;\n。！？；，,]/)
    .flatMap((clause) => steps.flatMap((step) => readTimeRanges(clause, at + step, zoneOffset(timeZone, at))))
}

/** Checks whether a time that was said lies within the stated one. */
function isWithin(said: TimeRange, stated: TimeRange): boolean {
  return said.from >= stated.from - 1 && said.to <= stated.to + DAY_MS / 2
}

import type { TimeRange } from './read-time-range.ts'

/** First month, from 0, and length in months; northern hemisphere. */
const STRETCHES: Readonly<Record<string, readonly [month: number, months: number]>> = {
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
/** Holidays with fixed dates; statements about them lie some days around. */
const FEASTS: readonly (readonly [name: RegExp, month: number, day: number])[] = [
  [/\bchristmas\b|圣诞/i, 11, 25],
  [/\bnew year['’]?s?\b|元旦|跨年/i, 0, 1],
  [/\bhalloween\b|万圣节/i, 9, 31],
  [/\bvalentine['’]?s\b|情人节/i, 1, 14],
]
const AROUND_FEAST = 5
const YEARS_BACK: Readonly<Record<string, number>> = { 前年: 2, 去年: 1, 今年: 0 }

/** Returns the season of a year, or the latest begun. */
function stretch(
  [month, months]: readonly [number, number],
  year: number | null,
  now: number,
  shift: number,
): TimeRange {
  const from = (of: number): number => Date.UTC(of, month) - shift
  const thisYear = new Date(now + shift).getUTCFullYear()
  const of = year ?? (from(thisYear) <= now ? thisYear : thisYear - 1)
  return { from: from(of), to: Date.UTC(of, month + months) - shift }
}

function feastAround(month: number, day: number, now: number, shift: number): TimeRange {
  const thisYear = new Date(now + shift).getUTCFullYear()
  const year = Date.UTC(thisYear, month, day) - shift <= now ? thisYear : thisYear - 1
  return {
    from: Date.UTC(year, month, day - AROUND_FEAST) - shift,
    to: Date.UTC(year, month, day + AROUND_FEAST + 1) - shift,
  }
}

/** Reads seasons and holidays, which chrono-node does not read; without a year, the latest begun. */
export function readSeasons(question: string, now: number, offsetMinutes: number): TimeRange[] {
  const shift = offsetMinutes * 60_000
  const thisYear = new Date(now + shift).getUTCFullYear()
  const english = [...question.matchAll(ENGLISH)]
    // “A fall” and “I fall” are no season; “in the fall” is.
    .filter(
      ([all, which, name, year]) =>
        name?.toLowerCase() !== 'fall' ||
        which !== undefined ||
        year !== undefined ||
        new RegExp(String.raw`\b(?:in|over|during) (?:the )?${all}`, 'i').test(question),
    )
    .map(([, , name = '', year]) =>
      stretch(STRETCHES[name.toLowerCase()] ?? [0, 12], year === undefined ? null : Number(year), now, shift),
    )
  const chinese = [...question.matchAll(CHINESE)].map(([, named, year, name = '']) => {
    const of = named === undefined ? null : thisYear - (YEARS_BACK[named] ?? 0)
    return stretch(STRETCHES[name] ?? [0, 12], year === undefined ? of : Number(year), now, shift)
  })
  const feasts = FEASTS.filter(([name]) => name.test(question)).map(([, month, day]) =>
    feastAround(month, day, now, shift),
  )
  return [...english, ...chinese, ...feasts]
}

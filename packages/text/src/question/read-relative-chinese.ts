import type { TimeRange } from './read-time-range.ts'

const DAY_MS = 86_400_000
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

const MONTH_OF_YEAR = /(前年|去年|今年)的?(十[一二]?|[一二三四五六七八九]|1[0-2]|[1-9])月/g
const DIGITS = '〇一二三四五六七八九'

function monthNumber(text: string): number {
  const [ten, unit] = text.startsWith('十') ? [10, text.slice(1)] : [0, text]
  return ten + (unit === '' ? 0 : /\d/.test(unit) ? Number(unit) : DIGITS.indexOf(unit))
}

/** Months of a year named from now (去年十月), of which chrono-node reads the month alone. */
export function readMonthsOfYears(question: string, now: number, offsetMinutes: number): TimeRange[] {
  const shift = offsetMinutes * 60_000
  const thisYear = new Date(now + shift).getUTCFullYear()
  return [...question.matchAll(MONTH_OF_YEAR)].map(([, named = '', month = '']) => {
    const year = thisYear - (STEPS_BACK[named] ?? 0)
    const number = monthNumber(month)
    return range(Date.UTC(year, number - 1), Date.UTC(year, number), shift)
  })
}

/**
 * Whole months, weeks and years named from now in Chinese (上个月, 本周, 去年), which chrono-node does not read.
 * Weeks start on Monday.
 */
export function readRelativeChinese(question: string, now: number, offsetMinutes: number): TimeRange[] {
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

function range(from: number, to: number, shift: number): TimeRange {
  return { from: from - shift, to: to - shift }
}

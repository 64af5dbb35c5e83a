/** Characters that stand for a digit. */
export const CHINESE_DIGITS = '〇零一二两三四五六七八九'

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const VALUES: Readonly<Record<string, number>> = Object.fromEntries([
  ...SMALL.map((word, value) => [word, value] as const),
  ...TENS.map((word, place) => [word, (place + 2) * 10] as const),
  ['dozen', 12],
])
const SCALES: Readonly<Record<string, number>> = { hundred: 100, thousand: 1_000, million: 1_000_000 }
const TIMES: Readonly<Record<string, number>> = { twice: 2, thrice: 3 }

const BELOW_HUNDRED = `(?:(?:${TENS.join('|')})(?:[\\s-]+(?:${SMALL.slice(1, 10).join('|')}))?|${SMALL.toReversed().join('|')}|dozen)`
const SCALE = `[\\s-]+(?:${Object.keys(SCALES).join('|')})`
const SPELLED = new RegExp(
  `\\b${BELOW_HUNDRED}(?:${SCALE}(?:\\s+(?:and\\s+)?${BELOW_HUNDRED})?)*\\b|\\b(?:twice|thrice)\\b`,
  'gi',
)

interface SpelledNumber {
  readonly value: number
  readonly start: number
  readonly end: number
  /** “twice” counts times; `null`: whatever word follows. */
  readonly unit: string | null
}

/** English numbers in words, including “twice”. A scale without a number before it (“thousands”) is none. */
export function readEnglishNumbers(text: string): SpelledNumber[] {
  return [...text.matchAll(SPELLED)].flatMap(({ 0: words, index }): SpelledNumber[] => {
    const place = { start: index, end: index + words.length }
    const times = TIMES[words.toLowerCase()]
    if (times !== undefined) return [{ value: times, unit: 'time', ...place }]
    const value = sumOf(words.toLowerCase().split(/[\s-]+/))
    return value === null ? [] : [{ value, unit: null, ...place }]
  })
}

function sumOf(words: readonly string[]): number | null {
  let total = 0
  let part: number | null = null
  for (const word of words) {
    const scale = SCALES[word]
    if (word === 'and') continue
    if (scale === undefined) part = (part ?? 0) + (VALUES[word] ?? 0)
    else if (part === null) return null
    else if (scale === 100) part *= scale
    else {
      total += part * scale
      part = 0
    }
  }
  return total + (part ?? 0)
}

/**
 * A whole number in digits or Chinese numerals; `null` for anything else.
 *
 * @example
 * readChineseNumber('三十二') // 32
 */
export function readChineseNumber(numeral: string): number | null {
  if (/^\d+$/.test(numeral)) return Number(numeral)
  if (numeral === '' || !/^[〇零一二两三四五六七八九十百千万亿]+$/.test(numeral)) return null
  if (numeral.length > 1 && !/[十百千万亿]/.test(numeral))
    return Number(Array.from(numeral, digitOf).join(''))
  let total = 0
  let section = 0
  let digit = 0
  for (const one of numeral) {
    const scale = { 十: 10, 百: 100, 千: 1_000 }[one]
    if (scale !== undefined) {
      section += (digit === 0 ? 1 : digit) * scale
      digit = 0
    } else if (one === '万' || one === '亿') {
      total = (total + section + digit) * (one === '万' ? 1e4 : 1e8)
      section = 0
      digit = 0
    } else digit = digitOf(one)
  }
  return total + section + digit
}

function digitOf(one: string): number {
  return one === '〇' ? 0 : one === '两' ? 2 : '零一二三四五六七八九'.indexOf(one)
}

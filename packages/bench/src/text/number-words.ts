/** The Chinese characters for single digits. */
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

/** Matches “twenty-one”, “twelve” or “dozen”. */
const BELOW_HUNDRED = `(?:(?:${TENS.join('|')})(?:[\\s-]+(?:${SMALL.slice(1, 10).join('|')}))?|${SMALL.toReversed().join('|')}|dozen)`
const SCALE = `[\\s-]+(?:${Object.keys(SCALES).join('|')})`
/** Matches a number in words: “three thousand and five”, “twice”. */
const SPELLED = new RegExp(
  `\\b${BELOW_HUNDRED}(?:${SCALE}(?:\\s+(?:and\\s+)?${BELOW_HUNDRED})?)*\\b|\\b(?:twice|thrice)\\b`,
  'gi',
)

interface SpelledNumber {
  readonly value: number
  readonly start: number
  readonly end: number
  /** The counted thing. “twice” counts times. `null`: the word after the number names it. */
  readonly unit: string | null
}

/** Reads English numbers in words, including “twice”. A scale without a number before it (“thousands”) is no number. */
export function readEnglishNumbers(text: string): SpelledNumber[] {
  return [...text.matchAll(SPELLED)].flatMap(({ 0: words, index }): SpelledNumber[] => {
    const place = { start: index, end: index + words.length }
    const times = TIMES[words.toLowerCase()]
    if (times !== undefined) return [{ value: times, unit: 'time', ...place }]
    const value = sumOf(words.toLowerCase().split(/[\s-]+/))
    return value === null ? [] : [{ value, unit: null, ...place }]
  })
}

/** Computes the value of a number in words. `null`: a scale (“hundred”) has no number before it. */
function sumOf(words: readonly string[]): number | null {
  let total = 0
  // The number below a thousand that is being read.
  let group: number | null = null
  for (const word of words) {
    const scale = SCALES[word]
    if (word === 'and') continue
    if (scale === undefined) group = (group ?? 0) + (VALUES[word] ?? 0)
    else if (group === null) return null
    else if (scale === 100) group *= scale
    else {
      total += group * scale
      group = 0
    }
  }
  return total + (group ?? 0)
}

/** Reads a whole number in digits or Chinese numerals (三十二 is 32). `null`: the text is anything else. */
export function readChineseNumber(numeral: string): number | null {
  if (/^\d+$/.test(numeral)) return Number(numeral)
  if (numeral === '' || !/^[〇零一二两三四五六七八九十百千万亿]+$/.test(numeral)) return null
  if (numeral.length > 1 && !/[十百千万亿]/.test(numeral))
    return Number(Array.from(numeral, digitOf).join(''))
  let total = 0
  // The number below ten thousand that is being read: Chinese scales go by ten thousand (万).
  let group = 0
  let digit = 0
  for (const character of numeral) {
    const scale = { 十: 10, 百: 100, 千: 1_000 }[character]
    if (scale !== undefined) {
      // 十五 is fifteen: a scale without a digit before it counts once.
      group += (digit === 0 ? 1 : digit) * scale
      digit = 0
    } else if (character === '万' || character === '亿') {
      total = (total + group + digit) * (character === '万' ? 1e4 : 1e8)
      group = 0
      digit = 0
    } else digit = digitOf(character)
  }
  return total + group + digit
}

function digitOf(character: string): number {
  if (character === '〇') return 0
  return character === '两' ? 2 : '零一二三四五六七八九'.indexOf(character)
}

// Reads the numbers of a text with their units, in digits and in English and Chinese words.
import { findTerms } from '@keepsake/text'
import words from './units.json' with { type: 'json' }

/** A number in a text, with its unit. */
export interface Quantity {
  readonly value: number
  /** A normalised unit such as `km`, `eur` or `week`; `null` without one. */
  readonly unit: string | null
  /** The term of the counted thing; `null` if none follows the number. */
  readonly noun: string | null
}

/** Reads the numbers of a text with their units and the counted things. */
export function readQuantities(written: string): Quantity[] {
  const text = normaliseNumbers(written)
  const found: Quantity[] = []
  for (const match of text.matchAll(NUMBER)) {
    const value = valueOf(match[0].toLowerCase())
    const isSuffix = /^[百千万亿]$/.test(match[0]) && /\d$/.test(text.slice(0, match.index))
    if (value === null || isSuffix) continue
    const end = match.index + match[0].length
    const large = LARGE_AFTER.exec(text.slice(end))
    const word = large?.[1]?.toLowerCase() ?? ''
    // “5 m” may be metres.
    const isLarge = /^\d/.test(match[0]) && word !== '' && word !== 'm'
    const factor = isLarge ? (LARGE[word] ?? CHINESE_LARGE[word] ?? 1) : 1
    const rest = text.slice(isLarge ? end + (large?.[0].length ?? 0) : end)
    const before = text.slice(Math.max(0, match.index - MAX_SIGN_CHARACTERS), match.index)
    found.push({ value: value * factor, unit: unitAt(rest, before), noun: nounAt(rest) })
    // "10k" may be a distance as well.
    if (word === 'k') found.push({ value, unit: 'km', noun: null })
  }
  return found
}

/** Maximum characters before a number in which the sign of a currency is searched. */
const MAX_SIGN_CHARACTERS = 12

/** Writes Chinese percentages and doubles as plain numbers: 百分之五 (5 %) as 五%, 三成 (30 %) as 三十%. Removes weekdays, such as 周三. */
function normaliseNumbers(text: string): string {
  return text
    .replaceAll(/百分之([\d.零一二两三四五六七八九十百]+)/g, '$1%')
    .replaceAll(/([一二两三四五六七八九])成(?!为|了|功|长|员|都|绩|立|年|人|交|家|本|品|语|分)/g, '$1十%')
    .replaceAll(/双(?=倍|份)/g, '二')
    .replaceAll(/(?:周|星期|礼拜)[一二三四五六日天末]/g, ' ')
}

/** Returns the term of the counted thing after a number: “old cats”, 只猫. */
function nounAt(rest: string): string | null {
  const chinese = /^[个只条张本辆位名口家头匹棵双件间台部门](\p{Script=Han})/u.exec(rest)?.[1]
  if (chinese !== undefined) return chinese
  const english = /^\s(?:of\s|small\s|big\s|old\s|new\s|more\s|other\s)?(\p{Script=Latin}{3,})/u.exec(rest)
  return findTerms(english?.[1] ?? '')[0] ?? null
}

/** Returns the unit after a number, or the currency before it. */
function unitAt(rest: string, before: string): string | null {
  const unitAfter = UNIT_PATTERNS.find(({ after }) => after.test(rest))
  const currency = UNIT_PATTERNS.filter(({ dimension }) => dimension === 'money')
  return (unitAfter ?? currency.find(({ before: sign }) => sign.test(before)))?.unit ?? null
}

/** Returns the dimensions of a unit. “Pound” has two. */
export function dimensionsOf(unit: string): string[] {
  return UNIT_LIST.filter((entry) => entry.unit === unit).map(({ dimension }) => dimension)
}

/** Checks whether a text names a unit. */
export function namesUnit(text: string, unit: string): boolean {
  return UNIT_PATTERNS.some((pattern) => pattern.unit === unit && pattern.anywhere.test(text))
}

/** Units that exclude each other even without a number. Units whose names have other meanings are not listed. */
const EXCLUSIVE = words.exclusive.map(({ word, ...rest }) => ({ ...rest, word: new RegExp(word, 'i') }))

/** Returns the exclusive units that a text names. */
export function exclusiveUnits(text: string): { readonly unit: string; readonly dimension: string }[] {
  return EXCLUSIVE.filter(({ word }) => word.test(text))
}

/** Checks whether a word is a unit. */
export function isUnitWord(word: string): boolean {
  return UNIT_PATTERNS.some(({ anywhere }) => anywhere.exec(word)?.[0].length === word.length)
}

/** Pairs of units that share a word or sign, such as pounds of money and of weight. */
const AMBIGUOUS = new Set(['gbp lb', 'age year', 'day night', 'cny yuanyen', 'jpy yuanyen'])

/** Checks whether two units may be the same. */
export function isSameUnit(first: string, second: string): boolean {
  return first === second || AMBIGUOUS.has([first, second].sort().join(' '))
}

function valueOf(written: string): number | null {
  if (/^\d/.test(written)) return Number(written.replaceAll(',', ''))
  return /^[a-z]/.test(written) ? englishValue(written) : chineseValue(written)
}

/** Adds up number words: “two hundred and five” is 205. */
function englishValue(written: string): number | null {
  let total = 0
  // The number since the last thousand or million.
  let part = 0
  for (const word of written.split(/[ -]/)) {
    const small = SMALL_NUMBERS.map((words) => words.indexOf(word)).find((index) => index >= 0)
    const ten = TENS.indexOf(word)
    const large = LARGE[word]
    const amount = NAMED_NUMBERS[word]
    if (word === 'and') continue
    if (small !== undefined) part += small
    else if (ten >= 0) part += (ten + 2) * 10
    else if (large !== undefined) {
      part = Math.max(1, part) * large
      // “Two hundred thousand and five”: thousands end a part, hundreds do not.
      if (large >= 1_000) {
        total += part
        part = 0
      }
    } else if (amount !== undefined) part = part === 0 ? amount : part * amount
  }
  return total + part
}

function chineseValue(written: string): number | null {
  const [whole = '', decimals] = written
    .replace(/[两俩]/g, '二')
    .replace('仨', '三')
    .replaceAll('〇', '零')
    .split('点')
  if (/几/.test(whole)) return null
  if (whole === '半') return 0.5
  // 二零二六 is 2026.
  if (/^[零一二三四五六七八九]{2,}$/.test(whole)) return Number(toDigits(whole))
  const fraction = decimals === undefined ? 0 : Number(`0.${toDigits(decimals)}`)
  return chineseInteger(whole) + fraction
}

function toDigits(characters: string): string {
  return Array.from(characters, (character) => DIGITS.indexOf(character)).join('')
}

/** Reads a Chinese whole number, such as 三万五千二十 (35,020). */
function chineseInteger(written: string): number {
  let total = 0
  // The number since the last 万 or 亿, without the last digit.
  let section = 0
  let digit = 0
  let unit = 1
  for (const character of written) {
    const large = CHINESE_LARGE[character]
    if (character === '半') digit = 0.5
    else if (large === undefined) digit = DIGITS.indexOf(character)
    else if (large >= 10_000) {
      total = (total + section + digit) * large
      section = 0
      digit = 0
      unit = large
    } else {
      // 十五 is 15: a missing digit before a unit is 1.
      section += (digit === 0 ? 1 : digit) * large
      digit = 0
      unit = large
    }
  }
  // 三千五 is 3500, but 三千零五 is 3005.
  const isShort = unit >= 100 && digit > 0 && !written.includes('零')
  return total + section + (isShort ? (digit * unit) / 10 : digit)
}

/** Cardinal and ordinal numbers. The place of a word is its number. */
const SMALL_NUMBERS = [
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  'null first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth',
].map((words) => words.split(' '))
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
/** Words for an amount, such as “dozen”. */
const NAMED_NUMBERS: Readonly<Record<string, number>> = words.named
const LARGE: Readonly<Record<string, number>> = words.large
/** Chinese digits. The place of a character is its number. */
const DIGITS = '零一二三四五六七八九'
const CHINESE_LARGE: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000, 万: 10_000, 亿: 1e8 }

/** All units with their dimension. Units of one dimension exclude each other. */
const UNIT_LIST = Object.entries(words.units).flatMap(([dimension, units]) =>
  Object.entries(units).map(([unit, pattern]) => ({ dimension, unit, pattern })),
)
/** Patterns of units after a number, before it (signs of money), and anywhere in a text. */
const UNIT_PATTERNS = UNIT_LIST.map(({ unit, dimension, pattern }) => ({
  unit,
  dimension,
  after: new RegExp(
    `^(?: (?:an?|of|more|further|other|full|whole|additional)(?= ))?[ -]?(?:${pattern})(?![\\p{Script=Latin}])`,
    'iu',
  ),
  before: new RegExp(`(?:${/^[^|]+/.exec(pattern)?.[0]})\\s?$`, 'iu'),
  anywhere: new RegExp(`(?<![\\p{Script=Latin}])(?:${pattern})(?![\\p{Script=Latin}])`, 'iu'),
}))
  // The unit of ages comes first, because "years old" contains "years".
  .toSorted((a, b) => Number(b.unit === 'age') - Number(a.unit === 'age'))

const CARDINALS = [
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen',
  'sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety',
].join('|')
const ORDINALS = 'third|fourth|fifth|sixth|seventh|eighth|ninth'
const LARGE_NUMBERS = 'hundred|thousand|million'
const AMOUNTS = 'half|dozen|couple|twice|both|pair|twins|fortnight|quarter'
/** First words of a number. “Second” is missing, because alone it is mostly a unit of time: “twenty-second”. */
const FIRST_WORD = `zero|${CARDINALS}|first|${ORDINALS}|tenth|eleventh|twelfth|${AMOUNTS}|${LARGE_NUMBERS}`
const FURTHER_WORD = `${CARDINALS}|first|second|${ORDINALS}|${LARGE_NUMBERS}`
/** Matches a number: “1,250.5”, 三千五, “two hundred and fifty”. */
const NUMBER = new RegExp(
  [
    String.raw`\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`,
    '[〇零一二两俩仨三四五六七八九十百千万亿半几]+(?:点[零一二三四五六七八九]+)?',
    String.raw`\b(?:${FIRST_WORD})(?:[ -](?:and[ -])?(?:${FURTHER_WORD}))*\b`,
  ].join('|'),
  'giu',
)

/** Matches a large number right after digits: “5 million”, “10k”, 3万. */
const LARGE_AFTER = /^\s?(hundred|thousand|grand|million|k|m|[百千万亿])(?![\p{Script=Latin}])/iu

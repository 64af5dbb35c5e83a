import type { SecretSpan } from './mask-secrets.ts'

/** Separators of groups: spaces, dashes, dots and slashes of all kinds. */
const GAP = String.raw`[ \u00A0\u2000-\u200D\u202F\u2060\u3000.\-\u2010-\u2015\u2212_/·•]`
/** Matches 13 to 19 digits, grouped or not, without a digit or letter next to them. */
const CARD_SHAPE = new RegExp(
  String.raw`(?<![\p{Script=Latin}\p{Nd},+]|\p{Nd}[.-])\p{Nd}(?:${GAP}{0,3}\p{Nd}){12,18}(?![\p{Script=Latin}\p{Nd}]|${GAP}\p{Nd})`,
  'gu',
)
const GROUPS =
  /^(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}(?:-\d{4}){3}-\d{1,3}|\d{4}([ -])\d{6}\2\d{4,5}|\d{6}([ -])\d{8,13}|\d([ -]\d){12,18})$/

/**
 * Matches groups separated by commas or line ends. A word must name the card, since four numbers in a row may be
 * anything.
 */
const LISTED =
  /(?:\bcards?\b|\bvisa\b|master ?card|\bamex\b|卡)[^\d\n]{0,40}[\s:：]{0,4}(?<digits>\d{4}(?:(?:[ \t,，]{0,2}\r?\n[ \t]{0,2}|[ \t]?[,，][ \t]{0,2}|[ \t])\d{2,6}){2,5})(?![\d-])/giu

/**
 * Finds card numbers by issuer, length and Luhn's check.
 * UnionPay numbers need Luhn's check too, or any long number that begins with 62 would pass.
 */
export async function findCardNumbers(text: string): Promise<SecretSpan[]> {
  const together = [...text.matchAll(CARD_SHAPE)]
    .map((match) => ({ start: match.index, length: match[0].length, digits: plainDigits(match[0]) }))
    .filter((candidate) => GROUPS.test(candidate.digits))
  const candidates = [...together, ...listedIn(text)]
  if (candidates.length === 0) return []
  const { default: validator } = await import('card-validator')
  return candidates
    .filter(({ digits }) => validator.number(digits, { luhnValidateUnionPay: true }).isValid)
    .map(({ start, length }) => ({ start, end: start + length, kind: 'card number' }))
}

function listedIn(text: string) {
  return [...text.matchAll(LISTED)].map(({ index, 0: whole, groups }) => {
    const written = groups?.['digits'] ?? ''
    const start = index + whole.length - written.length
    return { start, length: written.length, digits: written.replace(/\D+/g, '') }
  })
}

/** Converts digits of any script to ASCII, and all separators to one kind. */
function plainDigits(written: string): string {
  return written
    .replace(/\p{Nd}/gu, (digit) => String(valueOf(digit)))
    .replace(new RegExp(`${GAP}+`, 'gu'), '-')
}

/** Returns the value of a digit. Digits of a script follow a zero in tens. */
function valueOf(digit: string): number {
  const code = digit.normalize('NFKC').codePointAt(0) ?? 0
  if (code < 128) return code - 48
  let zero = code
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return code - zero
}

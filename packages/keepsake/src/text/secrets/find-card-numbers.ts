import type { SecretSpan } from './mask-secrets.ts'

/** 13 to 19 digits in one run, or in groups by single spaces or hyphens, touching no other digit or letter. */
const CARD_SHAPE =
  /(?<![\p{Script=Latin}\d０-９.,+-])[\d０-９](?:[ -]?[\d０-９]){12,18}(?![\p{Script=Latin}\d０-９]|[ -][\d０-９])/gu
const GROUPS =
  /^(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5}|\d{6}([ -])\d{8,13})$/

/**
 * Card numbers by issuer, length and Luhn's check. UnionPay numbers are held to Luhn's check too: without it any
 * long number that begins with 62 would pass.
 */
export async function findCardNumbers(text: string): Promise<SecretSpan[]> {
  const candidates = [...text.matchAll(CARD_SHAPE)]
    .map((match) => ({ start: match.index, length: match[0].length, digits: match[0].normalize('NFKC') }))
    .filter((candidate) => GROUPS.test(candidate.digits))
  if (candidates.length === 0) return []
  const { default: validator } = await import('card-validator')
  return candidates
    .filter(({ digits }) => validator.number(digits, { luhnValidateUnionPay: true }).isValid)
    .map(({ start, length }) => ({ start, end: start + length, kind: 'card number' }))
}

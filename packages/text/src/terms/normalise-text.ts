import { simplifyChinese } from './simplify-chinese.ts'

const CURLY_APOSTROPHES = /[\u2018\u2019\u02BC\uFF07]/g
const LATIN_MARKS = /(?<=[a-z])[\u0300-\u036F]+/g
/** Matches soft hyphens and characters without width, which copied words may contain. */
const UNSEEN = /[\u00AD\u200B\u2060\uFEFF]+/g
const NOT_ASCII = /[^\0-\x7F]/

/**
 * Normalises a text for word comparison: NFKC, lower case, one kind of apostrophe, no accents on Latin letters, and simplified Chinese
 * characters. So “Koln” matches “Köln”. Marks of other scripts stay, since in Devanagari or Arabic they are part of the word.
 *
 * @example
 * normaliseText('Ｋöln’s') // "koln's"
 */
export function normaliseText(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase()
  return simplifyChinese(text.normalize('NFKC'))
    .replace(UNSEEN, '')
    .replace(CURLY_APOSTROPHES, "'")
    .toLowerCase()
    .normalize('NFD')
    .replace(LATIN_MARKS, '')
    .normalize('NFC')
}

const CURLY_APOSTROPHES = /[\u2018\u2019\u02BC\uFF07]/g
const LATIN_MARKS = /(?<=[a-z])[\u0300-\u036F]+/g
const NOT_ASCII = /[^\0-\x7F]/

/**
 * The form of a text in which words are compared: compatibility forms folded (NFKC), lower case, one kind of
 * apostrophe, and accents off Latin letters, so that “Köln” is found by “Koln”. Marks of other scripts stay: in
 * Devanagari or Arabic they are part of the word.
 *
 * @example
 * normaliseText('Ｋöln’s') // "koln's"
 */
export function normaliseText(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKC')
    .replace(CURLY_APOSTROPHES, "'")
    .toLowerCase()
    .normalize('NFD')
    .replace(LATIN_MARKS, '')
    .normalize('NFC')
}

import { simplifyChinese } from '../terms/simplify-chinese.ts'

/** Matches a letter of a script without spaces, whose characters and pairs of characters serve as words. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')
const LETTER = `(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])`
const PIECE = new RegExp(`[${UNSPACED}]+|${LETTER}+(?:'${LETTER}+)*`, 'gu')
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, 'u')
const ASCII_PIECE = /[a-z0-9]+(?:'[a-z0-9]+)*/g
const NOT_ASCII = /[^\0-\x7f]/

/**
 * Splits a text into pieces: words with inner apostrophes, and runs of scripts without spaces. They are in lower case, NFKC and simplified
 * Chinese, and ’ becomes '. Emoji and punctuation are left out.
 *
 * @example splitText("Don’t go to 上海!") // ["don't", 'go', 'to', '上海']
 */
export function splitText(text: string): string[] {
  if (!NOT_ASCII.test(text)) return text.toLowerCase().match(ASCII_PIECE) ?? []
  return simplifyChinese(text.normalize('NFKC')).toLowerCase().replaceAll('’', "'").match(PIECE) ?? []
}

/** Reports whether a piece is a run of an unspaced script. */
export function isUnspaced(piece: string): boolean {
  return piece.charCodeAt(0) > 0x7f && UNSPACED_START.test(piece)
}

const CLITICS_AT_END = /(?:'(?:s|re|ve|ll|m|d))+$/
/** Verbs before “n't” that are shortened: “can't”, “won't”. */
const IRREGULAR_NEGATIONS: Readonly<Record<string, string>> = {
  ca: 'can',
  wo: 'will',
  sha: 'shall',
  ai: 'is',
}

/**
 * Splits a word at its apostrophes. A negation becomes “not”, and other clitics at the end are removed.
 *
 * @example splitClitics("won't") // ['will', 'not']
 * @example splitClitics("caroline's") // ['caroline']
 * @example splitClitics("d'angelo") // ['d', 'angelo']
 */
export function splitClitics(word: string): string[] {
  const bare = word.replace(CLITICS_AT_END, '')
  if (!bare.endsWith("n't")) return bare.split("'")
  const verb = bare.slice(0, -3)
  return [IRREGULAR_NEGATIONS[verb] ?? verb, 'not']
}

/** Returns candidates for a word with letters repeated for emphasis: with two of each, and with one. “Soooo” gives “soo” and “so”. */
export function withoutDrawl(word: string): string[] {
  const two = word.replace(/(\p{L})\1{2,}/gu, '$1$1')
  return two === word ? [] : [two, word.replace(/(\p{L})\1{2,}/gu, '$1')]
}

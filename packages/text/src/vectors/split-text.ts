import { simplifyChinese } from '../terms/simplify-chinese.ts'

/** Scripts without spaces, whose characters and character pairs serve as words. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')
const LETTER = `(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])`
const PIECE = new RegExp(`[${UNSPACED}]+|${LETTER}+(?:'${LETTER}+)*`, 'gu')
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, 'u')
const ASCII_PIECE = /[a-z0-9]+(?:'[a-z0-9]+)*/g
const NOT_ASCII = /[^\0-\x7f]/

/**
 * Splits a text into lower-case NFKC pieces in simplified Chinese: words with inner apostrophes (’ becomes ') and runs of unspaced
 * scripts.
 * Emoji and punctuation are dropped.
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
const IRREGULAR_NEGATIONS: Readonly<Record<string, string>> = {
  ca: 'can',
  wo: 'will',
  sha: 'shall',
  ai: 'is',
}

/**
 * Splits a word at its apostrophes: a negation gives "not". Other clitics are dropped.
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

/** Shortens letters repeated for emphasis to two and to one, as candidates for the intended word. */
export function withoutDrawl(word: string): string[] {
  const two = word.replace(/(\p{L})\1{2,}/gu, '$1$1')
  return two === word ? [] : [two, word.replace(/(\p{L})\1{2,}/gu, '$1')]
}

// Finds quotes in texts.
import { normaliseText } from '@keepsake/text'

/** Matches the characters that are compared. Accents of Latin letters are ignored. */
const COMPARED = /[\p{L}\p{N}]|(?![\u0300-\u036F])\p{M}/u
const DIGIT = /\p{N}/u
/** Matches characters that are compared inside numbers, to distinguish 3.5 from 35. */
const IN_NUMBER = /[.,:/]/
const SPACED_LETTER = /[\p{L}\p{N}]/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** Matches an ellipsis that replaces words in a quote. */
const ELLIPSIS = /\s*(?:\[\s*(?:…|\.{3,}|⋯+)\s*\]|…+|\.{3,}|⋯+)\s*/u
/** Maximum length of the text that a quote with ellipses covers, as a multiple of the quote's length. */
const MAX_STRETCH = 6
/** Minimum number of characters of a long quote, in scripts with and without spaces. */
const MIN_LONG_QUOTE = { spaced: 12, unspaced: 5 }

/** A text reduced to the characters that are compared. */
interface FoldedText {
  readonly text: string
  /** For each character of `text`, where it begins and ends in the source. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** Finds a quote in a text and returns the text's own words. Ignores case, width, accents, spaces and punctuation; `…` matches any words. */
export function locateQuote(text: string, quote: string): string | null {
  const wanted = quote.trim()
  if (wanted === '') return null
  if (text.includes(wanted)) return wanted
  const source = fold(text)
  const parts = wanted
    .split(ELLIPSIS)
    .map((part) => fold(part).text)
    .filter((part) => part !== '')
  if (parts.length === 0) return null
  const spans: { start: number; end: number }[] = []
  for (const part of parts) {
    const start = findWords(source, text, part, spans.at(-1)?.end ?? 0)
    if (start === -1) return null
    spans.push({ start, end: start + part.length })
  }
  const start = source.starts[spans[0]?.start ?? 0] ?? 0
  const end = source.ends[(spans.at(-1)?.end ?? 1) - 1] ?? text.length
  if (parts.length > 1 && end - start > MAX_STRETCH * wanted.length) return null
  return text.slice(start, end)
}

/** Checks whether a quote is too long to occur by chance in a turn that it is not from. */
export function isLongQuote(quote: string): boolean {
  const words = fold(quote).text
  return words.length >= (UNSPACED.test(words) ? MIN_LONG_QUOTE.unspaced : MIN_LONG_QUOTE.spaced)
}

/** Reduces a text to normalised letters and digits, with their places in the source. */
function fold(text: string): FoldedText {
  const folded: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  let index = 0
  for (const character of text) {
    const end = index + character.length
    if (isCompared(character, text[index - 1], text[end])) {
      for (const piece of normaliseText(character)) {
        for (const unit of piece) folded.push(unit)
        for (let unit = 0; unit < piece.length; unit++) {
          starts.push(index)
          ends.push(end)
        }
      }
    }
    index = end
  }
  return { text: folded.join(''), starts, ends }
}

function isCompared(character: string, before: string | undefined, after: string | undefined): boolean {
  if (COMPARED.test(character)) return true
  return IN_NUMBER.test(character) && DIGIT.test(before ?? '') && DIGIT.test(after ?? '')
}

/** Finds words as whole words: "art" is not in "party". In scripts without spaces they match anywhere. */
function findWords(source: FoldedText, text: string, words: string, from: number): number {
  for (let i = source.text.indexOf(words, from); i !== -1; i = source.text.indexOf(words, i + 1)) {
    const before = text[(source.starts[i] ?? 0) - 1] ?? ''
    const after = text[source.ends[i + words.length - 1] ?? text.length] ?? ''
    const first = words[0] ?? ''
    const last = words.at(-1) ?? ''
    const isCutBefore = isSpaced(before) && isSpaced(first)
    const isCutAfter = isSpaced(after) && isSpaced(last)
    if (!isCutBefore && !isCutAfter) return i
  }
  return -1
}

function isSpaced(character: string): boolean {
  return SPACED_LETTER.test(character) && !UNSPACED.test(character)
}

import type { CountTokens } from './count-tokens.ts'
import { splitSentences } from './split-sentences.ts'

/**
 * Splits a text into pieces within a token limit, between sentences where possible. Only spaces at the cuts are
 * dropped.
 *
 * @param most maximum tokens of a piece
 * @example
 * cutToFit('I moved. She stayed.', 3, estimateTokens) // ['I moved.', 'She stayed.']
 */
export function cutToFit(text: string, most: number, countTokens: CountTokens): string[] {
  if (countTokens(text) <= most) return [text]
  const starts = [
    0,
    ...splitSentences(text)
      .slice(1)
      .map(({ start }) => start),
    text.length,
  ]
  const pieces: string[] = []
  let open = ''
  for (const [index, start] of starts.slice(0, -1).entries()) {
    for (const next of halved(text.slice(start, starts[index + 1]), most, countTokens)) {
      if (open !== '' && countTokens(open + next) > most) {
        pieces.push(open)
        open = ''
      }
      open += next
    }
  }
  return [...pieces, open].map((piece) => piece.trim()).filter((piece) => piece !== '')
}

/** Halves a sentence that is too long, never within a character. */
function halved(text: string, most: number, countTokens: CountTokens): string[] {
  const half = Math.ceil(text.length / 2)
  const middle = /[\uDC00-\uDFFF]/.test(text.charAt(half)) ? half + 1 : half
  if (countTokens(text) <= most || middle >= text.length) return [text]
  return [text.slice(0, middle), text.slice(middle)].flatMap((part) => halved(part, most, countTokens))
}

/** Packs items in order into batches of at most `most` tokens. A larger item gets a batch of its own. */
export function packToFit<One>(items: readonly One[], most: number, costOf: (one: One) => number): One[][] {
  const parts: One[][] = []
  let left = 0
  for (const item of items) {
    const cost = costOf(item)
    const last = parts.at(-1)
    if (last !== undefined && cost <= left) last.push(item)
    else parts.push([item])
    left = (last !== undefined && cost <= left ? left : most) - cost
  }
  return parts
}

import type { CountTokens } from './count-tokens.ts'
import { splitSentences } from './split-sentences.ts'

/**
 * Splits a text into pieces within a token limit, between sentences if possible. Only spaces at the cuts are removed.
 *
 * @example
 * cutToFit('I moved. She stayed.', 3, estimateTokens) // ['I moved.', 'She stayed.']
 */
export function cutToFit(text: string, maxTokens: number, countTokens: CountTokens): string[] {
  if (countTokens(text) <= maxTokens) return [text]
  const [, ...sentences] = splitSentences(text)
  const cuts = [0, ...sentences.map(({ start }) => start), text.length]
  const pieces: string[] = []
  let piece = ''
  for (const [index, start] of cuts.slice(0, -1).entries()) {
    for (const next of halve(text.slice(start, cuts[index + 1]), maxTokens, countTokens)) {
      if (piece !== '' && countTokens(piece + next) > maxTokens) {
        pieces.push(piece)
        piece = ''
      }
      piece += next
    }
  }
  return [...pieces, piece].map((part) => part.trim()).filter((part) => part !== '')
}

/** Halves a sentence until its parts fit, but never within a character. */
function halve(text: string, maxTokens: number, countTokens: CountTokens): string[] {
  const half = Math.ceil(text.length / 2)
  const isInPair = /[\uDC00-\uDFFF]/.test(text.charAt(half))
  const middle = isInPair ? half + 1 : half
  if (countTokens(text) <= maxTokens || middle >= text.length) return [text]
  return [text.slice(0, middle), text.slice(middle)].flatMap((part) => halve(part, maxTokens, countTokens))
}

/** Packs items in order into batches of at most `maxTokens`. A larger item gets a batch of its own. */
export function packToFit<Item>(
  items: readonly Item[],
  maxTokens: number,
  costOf: (item: Item) => number,
): Item[][] {
  const batches: Item[][] = []
  let tokensLeft = 0
  for (const item of items) {
    const cost = costOf(item)
    const batch = batches.at(-1)
    if (batch !== undefined && cost <= tokensLeft) {
      batch.push(item)
      tokensLeft -= cost
    } else {
      batches.push([item])
      tokensLeft = maxTokens - cost
    }
  }
  return batches
}

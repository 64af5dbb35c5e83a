import { countWords } from '../prompts/portrait-answer.ts'
import { joinSentences } from '../prompts/summary-sections.ts'
import { splitSentences } from '@keepsake/text'

/** The most a text may have. */
export interface Bound {
  /** See `countWords`. */
  readonly words: number
  /** Chinese characters that count as a word; as `countWords` counts them when absent. */
  readonly charactersAWord?: number
  /** Maximum number of sentences. */
  readonly sentences?: number
}

/**
 * Drops sentences until a text fits, if the model's answer stays too long.
 *
 * @param dropped which go first: the `oldest`, at the start, or the `last`
 */
export function fitWords(text: string, bound: Bound, dropped: 'oldest' | 'last'): string {
  const { words, charactersAWord, sentences = Number.POSITIVE_INFINITY } = bound
  if (countWords(text, charactersAWord) <= words && sentences === Number.POSITIVE_INFINITY) return text
  const all = splitSentences(text).map((sentence) => sentence.text)
  const isTooLong = (): boolean =>
    all.length > sentences || countWords(joinSentences(all), charactersAWord) > words
  if (!isTooLong()) return text
  while (all.length > 0 && isTooLong()) {
    if (dropped === 'oldest') all.shift()
    else all.pop()
  }
  return joinSentences(all)
}

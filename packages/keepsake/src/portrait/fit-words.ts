import { countWords } from '../prompts/portrait-answer.ts'
import { joinSentences } from '../prompts/told-sections.ts'
import { splitSentences } from '../text/split-sentences.ts'

/**
 * A text within a bound: sentences are left out until it fits. For answers that stay too long after the model was
 * asked to shorten them.
 *
 * @param words the most it may have; see `countWords`
 * @param dropped which go first: the `oldest`, at the start of what is told in order of time, or the `last`
 * @param sentences the most it may have, where that is bounded too
 */
export function fitWords(
  text: string,
  words: number,
  dropped: 'oldest' | 'last',
  sentences = Number.POSITIVE_INFINITY,
): string {
  if (countWords(text) <= words && sentences === Number.POSITIVE_INFINITY) return text
  const all = splitSentences(text).map((sentence) => sentence.text)
  const isTooLong = (): boolean => all.length > sentences || countWords(joinSentences(all)) > words
  if (!isTooLong()) return text
  while (all.length > 0 && isTooLong()) {
    if (dropped === 'oldest') all.shift()
    else all.pop()
  }
  return joinSentences(all)
}

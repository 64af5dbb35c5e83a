import type { PartOfSpeech } from 'wink-nlp'

/** A word or mark of an English sentence, with what the tagger says of it. */
export interface Word {
  readonly text: string
  readonly lower: string
  /** Base form: `went` is `go`. */
  readonly lemma: string
  readonly pos: PartOfSpeech
  /** Spaces before it. */
  readonly before: string
}

/** The words as they were written. */
export function wordsToText(words: readonly Word[]): string {
  return words
    .map((word) => word.before + word.text)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

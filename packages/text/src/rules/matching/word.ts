// Defines the words that patterns match.
/** A word or punctuation mark of a sentence. In Chinese it is a character, or a run of Latin letters or of digits. */
export interface Word {
  readonly text: string
  readonly lower: string
  /**
   * The base form: `go` for “went”. That of a punctuation mark is `,`, or `;` if the mark ends a statement. A Chinese character is its own
   * base form.
   */
  readonly lemma: string
  /** The part of speech, such as `NOUN`, or an empty string without a tagger. */
  readonly pos: string
  /** The spaces before the word. */
  readonly before: string
}

/** Joins words as they were written. */
export function wordsToText(words: readonly Word[]): string {
  return words
    .map((word) => word.before + word.text)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Reports whether a word is a punctuation mark. */
export function isMark(word: Word | undefined): boolean {
  return word?.lemma === ',' || word?.lemma === ';'
}

/** Removes the punctuation marks at the end. */
export function withoutMarks(words: readonly Word[]): readonly Word[] {
  return words.slice(0, words.findLastIndex((word) => !isMark(word)) + 1)
}

/** A word or mark of a sentence. In Chinese it is a character, or a run of Latin letters or of digits. */
export interface Word {
  readonly text: string
  readonly lower: string
  /** Base form: `went` is `go`. A mark is `,` or, at the end of a statement, `;`. In Chinese the character itself. */
  readonly lemma: string
  /** The tag, such as `NOUN`, or an empty string without a tagger. */
  readonly pos: string
  /** Spaces before it. */
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

export function isMark(word: Word | undefined): boolean {
  return word?.lemma === ',' || word?.lemma === ';'
}

/** Drops trailing marks. */
export function withoutMarks(words: readonly Word[]): readonly Word[] {
  return words.slice(0, words.findLastIndex((word) => !isMark(word)) + 1)
}

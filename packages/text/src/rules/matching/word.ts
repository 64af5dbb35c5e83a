/** A word or mark of a sentence; in Chinese a character, or a run of Latin letters or of digits. */
export interface Word {
  readonly text: string
  readonly lower: string
  /** Base form: `went` is `go`. Of a mark `,` or, where it ends a statement, `;`. In Chinese the character itself. */
  readonly lemma: string
  /** What the tagger takes it for, such as `NOUN`; empty where no tagger was asked. */
  readonly pos: string
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

export function isMark(word: Word | undefined): boolean {
  return word?.lemma === ',' || word?.lemma === ';'
}

/** Without the marks behind them. */
export function withoutMarks(words: readonly Word[]): readonly Word[] {
  return words.slice(0, words.findLastIndex((word) => !isMark(word)) + 1)
}

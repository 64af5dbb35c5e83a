import { KeepsakeError } from '@keepsake/text/names'

/** A question that a file leaves open for the caller. */
export interface ImportQuestion {
  /** The setting that answers the question. */
  readonly asks: 'speaker' | 'dateOrder' | 'of' | 'user' | 'format'
  /** Possible answers, most frequent first, with the number of their turns. */
  readonly choices: readonly { readonly name: string; readonly turns: number | null }[]
}

/** The error for a file that cannot be imported. The message names file and line, and says what to do. */
export class ImportError extends KeepsakeError {
  override readonly name = 'ImportError'
  /** The option that the caller must set; `null` for an invalid file. */
  readonly question: ImportQuestion | null

  constructor(message: string, question: ImportQuestion | null = null) {
    super('invalid-input', message)
    this.question = question
  }
}

/** Makes the error for an invalid file, which asks nothing of the caller. */
export const unreadable = (message: string): ImportError => new ImportError(message)

import { KeepsakeError } from '@keepsake/text/names'

/** A question that a file leaves open for the caller. */
export interface ImportQuestion {
  /** The setting that answers it. */
  readonly asks: 'speaker' | 'dateOrder' | 'of' | 'user' | 'format'
  /** Possible answers, the most frequent first; a name may occur in several turns. */
  readonly choices: readonly { readonly name: string; readonly turns: number | null }[]
}

/** A file that cannot be imported as it is. The message names file and line, and says what to do. */
export class ImportError extends KeepsakeError {
  override readonly name = 'ImportError'
  /** The question to answer first; `null` where the file itself is invalid. */
  readonly question: ImportQuestion | null

  constructor(message: string, question: ImportQuestion | null = null) {
    super('invalid-input', message)
    this.question = question
  }
}

export const unreadable = (message: string): ImportError => new ImportError(message)

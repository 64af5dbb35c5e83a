import { KeepsakeError } from 'keepsake/names'

/** What a file leaves open, and whoever imports it has to say. */
export interface ImportQuestion {
  /** Which of the settings answers it. */
  readonly asks: 'speaker' | 'dateOrder' | 'of' | 'user' | 'format'
  /** What can be answered, the most frequent first; a name of the file may stand in several turns. */
  readonly choices: readonly { readonly name: string; readonly turns: number | null }[]
}

/** A file that cannot be imported as it is. The message names file and line, and says what to do. */
export class ImportError extends KeepsakeError {
  override readonly name = 'ImportError'
  /** What has to be said before it can be; `null` where the file itself is at fault. */
  readonly question: ImportQuestion | null

  constructor(message: string, question: ImportQuestion | null = null) {
    super('invalid-input', message)
    this.question = question
  }
}

/** What is wrong with a file. */
export const unreadable = (message: string): ImportError => new ImportError(message)

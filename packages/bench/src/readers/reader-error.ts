import { KeepsakeError } from 'keepsake'

/** A reader could give no answer: its model could not be reached, or twice gave an answer that cannot be used. */
export class ReaderError extends Error {
  override readonly name = 'ReaderError'
  readonly reader: string
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean

  constructor(reader: string, problem: string, cause?: unknown) {
    super(`${reader} gave no answer: ${problem}`, cause === undefined ? undefined : { cause })
    this.reader = reader
    this.isRetryable = cause instanceof KeepsakeError && cause.isRetryable
  }
}

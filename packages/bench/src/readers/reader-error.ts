import { KeepsakeError } from 'keepsake'

/** A reader gave no answer, because its model could not be reached or gave two unusable answers. */
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

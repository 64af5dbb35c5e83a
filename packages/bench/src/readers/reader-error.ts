import { KeepsakeError } from 'keepsake'

/** A reader gave no answer, because its model was unreachable or twice gave an unusable answer. */
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

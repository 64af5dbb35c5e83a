import { KeepsakeError } from 'keepsake'

/** A judge gave no verdict, because its model could not be reached or gave two unusable answers (`cause`). No other verdict replaces it. */
export class JudgeError extends Error {
  override readonly name = 'JudgeError'
  readonly judge: string
  /** The called method of the judge, such as `answer` or `integrity`. */
  readonly call: string
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean

  constructor(judge: string, call: string, problem: string, cause?: unknown) {
    super(`${judge} gave no verdict of ${call}: ${problem}`, cause === undefined ? undefined : { cause })
    this.judge = judge
    this.call = call
    this.isRetryable = cause instanceof KeepsakeError && cause.isRetryable
  }
}

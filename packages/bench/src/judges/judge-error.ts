import { KeepsakeError } from 'keepsake'

/**
 * A judge could give no verdict: its model could not be reached, or twice gave an answer that cannot be used. Nothing is put
 * in its place; the run logs it. `cause` has the model's error, with its words.
 */
export class JudgeError extends Error {
  override readonly name = 'JudgeError'
  /** The judge's name. */
  readonly judge: string
  /** What was asked of it: `answer`, `integrity`, … */
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

/** Every code an error of Keepsake can carry. Each is defined by one class in this folder. */
export type ErrorCode =
  | 'invalid-input'
  | 'turn-conflict'
  | 'not-found'
  | 'not-possible'
  | 'store-busy'
  | 'store-read-only'
  | 'store-full'
  | 'store-corrupt'
  | 'store-schema'
  | 'store-failed'
  | 'model-failed'
  | 'model-answer'
  | 'model-budget'
  | 'closed'

/** What an error is about: the ids a caller needs to find the thing, never its text. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null>>

export interface KeepsakeErrorOptions {
  cause?: unknown
  isRetryable?: boolean
  details?: ErrorDetails
}

/**
 * The base of all errors Keepsake throws. `message` says what happened, to what, and what to do; `code` is
 * for programs; `isRetryable` tells whether the same call may succeed later.
 *
 * @example
 * try { await scope.remember(turns) } catch (error) {
 *   if (error instanceof KeepsakeError && error.isRetryable) scheduleAgain()
 *   else throw error
 * }
 */
export class KeepsakeError extends Error {
  override readonly name: string = 'KeepsakeError'
  readonly code: ErrorCode
  readonly isRetryable: boolean
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, options: KeepsakeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.isRetryable = options.isRetryable ?? false
    this.details = options.details ?? {}
  }
}

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

/** The ids that a caller needs to find the subject of an error, never its text. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null>>

export interface KeepsakeErrorOptions {
  cause?: unknown
  isRetryable?: boolean
  details?: ErrorDetails
}

/**
 * The base class of all errors that Keepsake throws.
 * `message` names the problem, its subject and the remedy. `code` is for programs.
 * `isRetryable` means that the same call may succeed later.
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

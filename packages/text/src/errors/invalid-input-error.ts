import { KeepsakeError, type ErrorDetails } from './keepsake-error.ts'

/** Reports an invalid argument. Nothing was stored. */
export class InvalidInputError extends KeepsakeError {
  override readonly name = 'InvalidInputError'

  constructor(message: string, details: ErrorDetails = {}, cause?: unknown) {
    super('invalid-input', message, { details, cause })
  }
}

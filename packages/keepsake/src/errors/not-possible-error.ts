import { KeepsakeError, type ErrorDetails } from '@keepsake/text/names'

/** The thing exists, but its state does not allow what was asked. The message says what does. */
export class NotPossibleError extends KeepsakeError {
  override readonly name = 'NotPossibleError'

  constructor(message: string, details: ErrorDetails = {}) {
    super('not-possible', message, { details })
  }
}

import { KeepsakeError, type ErrorDetails } from './keepsake-error.ts'

/** A model (embedding, language, signal) failed or answered with something unusable. */
export class ModelError extends KeepsakeError {
  override readonly name = 'ModelError'

  constructor(
    message: string,
    options: { cause?: unknown; isRetryable?: boolean; details?: ErrorDetails } = {},
  ) {
    super('model-failed', message, options)
  }
}

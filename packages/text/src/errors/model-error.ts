import { KeepsakeError, type ErrorDetails } from './keepsake-error.ts'

/**
 * `model-failed`: it could not be reached or gave an error. `model-answer`: it answered with something
 * unusable, or refused. `model-budget`: the scope's budget of calls or tokens is spent.
 */
export type ModelErrorCode = 'model-failed' | 'model-answer' | 'model-budget'

/** A model (embedding, reranking, language, signal) failed or answered with something unusable. */
export class ModelError extends KeepsakeError {
  override readonly name = 'ModelError'
  /** How long the provider asks to wait before the next try, in milliseconds; `null` when it does not say. */
  readonly retryAfterMs: number | null
  /** What the model answered, raw, for `model-answer`. Text of the conversation may be in it. */
  readonly answer: string | null

  constructor(
    message: string,
    options: {
      code?: ModelErrorCode
      cause?: unknown
      isRetryable?: boolean
      retryAfterMs?: number | null
      answer?: string | null
      details?: ErrorDetails
    } = {},
  ) {
    super(options.code ?? 'model-failed', message, options)
    this.retryAfterMs = options.retryAfterMs ?? null
    this.answer = options.answer ?? null
  }
}

import { KeepsakeError, type ErrorDetails } from './keepsake-error.ts'

/**
 * `model-failed`: the model was unreachable or reported an error. `model-answer`: its answer was unusable or a refusal.
 * `model-budget`: the scope has spent its budget for models.
 */
export type ModelErrorCode = 'model-failed' | 'model-answer' | 'model-budget'

/** Reports that a model (embedding, reranking, language, signal) failed or gave an unusable answer. */
export class ModelError extends KeepsakeError {
  override readonly name = 'ModelError'
  /** The provider's requested delay before a retry, in milliseconds, or `null` if it names none. */
  readonly retryAfterMs: number | null
  /** The model's raw answer, for `model-answer`. It may contain text of the conversation. */
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

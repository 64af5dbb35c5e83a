/** A field of a request that cannot be taken, and why. */
export interface FieldProblem {
  /** Where: `body.turns.0.text`, `query.limit`, `path.user`, `header.idempotency-key`. */
  readonly field: string
  readonly problem: string
}

/** An error as RFC 9457 (problem+json) has it. Thrown by handlers, sent by `app.onError`. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  /** For programs: kebab-case, stable. */
  readonly code: string
  readonly fields: readonly FieldProblem[]
  /** Seconds until the same request may succeed; `null`: it will not by waiting. */
  readonly retryAfter: number | null

  constructor(
    status: number,
    code: string,
    detail: string,
    options: {
      readonly fields?: readonly FieldProblem[]
      readonly retryAfter?: number
      readonly cause?: unknown
    } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.status = status
    this.code = code
    this.fields = options.fields ?? []
    this.retryAfter = options.retryAfter ?? null
  }
}

/** What is sent. Holds no text of a conversation. */
export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly request: string
  readonly fields?: readonly FieldProblem[]
}

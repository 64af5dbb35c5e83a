import { STATUS_CODES } from 'node:http'

/** An invalid field of a request, and why. */
export interface FieldProblem {
  /** The field's path: `body.turns.0.text`, `query.limit`, `path.user`, `header.idempotency-key`. */
  readonly field: string
  readonly problem: string
}

/** An error in the form of RFC 9457 (problem+json). Handlers throw it, `app.onError` sends it. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  /** Stable, in kebab-case, for programs. */
  readonly code: string
  readonly fields: readonly FieldProblem[]
  /** Seconds until the same request may succeed; `null`: waiting does not help. */
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

/** The sent body. Holds no text of a conversation. */
export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly request: string
  readonly fields?: readonly FieldProblem[]
}

/** Builds the sent body. `about:blank`: the status says enough, and `code` is for programs. */
export function problemBody(problem: Problem, request: string): ProblemBody {
  return {
    type: 'about:blank',
    title: STATUS_CODES[problem.status] ?? 'Error',
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    request,
    ...(problem.fields.length === 0 ? {} : { fields: problem.fields }),
  }
}

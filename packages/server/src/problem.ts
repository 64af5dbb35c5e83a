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

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'No key, or a wrong one',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Too slow',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Cannot be taken',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Failed',
  502: 'The model failed',
  503: 'Not now',
  507: 'No room',
}

/** Builds the sent body. `about:blank`: the status says enough, and `code` is for programs. */
export function problemBody(problem: Problem, request: string): ProblemBody {
  return {
    type: 'about:blank',
    title: TITLES[problem.status] ?? 'Failed',
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    request,
    ...(problem.fields.length === 0 ? {} : { fields: problem.fields }),
  }
}

import type { Problem } from '../problem.ts'

/** An error as OpenAI's API says it, and as its clients read it. */
export interface OpenaiErrorBody {
  readonly error: {
    readonly message: string
    readonly type: string
    /** The field or header it is about. */
    readonly param: string | null
    /** The problem's code: kebab-case, stable. */
    readonly code: string
  }
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

/** A problem in OpenAI's form. */
export function openaiError(problem: Problem): OpenaiErrorBody {
  const other = problem.status < 500 ? 'invalid_request_error' : 'server_error'
  return {
    error: {
      message: problem.message,
      type: TYPES[problem.status] ?? other,
      param: problem.fields[0]?.field ?? null,
      code: problem.code,
    },
  }
}

/**
 * The whole answer: for this door's own problems, and for what is refused before a request reaches it (a wrong key, a body
 * too large), so that OpenAI's clients understand it as well.
 */
export function openaiErrorResponse(problem: Problem): Response {
  const headers = new Headers()
  if (problem.retryAfter !== null) headers.set('retry-after', String(problem.retryAfter))
  // OpenAI's clients ask again after any 5xx unless told that it is of no use.
  else if (problem.status >= 500) headers.set('x-should-retry', 'false')
  return Response.json(openaiError(problem), { status: problem.status, headers })
}

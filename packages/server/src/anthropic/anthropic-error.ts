import type { Problem } from '../problem.ts'

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
}

/** A problem as Anthropic's API says it, also for what is refused before a request reaches this door. */
export function anthropicErrorResponse(problem: Problem, request: string): Response {
  const { status, code, message, retryAfter } = problem
  const headers = new Headers({ 'request-id': request })
  if (retryAfter !== null) headers.set('retry-after', String(retryAfter))
  // Anthropic's clients, too, ask again after any 5xx and 409 unless told that it is of no use.
  else if (status >= 500 || status === 409) headers.set('x-should-retry', 'false')
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  return Response.json(
    { type: 'error', error: { type, message, code }, request_id: request },
    { status, headers },
  )
}

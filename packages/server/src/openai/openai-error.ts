import type { Problem } from '../problem.ts'

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

/**
 * A problem as OpenAI's API says it: for this door's own, and for what is refused before a request reaches it (a wrong key, a body
 * too large), so that OpenAI's clients understand it as well.
 */
export function openaiErrorResponse({ status, code, message, fields, retryAfter }: Problem): Response {
  const headers = new Headers()
  if (retryAfter !== null) headers.set('retry-after', String(retryAfter))
  // OpenAI's clients ask again after any 5xx and 409 unless told that it is of no use.
  else if (status >= 500 || status === 409) headers.set('x-should-retry', 'false')
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  const error = { message, type, param: fields[0]?.field ?? null, code }
  return Response.json({ error }, { status, headers })
}

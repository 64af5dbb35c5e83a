import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Problem, ProblemBody } from '../problem.ts'
import type { ServerEnv } from '../server-context.ts'

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

/** A problem as it is sent. `about:blank`: the status says all that a link could, and `code` is for programs. */
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

/** Answers a request with a problem, as `application/problem+json`. */
export function sendProblem<Env extends ServerEnv>(c: Context<Env>, problem: Problem): Response {
  const { requestId } = c.var
  return c.body(
    JSON.stringify(problemBody(problem, requestId ?? '')),
    problem.status as ContentfulStatusCode,
    { 'Content-Type': 'application/problem+json', ...problemHeaders(problem) },
  )
}

/** The headers that go with a problem in whatever form a door sends it. */
export function problemHeaders(problem: Problem): Record<string, string> {
  return {
    ...(problem.retryAfter === null ? {} : { 'Retry-After': String(problem.retryAfter) }),
    ...(problem.status === 401 ? { 'WWW-Authenticate': 'Bearer realm="keepsake"' } : {}),
  }
}

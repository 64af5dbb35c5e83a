import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { problemBody, type Problem } from '../problem.ts'
import type { ServerEnv } from '../server-context.ts'

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

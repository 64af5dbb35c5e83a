import type { ErrorHandler } from 'hono'
import { mem0ErrorResponse } from '../mem0/mem0-error.ts'
import { openaiErrorResponse } from '../openai/openai-error.ts'
import type { Problem } from '../problem.ts'
import type { ServerDeps, ServerEnv, ServerRequest } from '../server-context.ts'
import { doorOf } from './doors.ts'
import { sendProblem } from './send-problem.ts'
import { translateError } from './translate-error.ts'
import { describeError } from './write-log.ts'

/** Answers what a handler threw, and logs what is the server's own fault. */
export function handleError(
  deps: Pick<ServerDeps, 'log'>,
  { withMessages }: { readonly withMessages: boolean },
): ErrorHandler<ServerEnv> {
  return (error, c) => {
    const problem = translateError(error)
    if (problem.status >= 500) {
      deps.log({
        level: problem.retryAfter === null ? 'error' : 'warn',
        event: 'request-failed',
        request: c.var.requestId,
        status: problem.status,
        code: problem.code,
        ...describeError(problem.cause ?? problem, withMessages),
      })
    }
    return answerProblem(c, problem)
  }
}

/** A problem in the form that the clients of the door read, whether or not the request came as far as the door. */
export function answerProblem(c: ServerRequest, problem: Problem): Response {
  switch (doorOf(c.req.path)) {
    case 'openai':
      return openaiErrorResponse(problem)
    case 'mem0':
      return mem0ErrorResponse(problem)
    case 'rest':
    case 'mcp':
    case 'server':
      return sendProblem(c, problem)
  }
}

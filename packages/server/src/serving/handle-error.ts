import type { ErrorHandler } from 'hono'
import type { Problem } from '../problem.ts'
import type { ServerDeps, ServerEnv, ServerRequest } from '../server-context.ts'
import { translateError } from './translate-error.ts'
import { describeError } from './write-log.ts'

/** Says a problem in the form that the clients of the request's door read, whether or not it came as far as the door. */
export type AnswerProblem = (c: ServerRequest, problem: Problem) => Response

/** Answers what a handler threw, and logs what is the server's own fault. */
export function handleError(
  { log }: Pick<ServerDeps, 'log'>,
  answer: AnswerProblem,
  { withMessages }: { readonly withMessages: boolean },
): ErrorHandler<ServerEnv> {
  return (error, c) => {
    const problem = translateError(error)
    if (problem.status >= 500) {
      log({
        level: problem.retryAfter === null ? 'error' : 'warn',
        event: 'request-failed',
        request: c.var.requestId,
        status: problem.status,
        code: problem.code,
        ...describeError(problem.cause ?? problem, withMessages),
      })
    }
    return answer(c, problem)
  }
}

import type { FieldProblem, Problem } from '../problem.ts'

/** An error as Mem0's servers say it: `error` on the hosted one, `detail` on the self-hosted. */
export interface Mem0ErrorBody {
  readonly error: string
  readonly detail: string
  /** The problem's code: kebab-case, stable. */
  readonly code: string
  readonly fields?: readonly FieldProblem[]
}

/** A problem in Mem0's form. */
export function mem0Error(problem: Problem): Mem0ErrorBody {
  const { message, code, fields } = problem
  return { error: message, detail: message, code, ...(fields.length === 0 ? {} : { fields }) }
}

/** The whole answer: for this door's own errors, and for what is refused before a request reaches it (a wrong key). */
export function mem0ErrorResponse(problem: Problem): Response {
  const headers = new Headers()
  if (problem.retryAfter !== null) headers.set('retry-after', String(problem.retryAfter))
  return Response.json(mem0Error(problem), { status: problem.status, headers })
}

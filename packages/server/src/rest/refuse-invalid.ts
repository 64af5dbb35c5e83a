import type { Hook } from '@hono/zod-openapi'
import type { z } from 'zod'
import { Problem, type FieldProblem } from '../problem.ts'
import type { ServerEnv } from '../server-context.ts'

const WHERE: Readonly<Record<string, string>> = {
  json: 'body',
  form: 'body',
  query: 'query',
  param: 'path',
  header: 'header',
  cookie: 'cookie',
}

/** Fields told of at most: a wrong list of thousands would repeat one mistake. */
const MOST_FIELDS = 20

/** Refuses what a schema does not take, naming each field. @throws Problem 422 `invalid-input`. */
export const refuseInvalid: Hook<unknown, ServerEnv, string, void> = (result) => {
  if (!result.success) throw invalidRequest(WHERE[result.target] ?? result.target, result.error)
}

/** What is wrong with a request, from what zod says of it. Quotes field names, and no values. */
export function invalidRequest(where: string, error: z.core.$ZodError): Problem {
  const fields = error.issues.flatMap((issue) => fieldsOf(where, issue)).slice(0, MOST_FIELDS)
  const [first] = fields
  const said = first === undefined ? `${where} is not as it must be` : `${first.field} ${first.problem}`
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''
  return new Problem(422, 'invalid-input', `The request cannot be taken: ${said}${more}.`, { fields })
}

function fieldsOf(where: string, issue: z.core.$ZodIssue): FieldProblem[] {
  const path = [where, ...issue.path.map(String)]
  const at = (...more: string[]): string => [...path, ...more].join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ field: at(key), problem: 'is not a field of this' }))
  return [{ field: at(), problem: sayIssue(issue) }]
}

function sayIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type')
    return issue.input === undefined
      ? `is missing or of another type: it must be ${article(issue.expected)}`
      : `must be ${article(issue.expected)}`
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(', or ')}`
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${unitOf(issue.origin)}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unitOf(issue.origin)}`
  return issue.message
}

function article(type: string): string {
  if (type === 'int') return 'a whole number'
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long'
  return origin === 'array' ? ' items long' : ''
}

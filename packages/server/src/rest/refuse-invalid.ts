import type { Hook } from '@hono/zod-openapi'
import type { Env } from 'hono'
import type { z } from 'zod'
import { Problem, type FieldProblem } from '../problem.ts'

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

type Checked = Parameters<Hook<unknown, Env, string, void>>[0]

/** Refuses what a schema does not take, naming each field. @throws Problem 422 `invalid-input`. */
export function refuseInvalid(checked: Checked): void {
  if (!checked.success) throw invalidRequest(WHERE[checked.target] ?? checked.target, checked.error)
}

/** What is wrong with one field of a request. */
export function invalidField(field: string, problem: string, cause?: unknown): Problem {
  return invalidFields([{ field, problem }], 'the request', cause)
}

/** What is wrong with a request, from what zod says of it. Quotes field names, and no values. */
export function invalidRequest(where: string, error: z.core.$ZodError): Problem {
  const fields = error.issues.flatMap((issue) => fieldsOf(where, issue)).slice(0, MOST_FIELDS)
  return invalidFields(fields, where)
}

function invalidFields(fields: readonly FieldProblem[], where: string, cause?: unknown): Problem {
  const [first] = fields
  const said = first === undefined ? `${where} is not as it must be` : `${first.field} ${first.problem}`
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''
  const detail = `The request cannot be taken: ${said}${more}.`
  return new Problem(422, 'invalid-input', detail, { fields, cause })
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

import type { Hook } from '@hono/zod-openapi'
import type { Env } from 'hono'
import { didYouMean } from '@keepsake/text'
import type { z } from 'zod'
import { Problem, type FieldProblem } from '../problem.ts'

const PART_NAMES: Readonly<Record<string, string>> = {
  json: 'body',
  form: 'body',
  query: 'query',
  param: 'path',
  header: 'header',
  cookie: 'cookie',
}

/** Maximum reported fields: an invalid list would repeat one mistake for each item. */
const MAX_FIELDS = 20

/** The result of a validation. */
type CheckedPart = Parameters<Hook<unknown, Env, string, void>>[0]

type Schemas = Readonly<Record<string, z.core.$ZodType | undefined>>

/** Refuses invalid requests, naming each field and similar names for unknown ones. @throws Problem 422 */
export function refuseInvalid(schemas: Schemas = {}): (checked: CheckedPart) => void {
  return (checked) => {
    const { target } = checked
    if (!checked.success) throw invalidRequest(PART_NAMES[target] ?? target, checked.error, schemas[target])
  }
}

/** Returns the problem of one field. */
export function invalidField(field: string, problem: string, cause?: unknown): Problem {
  return invalidFields([{ field, problem }], 'the request', cause)
}

/** Converts zod's issues to a problem. Quotes field names, and no values. */
export function invalidRequest(where: string, error: z.core.$ZodError, schema?: z.core.$ZodType): Problem {
  // A missing field is often present under a misspelt name, so unknown names are reported first.
  const rankOf = ({ code }: z.core.$ZodIssue): number => (code === 'unrecognized_keys' ? 0 : 1)
  const issues = error.issues.toSorted((a, b) => rankOf(a) - rankOf(b))
  const fields = issues.flatMap((issue) => fieldsOf(where, issue, schema))
  return invalidFields(fields.slice(0, MAX_FIELDS), where)
}

function invalidFields(fields: readonly FieldProblem[], where: string, cause?: unknown): Problem {
  const [first] = fields
  const firstProblem = first === undefined ? `${where} is invalid` : `${first.field} ${first.problem}`
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''
  const summary = `${firstProblem}${more}`
  const detail = `The request is invalid: ${summary}${summary.endsWith('?') ? '' : '.'}`
  return new Problem(422, 'invalid-input', detail, { fields, cause })
}

function fieldsOf(where: string, issue: z.core.$ZodIssue, schema?: z.core.$ZodType): FieldProblem[] {
  const path = [where, ...issue.path.map(String)]
  const pathOf = (...more: string[]): string => [...path, ...more].join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      field: pathOf(key),
      problem: describeUnknownField(key, issue.path, schema),
    }))
  return [{ field: pathOf(), problem: describeIssue(issue) }]
}

function describeUnknownField(key: string, path: readonly PropertyKey[], schema?: z.core.$ZodType): string {
  const names = schema === undefined ? [] : namesAt(schema, path)
  const suggestion = names.length === 0 ? '' : `. ${didYouMean(key, names).replace(/\.$/, '')}`
  return `is not a field of this${suggestion}`
}

function describeIssue(issue: z.core.$ZodIssue): string {
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

/** The fields of a schema's definition that lead to nested schemas. */
interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
  readonly element?: z.core.$ZodType
  readonly innerType?: z.core.$ZodType
  readonly in?: z.core.$ZodType
  readonly options?: readonly z.core.$ZodType[]
}

/** Returns the field names that a schema allows at a path. */
function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  const { shape, element, innerType, in: input, options } = schema._zod.def as Definition
  const inner = innerType ?? input
  if (inner !== undefined) return namesAt(inner, path)
  if (options !== undefined) return [...new Set(options.flatMap((option) => namesAt(option, path)))]
  const [step, ...rest] = path
  if (step === undefined) return Object.keys(shape ?? {})
  const next = element ?? shape?.[String(step)]
  return next === undefined ? [] : namesAt(next, rest)
}

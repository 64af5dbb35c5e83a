import { z } from '@hono/zod-openapi'
import { IDEMPOTENCY_HEADER } from '../serving/request-store.ts'
import { problemSchema, optionalParam } from './schemas/fields.ts'

const PROBLEMS = {
  400: 'The address or body is malformed.',
  401: 'The key is missing or unknown.',
  403: 'The key does not open this scope for this action.',
  404: 'Nothing with this id exists.',
  408: 'The body did not arrive in time.',
  409: 'The stored state does not allow the request, or the id or key was used for another request.',
  413: 'The body is too large.',
  415: 'The body has an unsupported media type.',
  422: 'A field is invalid; `fields` names it.',
  429: 'There were too many requests, or the model’s budget is spent. `Retry-After` says when to try again.',
  500: 'An internal error occurred.',
  502: 'The language model failed.',
  503: 'The store is busy, or the server shuts down. Try again after `Retry-After`.',
  507: 'The server has no disk space left.',
} as const
export type ProblemStatus = keyof typeof PROBLEMS

const COMMON_PROBLEMS: readonly ProblemStatus[] = [400, 401, 403, 422, 429, 500, 503]
const BODY_PROBLEMS: readonly ProblemStatus[] = [408, 413, 415]
/** The problem when another request has used the same idempotency key. */
const ONCE_PROBLEMS: readonly ProblemStatus[] = [409]

export interface Answer<Schema extends z.ZodType> {
  readonly status: 200 | 201 | 202
  readonly description: string
  readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>>
  /** The schema of the handler's return value. */
  readonly schema?: Schema
}

export function json<Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  status: Answer<Schema>['status'] = 200,
): Answer<Schema> {
  return { status, description, content: { 'application/json': { schema } }, schema }
}

export function stream(
  description: string,
  mediaType: string,
  written: { readonly description: string; readonly example: string },
): Answer<z.ZodNever> {
  return { status: 200, description, content: { [mediaType]: { schema: z.string().openapi(written) } } }
}

export interface AnswerDeclaration<Schema extends z.ZodType> {
  readonly answer: Answer<Schema>
  /** Problems beyond those of every route. */
  readonly problems?: readonly ProblemStatus[]
  readonly body?: z.ZodType
  /** A repeated request under the same `Idempotency-Key` runs once. */
  readonly once?: boolean
}

export function answersOf({ answer, problems = [], body, once = false }: AnswerDeclaration<z.ZodType>) {
  const { status, description, content } = answer
  const statuses = [
    ...COMMON_PROBLEMS,
    ...problems,
    ...(body === undefined ? [] : BODY_PROBLEMS),
    ...(once ? ONCE_PROBLEMS : []),
  ]
  const problemAnswers = statuses.map((status) => [
    status,
    { description: PROBLEMS[status], content: { 'application/problem+json': { schema: problemSchema } } },
  ])
  return { [status]: { description, content }, ...Object.fromEntries(problemAnswers) }
}

/** The header of routes that run once per idempotency key. */
export const onceHeaders = z.object({
  [IDEMPOTENCY_HEADER]: optionalParam(
    z.string(),
    'The same request with the same key has one effect and the same answer. A different request is refused (409).',
  ),
})

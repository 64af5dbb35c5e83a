import { z } from '@hono/zod-openapi'
import { problemSchema } from './schemas/problem.ts'
import { IDEMPOTENCY_HEADER } from './run-once.ts'

const PROBLEMS = {
  400: 'The address or body is malformed.',
  401: 'No key, or one that is not known.',
  403: 'The key does not open this scope for this action.',
  404: 'Nothing with that id here.',
  408: 'The body did not come in time.',
  409: 'What is there does not allow it, or the id or key was used for something else.',
  413: 'The body is too large.',
  415: 'The body is of another media type.',
  422: 'A field cannot be taken; `fields` names it.',
  429: 'Too many requests, or the model’s budget is spent; `Retry-After` says when to try again.',
  500: 'Something failed inside the server.',
  502: 'The language model failed.',
  503: 'The store is busy or the server shuts down; try again after `Retry-After`.',
  507: 'The server has no room left.',
} as const

type ProblemStatus = keyof typeof PROBLEMS

/** What every route may answer. */
const ALWAYS = [400, 401, 403, 422, 429, 500, 503] as const
/** What a route that takes a body may answer besides. */
export const WITH_BODY = [408, 413, 415] as const

type ProblemResponse = {
  description: string
  content: { 'application/problem+json': { schema: typeof problemSchema } }
}

/** The error answers of a route: those of every route, and its own. */
export function problems<const Own extends readonly ProblemStatus[]>(
  ...own: Own
): Record<(typeof ALWAYS)[number] | Own[number], ProblemResponse> {
  const statuses: readonly ProblemStatus[] = [...ALWAYS, ...own]
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: PROBLEMS[status],
        content: { 'application/problem+json': { schema: problemSchema } },
      },
    ]),
  ) as Record<(typeof ALWAYS)[number] | Own[number], ProblemResponse>
}

/** An answer in JSON. */
export function json<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { 'application/json': { schema } } }
}

/** A body in JSON, which must be there. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } } as const
}

/** The header of routes that do a request under the same key only once. */
export const onceHeaders = z.object({
  [IDEMPOTENCY_HEADER]: z
    .string()
    .optional()
    .openapi({
      param: {
        description:
          'The same request under the same key is done once and answered the same; another one is refused (409).',
      },
    }),
})

/** The name of the security scheme: a key in `Authorization: Bearer`. */
export const SECURITY = [{ key: [] as string[] }]

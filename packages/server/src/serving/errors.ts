// Turns thrown errors into problem answers, and logs failures of the server.
import type { Context, ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { KeepsakeError, ModelError, type ErrorCode } from 'keepsake'
import { Problem, problemBody, type FieldProblem } from '../problem.ts'
import type { ServerDeps, ServerEnv, ServerRequest } from '../server-context.ts'
import { describeError } from './write-log.ts'

export type AnswerProblem = (c: ServerRequest, problem: Problem) => Response

/** Answers with the problem of a thrown error, and logs failures of the server. */
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

export function sendProblem<Env extends ServerEnv>(c: Context<Env>, problem: Problem): Response {
  const body = JSON.stringify(problemBody(problem, c.var.requestId ?? ''))
  return c.body(body, problem.status as ContentfulStatusCode, {
    'Content-Type': 'application/problem+json',
    ...(problem.retryAfter === null ? {} : { 'Retry-After': String(problem.retryAfter) }),
    ...(problem.status === 401 ? { 'WWW-Authenticate': 'Bearer realm="keepsake"' } : {}),
  })
}

/** The answer to an error of the engine. */
interface ErrorAnswer {
  readonly status: number
  /** Replaces the error's own message, which may name server files or quote a model. */
  readonly detail?: string
  /** Seconds. */
  readonly retryAfter?: number
}

const ANSWERS: Readonly<Record<ErrorCode, ErrorAnswer>> = {
  'invalid-input': { status: 422 },
  'turn-conflict': { status: 409 },
  'not-found': { status: 404 },
  'not-possible': { status: 409 },
  'store-busy': {
    status: 503,
    detail: 'The store is busy with another write. Nothing was changed: try again.',
    retryAfter: 1,
  },
  'store-read-only': { status: 500, detail: 'The server’s store cannot be written. Nothing was changed.' },
  'store-full': {
    status: 507,
    detail:
      'The server has no space left to store this. Nothing was changed, and nothing stored before is lost.',
  },
  'store-corrupt': { status: 500, detail: 'The server’s store is damaged. Nothing was changed.' },
  'store-schema': { status: 500, detail: 'The server’s store has another version. Nothing was changed.' },
  'store-failed': { status: 500, detail: 'The server’s store failed. Nothing was changed.' },
  'model-failed': {
    status: 502,
    detail: 'The language model could not be reached or gave an error. Nothing stored is lost: try again.',
  },
  'model-answer': { status: 502, detail: 'The language model gave no usable answer.' },
  'model-budget': {
    status: 429,
    detail:
      'The budget of calls to the language model is spent for this scope. Wait, or ask the operator to raise it.',
  },
  closed: { status: 503, detail: 'The server is shutting down: try again in a moment.', retryAfter: 5 },
}

/** Translates any error into the problem that a caller sees, without paths, answers of models, and internal errors. */
export function translateError(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof KeepsakeError) return problemOfEngine(error)
  if (error instanceof HTTPException) return problemOfHono(error)
  return new Problem(
    500,
    'internal',
    'An internal error occurred. The server’s log contains the reason under this request’s id.',
    { cause: error },
  )
}

function problemOfEngine(error: KeepsakeError): Problem {
  // A numeric id is a row number, which only the engine uses. The row is gone, so its user was erased.
  if (error.code === 'not-found' && typeof error.details['id'] === 'number') {
    const detail = 'The user was erased meanwhile. Nothing was changed: try again.'
    return new Problem(503, 'store-busy', detail, { retryAfter: 1, cause: error })
  }
  const { status, detail = error.message, retryAfter } = ANSWERS[error.code]
  const after = modelWait(error) ?? retryAfter
  return new Problem(status, error.code, detail, {
    fields: error.code === 'invalid-input' ? namedField(error.message) : [],
    ...(after === undefined ? {} : { retryAfter: after }),
    cause: error,
  })
}

function modelWait(error: KeepsakeError): number | undefined {
  if (!(error instanceof ModelError) || error.retryAfterMs === null) return undefined
  return Math.max(1, Math.ceil(error.retryAfterMs / 1_000))
}

const FIELDS = 'turns?|scope|limit|keep|now|asOf|said|during|timeZone|until|forms|capacity|maxTokens|session'
/** Matches a message of the engine that begins with a field: `turns[2].text must be a string, but …`. */
const FIELD_MESSAGE = new RegExp(String.raw`^((?:${FIELDS})\b[\w.[\]]*) (.+)$`, 's')

/** Reads the field that begins a message of the engine. */
function namedField(message: string): readonly FieldProblem[] {
  const [, field, problem] = FIELD_MESSAGE.exec(message) ?? []
  if (field === undefined || problem === undefined) return []
  return [{ field: field.replaceAll(/\[(\d+)\]/g, '.$1'), problem }]
}

/** Converts an error of Hono. Its own messages, such as “Malformed JSON in request body”, quote nothing. */
function problemOfHono(error: HTTPException): Problem {
  if (error.status >= 500)
    return new Problem(error.status, 'internal', 'An internal error occurred.', { cause: error })
  if (error.status === 415)
    return new Problem(
      415,
      'unsupported-media-type',
      'Send the body as JSON: Content-Type: application/json.',
    )
  return new Problem(error.status, 'bad-request', error.message || 'The request is invalid.')
}

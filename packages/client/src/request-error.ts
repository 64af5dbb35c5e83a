import type { Problem } from './types.ts'

/** The server refused a request, or failed. The message says what happened and what to do. */
export class KeepsakeRequestError extends Error {
  override readonly name = 'KeepsakeRequestError'
  readonly status: number
  /** A code for programs: `invalid-input`, `forbidden`, `not-found`, …; `unknown` for a response that is not Keepsake's. */
  readonly code: string
  /** The server's report of the error; `null` for a response that is not Keepsake's. */
  readonly problem: Problem | null
  /** Seconds after which the same request may succeed; `null` when the server gives none. */
  readonly retryAfter: number | null

  constructor(status: number, problem: Problem | null, retryAfter: number | null = null) {
    super(problem?.detail ?? `The server answered with status ${status} and no explanation.`)
    this.status = status
    this.code = problem?.code ?? 'unknown'
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

/** The fields of a result of openapi-fetch that `dataOf` reads. */
interface Answer<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/** Returns the data of a response. @throws KeepsakeRequestError for an error response */
export function dataOf<Data>({ data, error, response }: Answer<Data>): Data {
  if (response.ok && data !== undefined) return data
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  throw new KeepsakeRequestError(
    response.status,
    isProblem(error) ? error : null,
    Number.isFinite(retryAfter) ? retryAfter : null,
  )
}

function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'code' in error && 'detail' in error
}

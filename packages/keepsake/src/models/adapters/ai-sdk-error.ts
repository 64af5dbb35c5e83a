// Converts errors of AI SDK models and of providers' answers to ModelErrors.
import { ModelError } from '@keepsake/text'

export interface BodyError {
  readonly message: string | null
  /** The status that the body names; `null` if it names none. */
  readonly status: number | null
}

/**
 * Reads the error of a parsed body; `null` if there is none. Providers have four forms: `error` as an object (OpenAI) or as a
 * sentence, `detail` (FastAPI), and a body that is the error itself with `object: 'error'` (older vLLM).
 */
export function errorInBody(body: unknown): BodyError | null {
  if (typeof body !== 'object' || body === null) return null
  const { error, detail, object } = body as Record<string, unknown>
  const isErrorItself = object === 'error'
  const found = isErrorItself ? body : (error ?? detail)
  if (found === undefined || found === null) return null
  if (typeof found !== 'object') return { message: typeof found === 'string' ? found : null, status: null }
  const { message, code, status } = found as Record<string, unknown>
  const number = [code, status].find((value) => typeof value === 'number')
  return { message: typeof message === 'string' ? message : null, status: number ?? null }
}

/** Parses JSON; returns `undefined` for other text. The parser's error is dropped, because it quotes the text. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Statuses below 500 after which the same request may succeed later. */
const RETRYABLE_STATUSES = new Set([408, 409, 425, 429])
/** Codes of Node and of its HTTP client undici for failures of the network. */
const NETWORK_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'ENOTFOUND',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
])
/** Errors of unreadable answers. They are retried, because a gateway usually caused them. */
const UNREADABLE_NAMES = new Set([
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
  'AI_NoContentGeneratedError',
  'AI_JSONParseError',
  'AI_TypeValidationError',
])
/** Errors whose messages quote the answer, which may contain text of a conversation. */
const QUOTING_NAMES = new Set(['AI_JSONParseError', 'AI_TypeValidationError'])
const MAX_REASON_CHARACTERS = 300

interface ErrorTraits {
  readonly name?: unknown
  readonly message?: unknown
  readonly code?: unknown
  readonly cause?: unknown
  readonly isRetryable?: unknown
  readonly statusCode?: unknown
  readonly responseHeaders?: unknown
  readonly responseBody?: unknown
}

/** Converts an AI SDK error to a ModelError with the provider's reason, and whether and when a retry may help. */
export function modelErrorFrom(cause: unknown, model: string, what: string, now = Date.now()): ModelError {
  if (cause instanceof ModelError) return cause
  const traits = traitsOf(cause)
  const status = typeof traits.statusCode === 'number' ? traits.statusCode : null
  const { responseBody } = traits
  const body = typeof responseBody === 'string' ? errorInBody(parseBody(responseBody)) : null
  return new ModelError(`${model} ${what}: ${reasonOf(cause, traits, body)}`, {
    cause,
    isRetryable: isRetryable(traits, status, body),
    retryAfterMs: readRetryAfter(traits.responseHeaders, now),
    details: { model, status },
  })
}

/** Reads the delay of `retry-after-ms` or `retry-after` (seconds or HTTP date); `null` if absent. */
export function readRetryAfter(headers: unknown, now: number): number | null {
  const milliseconds = headerOf(headers, 'retry-after-ms')
  if (milliseconds !== null && isAmount(milliseconds)) return Math.ceil(Number(milliseconds))
  const after = headerOf(headers, 'retry-after')
  if (after === null) return null
  if (isAmount(after)) return Math.ceil(Number(after) * 1000)
  const date = Date.parse(after)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

function isAmount(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text.trim())
}

function headerOf(headers: unknown, name: string): string | null {
  if (typeof headers !== 'object' || headers === null) return null
  const header = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof header === 'string' ? header : null
}

/** Status that is assumed for an error without one: a fault of the server, which may pass. */
const SERVER_ERROR = 500

function isRetryable(traits: ErrorTraits, status: number | null, body: BodyError | null): boolean {
  // Some gateways send an error with a status of success. Then the status in the body counts.
  if (status !== null && status < 300) return isRetryableStatus(body?.status ?? SERVER_ERROR)
  if (typeof traits.isRetryable === 'boolean') return traits.isRetryable
  if (status !== null) return isRetryableStatus(status)
  if (typeof traits.name === 'string' && UNREADABLE_NAMES.has(traits.name)) return true
  return isNetworkFailure(traits)
}

/** Checks whether a request with this status may be retried. */
export function isRetryableStatus(status: number): boolean {
  return RETRYABLE_STATUSES.has(status) || status >= SERVER_ERROR
}

/** Maximum depth of the search in errors that wrap each other, because causes may form a cycle. */
const MAX_CAUSES = 5

/** Checks whether an error, or one of its causes, is a timeout or a failure of the network. */
export function isNetworkFailure(error: unknown): boolean {
  let current: unknown = error
  for (let depth = 0; depth < MAX_CAUSES && typeof current === 'object' && current !== null; depth++) {
    const { name, code, cause } = traitsOf(current)
    if (name === 'TimeoutError' || name === 'AbortError') return true
    if (typeof code === 'string' && NETWORK_CODES.has(code)) return true
    current = cause
  }
  return false
}

function traitsOf(error: unknown): ErrorTraits {
  return typeof error === 'object' && error !== null ? error : {}
}

function reasonOf(cause: unknown, traits: ErrorTraits, body: BodyError | null): string {
  if (typeof body?.message === 'string') return body.message.slice(0, MAX_REASON_CHARACTERS)
  if (typeof traits.name === 'string' && QUOTING_NAMES.has(traits.name)) return 'it sent what cannot be read.'
  const message = typeof traits.message === 'string' ? traits.message : cause
  if (typeof message !== 'string' || message === '') return 'it gave no reason.'
  return message.slice(0, MAX_REASON_CHARACTERS)
}

import type { z } from 'zod'
import { PeerError, type PeerFault } from './peer-error.ts'

/** Requests are sent this often at most, the first time included. */
const MAX_ATTEMPTS = 4
/** Wait before the first repetition; each further one waits twice as long. */
const FIRST_WAIT_MS = 500
/** A peer that asks to wait longer than this is asked again after this. */
const LONGEST_WAIT_MS = 120_000
const BODY_EXCERPT = 300
/** Node's `fetch` waits no longer than 300 s for an answer to begin, whatever it is told. */
export const LONGEST_REQUEST_MS = 290_000

/** A peer's way of saying no inside an answer of status 200. */
export interface Refusal {
  readonly problem: string
  readonly isRetryable: boolean
  /** Whether what was asked about is not there, as with status 404. */
  readonly isAbsent: boolean
  /** Whether the peer surely did nothing of what was asked, so that even an addition may be sent again. */
  readonly isUntaken: boolean
  readonly advice: string
}

export interface HttpClientSettings {
  readonly system: string
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  /** What must never be shown; `null`: there is none. */
  readonly key: string | null
  /** Where the key is read from, for advice. */
  readonly keyVariable: string
  readonly timeoutMs: number
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Finds a refusal in an answer's body; `null`: the body is what was asked for. */
  readonly findRefusal: (body: unknown) => Refusal | null
}

export interface PeerRequest<T> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** From the base URL, starting with a slash, its variable parts encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The fields that are read of the answer; others may be there. */
  readonly reads: z.ZodType<T>
  /**
   * Whether sending it twice does no harm. Additions are not safe: after a lost answer they would be stored
   * twice, so they are repeated only when the peer surely took nothing. Default true.
   */
  readonly isSafeToRepeat?: boolean
  /** What to return when the peer says that it is not there. Absent: that is an error. */
  readonly whenAbsent?: { readonly value: T }
  /** In milliseconds, LONGEST_REQUEST_MS at most; default: the client's. */
  readonly timeoutMs?: number
}

export interface HttpClient {
  /** Throws PeerError. Repeats after 429, 5xx and failed connections, a bounded number of times. */
  request<T>(request: PeerRequest<T>): Promise<T>
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly retryAfterMs: number | null
}

/** A client for one peer: JSON over `fetch`, every answer checked. */
export function createHttpClient(settings: HttpClientSettings): HttpClient {
  return { request: (request) => requestRepeatedly(settings, request) }
}

async function requestRepeatedly<T>(settings: HttpClientSettings, request: PeerRequest<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await requestOnce(settings, request)
    } catch (error) {
      if (!(error instanceof PeerError) || attempt === MAX_ATTEMPTS || !mayRepeat(request, error)) throw error
      const wait = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1)
      await settings.sleep(Math.min(wait, LONGEST_WAIT_MS))
    }
  }
}

function mayRepeat<T>(request: PeerRequest<T>, error: PeerError): boolean {
  return error.isRetryable && ((request.isSafeToRepeat ?? true) || !error.mayHaveActed)
}

async function requestOnce<T>(settings: HttpClientSettings, request: PeerRequest<T>): Promise<T> {
  const answer = await exchange(settings, request)
  if (answer.status === 404 && request.whenAbsent !== undefined) return request.whenAbsent.value
  if (answer.status < 200 || answer.status > 299) throw statusError(settings, request, answer)
  const body = parseBody(settings, request, answer)
  const refusal = settings.findRefusal(body)
  if (refusal !== null) {
    if (refusal.isAbsent && request.whenAbsent !== undefined) return request.whenAbsent.value
    throw fault(settings, request, {
      status: answer.status,
      problem: refusal.problem,
      advice: refusal.advice,
      isRetryable: refusal.isRetryable,
      mayHaveActed: !refusal.isUntaken,
      retryAfterMs: answer.retryAfterMs,
    })
  }
  return readBody(settings, request, answer, body)
}

async function exchange<T>(settings: HttpClientSettings, request: PeerRequest<T>): Promise<Answer> {
  const timeoutMs = Math.min(request.timeoutMs ?? settings.timeoutMs, LONGEST_REQUEST_MS)
  try {
    const response = await fetch(urlOf(settings, request), {
      method: request.method,
      headers: {
        accept: 'application/json',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...settings.headers,
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      // A redirect would carry a key in a header of the peer's own to wherever it points.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), settings.now())
    return { status: response.status, text: await response.text(), retryAfterMs }
  } catch (error) {
    throw connectionError(settings, request, timeoutMs, error)
  }
}

function urlOf<T>(settings: HttpClientSettings, request: PeerRequest<T>): string {
  const query = new URLSearchParams(request.query).toString()
  return `${settings.baseUrl}${request.path}${query === '' ? '' : `?${query}`}`
}

/** Seconds or a date, as RFC 9110 has it; `null` when absent or neither. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

function connectionError<T>(
  settings: HttpClientSettings,
  request: PeerRequest<T>,
  timeoutMs: number,
  error: unknown,
): PeerError {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return fault(settings, request, {
      problem: `gave no answer within ${timeoutMs} ms`,
      advice: 'Allow more time with timeoutMs, or look whether the service is overloaded.',
      isRetryable: true,
      cause: error,
    })
  }
  const code = connectionCode(error)
  return fault(settings, request, {
    problem: `could not be sent to ${settings.baseUrl} (${code})`,
    advice: 'Check that the service runs there and that this machine may reach it.',
    isRetryable: true,
    mayHaveActed: code !== 'ECONNREFUSED' && code !== 'ENOTFOUND',
    cause: error,
  })
}

function connectionCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return error instanceof Error ? error.message : 'unknown reason'
}

function statusError<T>(settings: HttpClientSettings, request: PeerRequest<T>, answer: Answer): PeerError {
  return fault(settings, request, {
    status: answer.status,
    problem: `was answered with status ${answer.status}`,
    advice: adviceOn(answer.status, settings.keyVariable),
    body: answer.text,
    isRetryable: answer.status === 429 || answer.status >= 500,
    // Both say that the request was not taken on; after any other failure the peer may have stored it.
    mayHaveActed: answer.status !== 429 && answer.status !== 503,
    retryAfterMs: answer.retryAfterMs,
  })
}

function adviceOn(status: number, keyVariable: string): string {
  if (status === 401) return `Check the key in ${keyVariable}.`
  if (status === 403)
    return `The key in ${keyVariable} does not permit this: use one that may write and delete.`
  if (status === 404) return 'Check the base URL: the service may speak another version of its interface.'
  if (status === 429) return 'The plan allows no more requests now: run later, or with less at once.'
  if (status >= 500) return 'The service failed: look at its log or status page, then run again.'
  if (status >= 300 && status < 400) return 'Redirects are not followed: give the base URL it points to.'
  return 'The service may speak another version of its interface than this adapter does.'
}

function parseBody<T>(settings: HttpClientSettings, request: PeerRequest<T>, answer: Answer): unknown {
  if (answer.text.trim() === '') return null
  try {
    return JSON.parse(answer.text)
  } catch {
    // The parser's own error is left out: it quotes what it read, which may hold the key.
    throw fault(settings, request, {
      status: answer.status,
      problem: 'was not answered with JSON',
      advice: 'Check the base URL: it may lead to a web page or a proxy.',
      body: answer.text,
    })
  }
}

function readBody<T>(
  settings: HttpClientSettings,
  request: PeerRequest<T>,
  answer: Answer,
  body: unknown,
): T {
  const read = request.reads.safeParse(body)
  if (read.success) return read.data
  const issue = read.error.issues[0]
  const field = issue === undefined || issue.path.length === 0 ? 'the answer' : issue.path.join('.')
  throw fault(settings, request, {
    status: answer.status,
    problem: `was answered without what is documented: ${field}: ${issue?.message ?? 'unreadable'}`,
    advice: 'The service may speak another version of its interface than this adapter does.',
    body: answer.text,
  })
}

function fault<T>(
  settings: HttpClientSettings,
  request: PeerRequest<T>,
  rest: Omit<PeerFault, 'system' | 'method' | 'path' | 'status'> & { readonly status?: number },
): PeerError {
  return new PeerError({
    status: null,
    ...rest,
    problem: hideKey(rest.problem, settings.key),
    body: excerpt(hideKey(rest.body ?? '', settings.key)),
    system: settings.system,
    method: request.method,
    path: request.path,
  })
}

/** A service may repeat the key in what it says, as it is or as JSON writes it. */
function hideKey(text: string, key: string | null): string {
  if (key === null) return text
  return text.replaceAll(key, '[key]').replaceAll(JSON.stringify(key).slice(1, -1), '[key]')
}

function excerpt(text: string): string {
  return text.length > BODY_EXCERPT ? `${text.slice(0, BODY_EXCERPT)}…` : text
}

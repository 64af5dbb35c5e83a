import { readRetryAfter } from 'keepsake/model'
import type { z } from 'zod'
import { PeerError, type PeerFault } from './peer-error.ts'

/** How often a request is sent at most, the first time included. */
const MAX_ATTEMPTS = 4
/** Wait before the first repetition; each further one waits twice as long. */
const FIRST_WAIT_MS = 500
/** A peer that asks to wait longer than this is asked again after this. */
const LONGEST_WAIT_MS = 120_000
const BODY_EXCERPT = 300
/** Node's `fetch` waits no longer than 300 s for an answer to begin, unless its dispatcher is configured to. */
export const LONGEST_REQUEST_MS = 290_000
export const OTHER_VERSION = 'The service may speak another version of its interface than this adapter does.'

/** A service can refuse a request inside an answer of status 200. This is what such an answer says. */
export interface Refusal extends Pick<PeerFault, 'problem' | 'advice' | 'isRetryable'> {
  /** Whether what was asked about is not there, as with status 404. */
  readonly isAbsent: boolean
  /** Whether it is certain that the peer did nothing, so that even an addition may be sent again. */
  readonly isUntaken: boolean
}

interface HttpClientSettings {
  readonly system: string
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  /** What must never be shown; `null`: there is none. */
  readonly key: string | null
  /** Where the key is read from, for advice. */
  readonly keyVariable: string
  readonly timeoutMs: number
  /** No request is waited for longer; default 290,000. */
  readonly longestRequestMs?: number
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Finds a refusal in an answer's body; `null`: the body is what was asked for. */
  readonly findRefusal: (body: unknown) => Refusal | null
}

/** Method and path as a reference writes them: the path from the base URL, its variable parts encoded. */
export type RequestLine = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Whether sending it twice does no harm (default). Additions are repeated only when the peer surely took nothing. */
  readonly isSafeToRepeat?: boolean
  /** Whether it is no error when the peer says that it is not there. Default false. */
  readonly mayBeAbsent?: boolean
  /** In milliseconds, as many as the client ever waits at most; default: the client's. */
  readonly timeoutMs?: number
}

/** A client for one peer: JSON over `fetch`, answers checked. Repeats a bounded number of times after 429, 5xx and failed connections. */
export class HttpClient {
  readonly #settings: HttpClientSettings

  constructor(settings: HttpClientSettings) {
    this.#settings = settings
  }

  /** Reads the documented fields of an answer; others may be there. @throws PeerError */
  async ask<T>(line: RequestLine, reads: z.ZodType<T>, options: RequestOptions = {}): Promise<T> {
    const { status, text, body } = await this.#sendRepeatedly(line, options)
    const read = reads.safeParse(body)
    if (read.success) return read.data
    const issue = read.error.issues[0]
    const field = issue === undefined || issue.path.length === 0 ? 'the answer' : issue.path.join('.')
    throw this.fault(line, {
      status,
      problem: `was answered without what is documented: ${field}: ${issue?.message ?? 'unreadable'}`,
      advice: OTHER_VERSION,
      body: text,
    })
  }

  /** Sends a request and reads nothing of the answer. @throws PeerError */
  async tell(line: RequestLine, options: RequestOptions = {}): Promise<void> {
    await this.#sendRepeatedly(line, options)
  }

  async #sendRepeatedly(line: RequestLine, options: RequestOptions) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#sendOnce(line, options)
      } catch (error) {
        if (!(error instanceof PeerError) || attempt === MAX_ATTEMPTS) throw error
        if (!error.isRetryable || (options.isSafeToRepeat === false && error.mayHaveActed)) throw error
        const wait = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1)
        await this.#settings.sleep(Math.min(wait, LONGEST_WAIT_MS))
      }
    }
  }

  async #sendOnce(
    line: RequestLine,
    options: RequestOptions,
  ): Promise<{ status: number; text: string; body: unknown }> {
    const { status, text, retryAfterMs } = await this.#exchange(line, options)
    if (status === 404 && options.mayBeAbsent === true) return { status, text, body: null }
    if (status < 200 || status > 299) {
      throw this.fault(line, {
        status,
        problem: `was answered with status ${status}`,
        advice: adviceOn(status, this.#settings.keyVariable),
        body: text,
        isRetryable: status === 429 || status >= 500,
        // Both say that the request was not taken on; after any other failure the peer may have stored it.
        mayHaveActed: status !== 429 && status !== 503,
        retryAfterMs,
      })
    }
    const body = this.#parse(line, status, text)
    const refusal = this.#settings.findRefusal(body)
    if (refusal === null || (refusal.isAbsent && options.mayBeAbsent === true)) return { status, text, body }
    const { isUntaken, isAbsent: _, ...fault } = refusal
    throw this.fault(line, { ...fault, status, mayHaveActed: !isUntaken, retryAfterMs })
  }

  async #exchange(line: RequestLine, { query, body, timeoutMs }: RequestOptions) {
    const { baseUrl, headers, now, longestRequestMs = LONGEST_REQUEST_MS } = this.#settings
    const [method, path] = line.split(' ')
    const parameters = new URLSearchParams(query).toString()
    const limit = Math.min(timeoutMs ?? this.#settings.timeoutMs, longestRequestMs)
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    try {
      const response = await fetch(`${baseUrl}${path}${parameters === '' ? '' : `?${parameters}`}`, {
        method: method ?? 'GET',
        headers: { accept: 'application/json', ...json, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // A redirect would carry a key in a header of the peer's own to wherever it points.
        redirect: 'manual',
        signal: AbortSignal.timeout(limit),
      })
      const retryAfterMs = readRetryAfter(Object.fromEntries(response.headers), now())
      return { status: response.status, text: await response.text(), retryAfterMs }
    } catch (error) {
      throw this.fault(line, connectionFault(error, baseUrl, limit))
    }
  }

  #parse(line: RequestLine, status: number, text: string): unknown {
    if (text.trim() === '') return null
    try {
      return JSON.parse(text)
    } catch {
      // The parser's own error is left out: it quotes what it read, which may hold the key.
      const advice = 'Check the base URL: it may lead to a web page or a proxy.'
      throw this.fault(line, { status, problem: 'was not answered with JSON', advice, body: text })
    }
  }

  /** What went wrong with a request, in this peer's name, without the key. */
  fault(request: RequestLine, fault: Omit<PeerFault, 'system' | 'request'>): PeerError {
    const { system, key } = this.#settings
    const body = hideKey(fault.body ?? '', key)
    return new PeerError({
      ...fault,
      system,
      request,
      problem: hideKey(fault.problem, key),
      body: body.length > BODY_EXCERPT ? `${body.slice(0, BODY_EXCERPT)}…` : body,
    })
  }
}

function connectionFault(cause: unknown, baseUrl: string, limit: number) {
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    const advice = 'Allow more time with timeoutMs, or look whether the service is overloaded.'
    return { problem: `gave no answer within ${limit} ms`, advice, isRetryable: true, cause }
  }
  const code = connectionCode(cause)
  return {
    problem: `could not be sent to ${baseUrl} (${code})`,
    advice: 'Check that the service runs there and that this machine may reach it.',
    isRetryable: true,
    mayHaveActed: code !== 'ECONNREFUSED' && code !== 'ENOTFOUND',
    cause,
  }
}

function connectionCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return error instanceof Error ? error.message : 'unknown reason'
}

function adviceOn(status: number, keyVariable: string): string {
  if (status === 401) return `Check the key in ${keyVariable}.`
  if (status === 403)
    return `The key in ${keyVariable} does not permit this: use one that may write and delete.`
  if (status === 404) return 'Check the base URL: the service may speak another version of its interface.'
  if (status === 429) return 'The plan allows no more requests now: run later, or with less at once.'
  if (status >= 500) return 'The service failed: look at its log or status page, then run again.'
  if (status >= 300 && status < 400) return 'Redirects are not followed: give the base URL it points to.'
  return OTHER_VERSION
}

/** A service may repeat the key in what it says, as it is or as JSON writes it. */
function hideKey(text: string, key: string | null): string {
  if (key === null) return text
  return text.replaceAll(key, '[key]').replaceAll(JSON.stringify(key).slice(1, -1), '[key]')
}

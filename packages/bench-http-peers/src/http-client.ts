import { readRetryAfter } from 'keepsake/model'
import type { z } from 'zod'
import { PeerError, type PeerFault } from './peer-error.ts'

/** A request is sent this many times at most, the first time included. */
const MAX_ATTEMPTS = 4
/** Wait before the first repetition; each further one waits twice as long. */
const FIRST_WAIT_MS = 500
/** The longest wait before a repetition, even if the peer asks to wait longer. */
const LONGEST_WAIT_MS = 120_000
/** Number of characters of an answer that an error shows. */
const BODY_EXCERPT = 300
/** Longest time for a request. It is less than 300 s, since Node's `fetch` waits no longer unless its dispatcher is configured to. */
export const LONGEST_REQUEST_MS = 290_000
/** Advice for an answer in an unexpected form. */
export const OTHER_VERSION = 'The service may speak another version of its interface than this adapter does.'

/** A refusal that a service puts into an answer of status 200. */
export interface Refusal extends Pick<PeerFault, 'problem' | 'advice' | 'isRetryable'> {
  /** Whether the requested thing does not exist, as with status 404. */
  readonly isAbsent: boolean
  /** Whether the peer may have carried out part of the request. If not, even an addition may be sent again. */
  readonly mayHaveActed: boolean
}

interface HttpClientSettings {
  readonly system: string
  /** Has no slash at its end. */
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  /** The secret key, which no error may show; `null`: the service needs none. */
  readonly key: string | null
  /** The environment variable of the key. Advice names it. */
  readonly keyVariable: string
  readonly timeoutMs: number
  /** Upper limit of `timeoutMs`, in milliseconds; default 290,000. */
  readonly longestRequestMs?: number
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Finds a refusal in an answer's body; `null`: there is none. */
  readonly findRefusal: (body: unknown) => Refusal | null
}

/** Method and path of a request. The path starts at the base URL, and its variable parts are encoded. */
export type RequestLine = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Whether the request may be sent twice (default). If not, it is repeated only when the peer certainly did nothing. */
  readonly isSafeToRepeat?: boolean
  /** Whether the peer may answer that the requested thing does not exist. Default false: that is an error. */
  readonly mayBeAbsent?: boolean
  /** In milliseconds, within `longestRequestMs`; default: the client's `timeoutMs`. */
  readonly timeoutMs?: number
}

/** A client for one peer: sends JSON over `fetch` and checks the answers. Repeats requests after 429, 5xx and failed connections. */
export class HttpClient {
  readonly #settings: HttpClientSettings

  constructor(settings: HttpClientSettings) {
    this.#settings = settings
  }

  /** Sends a request and reads the answer with a schema of its documented fields. @throws PeerError */
  async ask<T>(line: RequestLine, schema: z.ZodType<T>, options: RequestOptions = {}): Promise<T> {
    const { status, text, body } = await this.#sendRepeatedly(line, options)
    const parsed = schema.safeParse(body)
    if (parsed.success) return parsed.data
    const issue = parsed.error.issues[0]
    const field = issue === undefined || issue.path.length === 0 ? 'the answer' : issue.path.join('.')
    throw this.fault(line, {
      status,
      problem: `was answered without what is documented: ${field}: ${issue?.message ?? 'unreadable'}`,
      advice: OTHER_VERSION,
      body: text,
    })
  }

  /** Sends a request and ignores the answer's body. @throws PeerError */
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
        // With these two the peer says that it did nothing. After any other failure it may have stored the data.
        mayHaveActed: status !== 429 && status !== 503,
        retryAfterMs,
      })
    }
    const body = this.#parse(line, status, text)
    const refusal = this.#settings.findRefusal(body)
    if (refusal === null || (refusal.isAbsent && options.mayBeAbsent === true)) return { status, text, body }
    const { isAbsent: _, ...fault } = refusal
    throw this.fault(line, { ...fault, status, retryAfterMs })
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
        // Following a redirect would send the key, which is in a header, to another server.
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
      // Does not show the parser's error, since it quotes the answer, which may contain the key.
      const advice = 'Check the base URL: it may lead to a web page or a proxy.'
      throw this.fault(line, { status, problem: 'was not answered with JSON', advice, body: text })
    }
  }

  /** Makes an error about a request to this peer, with the key hidden. */
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

/** Replaces the key in an answer's text, both as it is and as JSON escapes it. */
function hideKey(text: string, key: string | null): string {
  if (key === null) return text
  return text.replaceAll(key, '[key]').replaceAll(JSON.stringify(key).slice(1, -1), '[key]')
}

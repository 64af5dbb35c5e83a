import { Problem } from '../problem.ts'
import type { Upstream } from '../server-context.ts'
import { hashOf } from '../serving/idempotency-key.ts'
import { IDEMPOTENCY_HEADER } from '../serving/request-store.ts'

export interface UpstreamRequest {
  readonly method: string
  /** Relative to the upstream's URL, encoded: `/chat/completions`, with the query. */
  readonly path: string
  readonly headers: Headers
  /** The id of the caller's key. */
  readonly grant: string
  /** JSON, or a body that is streamed through. */
  readonly body?: string | ReadableStream<Uint8Array> | null
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal
}

/** Headers of one connection (RFC 9110, 7.6.1), or recomputed for the next one. */
const HOP_BY_HOP = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** Headers that are only for this server: its key, cookies, the caller's address. */
const SERVER_ONLY_HEADERS = [
  'accept-encoding',
  'api-key',
  'authorization',
  'cookie',
  'forwarded',
  'origin',
  'referer',
  'x-api-key',
  'x-real-ip',
  'x-upstream-authorization',
]
const SERVER_ONLY_PREFIX = /^(?:x-keepsake-|x-forwarded-|sec-)/

/** Headers about the upstream's host, or that this server sets itself. */
const UPSTREAM_ONLY_HEADERS = [
  'alt-svc',
  'content-location',
  'date',
  'location',
  'server',
  'set-cookie',
  'strict-transport-security',
  'x-request-id',
]
const UPSTREAM_ONLY_PREFIX = /^(?:access-control-|x-keepsake-)/

/** Headers of an error in a model API's form. Clients also retry any 5xx and 409 unless a header forbids it. */
export function retryHeaders({ status, retryAfter }: Problem): Readonly<Record<string, string>> {
  if (retryAfter !== null) return { 'retry-after': String(retryAfter) }
  return status >= 500 || status === 409 ? { 'x-should-retry': 'false' } : {}
}

/** Error types that OpenAI's and Anthropic's APIs share. */
export const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

/** @throws Problem 503 `no-upstream`. */
export function requireUpstream(upstream: Upstream | null, option: string): Upstream {
  if (upstream !== null) return upstream
  const detail = `This server has no upstream for chats. Start it with one: keepsake serve ${option} URL.`
  throw new Problem(503, 'no-upstream', detail)
}

/** Forwards a request and returns any answer. @throws Problem 502 `upstream-unreachable`, 504 `upstream-timeout`, 499 `client-gone` */
export async function forwardUpstream(upstream: Upstream, request: UpstreamRequest): Promise<Response> {
  const { method, path, body, signal } = request
  try {
    return await fetch(`${upstream.url.replace(/\/+$/, '')}${path}`, {
      method,
      headers: upstreamHeaders(upstream, request),
      signal,
      redirect: 'manual',
      ...(body === undefined || body === null ? {} : { body, duplex: 'half' }),
    })
  } catch (cause) {
    const problem = problemIn(cause)
    if (problem !== null) throw problem
    if (signal.aborted) throw new Problem(499, 'client-gone', 'The client closed the connection.', { cause })
    if (causeCode(cause) === 'UND_ERR_HEADERS_TIMEOUT')
      throw new Problem(504, 'upstream-timeout', 'The upstream did not answer in time.', { cause })
    throw new Problem(502, 'upstream-unreachable', 'The upstream could not be reached.', {
      retryAfter: 1,
      cause,
    })
  }
}

/** Filters the upstream's headers for the caller. Its `x-request-id` becomes `x-upstream-request-id`. */
export function returnedHeaders(headers: Headers): Headers {
  const returned = new Headers()
  const excluded = new Set([...HOP_BY_HOP, ...UPSTREAM_ONLY_HEADERS, ...namedByConnection(headers)])
  for (const [name, value] of headers)
    if (!excluded.has(name) && !UPSTREAM_ONLY_PREFIX.test(name)) returned.append(name, value)
  // fetch() has already decompressed. No length is sent, so that clients do not take an answer for complete
  // too early.
  returned.delete('content-encoding')
  const id = headers.get('x-request-id')
  if (id !== null) returned.set('x-upstream-request-id', id)
  return returned
}

/** Returns the problem of the caller's body, when that caused the failure. */
function problemIn(error: unknown): Problem | null {
  if (error instanceof Problem) return error
  return error instanceof Error && error.cause !== undefined ? problemIn(error.cause) : null
}

function causeCode(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  if (typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string')
    return cause.code
  return cause instanceof Error ? cause.name : 'unknown'
}

function upstreamHeaders(upstream: Upstream, { headers, body, grant }: UpstreamRequest): Headers {
  const sent = new Headers()
  const excluded = new Set([...HOP_BY_HOP, ...SERVER_ONLY_HEADERS, ...namedByConnection(headers)])
  for (const [name, value] of headers)
    if (!excluded.has(name) && !SERVER_ONLY_PREFIX.test(name)) sent.append(name, value)
  if (typeof body === 'string' && !sent.has('content-type')) sent.set('content-type', 'application/json')
  // A streamed body keeps its declared length.
  const length = headers.get('content-length')
  if (body instanceof ReadableStream && length !== null) sent.set('content-length', length)
  // A compressed answer could not be passed on byte for byte.
  sent.set('accept-encoding', 'identity')
  // All callers share one upstream key, so the hash makes equal idempotency keys of two callers distinct.
  const idempotencyKey = headers.get(IDEMPOTENCY_HEADER)
  if (idempotencyKey !== null) sent.set(IDEMPOTENCY_HEADER, hashOf([grant, idempotencyKey]))
  authorize(sent, upstream, headers.get('x-upstream-authorization'))
  return sent
}

/** Adds the server's key, or keeps the caller's own. */
function authorize(
  sent: Headers,
  { key, keyHeader = 'authorization' }: Upstream,
  callerKey: string | null,
): void {
  if (key !== null) sent.set(keyHeader, keyHeader === 'authorization' ? `Bearer ${key}` : key)
  else if (callerKey !== null) sent.set(/^bearer /i.test(callerKey) ? 'authorization' : keyHeader, callerKey)
}

function namedByConnection(headers: Headers): readonly string[] {
  return (headers.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase())
}

import { Problem } from '../problem.ts'
import type { Upstream } from '../server-context.ts'
import { hashOf, IDEMPOTENCY_HEADER } from '../serving/idempotency-key.ts'

/** A request to go on to the upstream. */
export interface Forwarded {
  readonly method: string
  /** Below the upstream's URL, encoded: `/chat/completions`, with the query. */
  readonly path: string
  /** As the caller sent them. */
  readonly headers: Headers
  /** By which key of ours it came. */
  readonly grant: string
  /** JSON, or what is handed on as it comes. */
  readonly body?: string | ReadableStream<Uint8Array> | null
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal
}

/** Of one connection (RFC 9110, 7.6.1), or recomputed for the next one. */
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

/** Headers for this server alone: its key, its cookies, where the caller is. */
const NOT_UPSTREAM = [
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
const NOT_UPSTREAM_PREFIX = /^(?:x-keepsake-|x-forwarded-|sec-)/

/** What the upstream says of its own host, and what this server says itself. */
const NOT_BACK = ['alt-svc', 'date', 'server', 'set-cookie', 'strict-transport-security', 'x-request-id']
const NOT_BACK_PREFIX = /^(?:access-control-|x-keepsake-)/

/** @throws Problem 503 `no-upstream`. */
export function requireUpstream(upstream: Upstream | null, option: string): Upstream {
  if (upstream !== null) return upstream
  const detail = `This server has no upstream for chats. Start it with one: keepsake serve ${option} URL.`
  throw new Problem(503, 'no-upstream', detail)
}

/**
 * Sends a request on. Whatever the upstream answers is an answer; only that it does not is a problem.
 *
 * @throws Problem 502 `upstream-unreachable`, 504 `upstream-timeout`, 499 `client-gone`.
 */
export async function forwardUpstream(upstream: Upstream, request: Forwarded): Promise<Response> {
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
    const own = problemIn(cause)
    if (own !== null) throw own
    if (signal.aborted) throw new Problem(499, 'client-gone', 'The caller went away.', { cause })
    if (causeCode(cause) === 'UND_ERR_HEADERS_TIMEOUT')
      throw new Problem(504, 'upstream-timeout', 'The upstream did not answer in time.', { cause })
    throw new Problem(502, 'upstream-unreachable', 'The upstream could not be reached.', {
      retryAfter: 1,
      cause,
    })
  }
}

/** The headers of the upstream's answer that a caller sees. Its `x-request-id` becomes `x-upstream-request-id`. */
export function returnedHeaders(headers: Headers): Headers {
  const returned = new Headers()
  const left = new Set([...HOP_BY_HOP, ...NOT_BACK, ...namedByConnection(headers)])
  for (const [name, value] of headers)
    if (!left.has(name) && !NOT_BACK_PREFIX.test(name)) returned.append(name, value)
  // fetch() has undone the encoding of an upstream that compresses unasked. No length is said (it is of a hop's headers), so
  // that nobody takes an answer for ended before we do.
  returned.delete('content-encoding')
  const id = headers.get('x-request-id')
  if (id !== null) returned.set('x-upstream-request-id', id)
  return returned
}

/** What was wrong with the caller's own body, where that is why it could not be sent. */
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

function upstreamHeaders(upstream: Upstream, { headers, body, grant }: Forwarded): Headers {
  const sent = new Headers()
  const left = new Set([...HOP_BY_HOP, ...NOT_UPSTREAM, ...namedByConnection(headers)])
  for (const [name, value] of headers)
    if (!left.has(name) && !NOT_UPSTREAM_PREFIX.test(name)) sent.append(name, value)
  if (typeof body === 'string' && !sent.has('content-type')) sent.set('content-type', 'application/json')
  // What is handed on as it comes is as long as it was said to be.
  const length = headers.get('content-length')
  if (body instanceof ReadableStream && length !== null) sent.set('content-length', length)
  // Compressed, an answer could not be handed on byte for byte as it comes.
  sent.set('accept-encoding', 'identity')
  // The upstream knows everybody here by one key: what two callers name alike are two requests.
  const once = headers.get(IDEMPOTENCY_HEADER)
  if (once !== null) sent.set(IDEMPOTENCY_HEADER, hashOf([grant, once]))
  authorize(sent, upstream, headers.get('x-upstream-authorization'))
  return sent
}

/** With the server's key, or what the caller has brought of their own. */
function authorize(sent: Headers, { key, keyHeader = 'authorization' }: Upstream, own: string | null): void {
  if (key !== null) sent.set(keyHeader, keyHeader === 'authorization' ? `Bearer ${key}` : key)
  else if (own !== null) sent.set(/^bearer /i.test(own) ? 'authorization' : keyHeader, own)
}

function namedByConnection(headers: Headers): readonly string[] {
  return (headers.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase())
}

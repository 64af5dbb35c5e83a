import type { MiddlewareHandler } from 'hono'
import { requireAnyMemory, type Grant } from '../access/access.ts'
import { Problem } from '../problem.ts'
import { isPassedThrough, protocolOf } from '../protocols.ts'
import type { ServerDeps, ServerEnv, ServerRequest, Upstream } from '../server-context.ts'
import { watchStream } from '../serving/watch-stream.ts'
import { forwardUpstream, returnedHeaders } from './forward-upstream.ts'
import type { ChatProxy } from './relay-chat.ts'

/** What is answered from the request alone, so that one caller's is nothing to another. */
const KEEPS_NOTHING =
  /^\/(?:models|embeddings|moderations|completions|audio|images|rerank|responses\/input_tokens|messages\/count_tokens)(?:\/|$)/
const ASKS_ONLY = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Hands what else clients of language models ask of `/v1` on to the upstream, and its answer back, byte for byte as they come:
 * models, embeddings, files, sound. No memory has a part in it. What asks for work counts as a call of the upstream.
 *
 * @throws Problem 404 for a path that climbs; 403 for a key that opens only some people, where the upstream keeps for everybody alike.
 */
export function passThrough(proxy: ChatProxy): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    if (!isPassedThrough(c.req)) return next()
    const { deps, budget } = proxy
    const grant = c.get('grant')
    requireAnyMemory(grant)
    const { pathname, search } = new URL(c.req.url)
    const path = requirePlain(pathname.slice('/v1'.length))
    const upstream = upstreamOf(deps, c)
    requireOwn(grant, upstream, path)
    if (!ASKS_ONLY.has(c.req.method)) await budget.take(grant)
    const { method, headers, signal } = c.req.raw
    const hasBody = headers.has('content-length') || headers.has('transfer-encoding')
    const body = hasBody ? c.req.raw.body : null
    const response = await forwardUpstream(upstream, {
      method,
      path: `${path}${search}`,
      headers,
      body,
      grant: grant.id,
      signal,
    })
    const returned = returnedHeaders(response.headers)
    returned.set('x-keepsake-memory', 'off')
    return new Response(reported(deps, c, response), { status: response.status, headers: returned })
  }
}

function upstreamOf({ upstream, anthropic = null }: ServerDeps, c: ServerRequest): Upstream {
  const isAnthropic = protocolOf(c.req) === 'anthropic'
  const found = isAnthropic ? anthropic : upstream
  if (found !== null) return found
  const option = isAnthropic ? '--anthropic-upstream' : '--upstream'
  const detail = `There is no ${c.req.method} here: GET /openapi.json lists what there is. What else language models’ APIs have needs a server to pass it on to ("keepsake serve ${option} URL").`
  throw new Problem(404, 'no-such-route', detail)
}

/** Names may hold slashes, but must not climb to other paths of the upstream: they would be asked with its key. */
function requirePlain(path: string): string {
  const names = path
    .split('/')
    .slice(1)
    .flatMap((name) => decodeURIComponent(name).split(/[/\\]/))
  if (names.every((name) => name !== '' && name !== '.' && name !== '..')) return path
  throw new Problem(404, 'no-such-route', 'There is nothing of that name.')
}

/**
 * With the server's own key everybody's files, batches and stored answers are one account's: a key that opens only some people
 * reaches none of them.
 */
function requireOwn({ tenants, users }: Grant, { key }: Upstream, path: string): void {
  if (key === null || (tenants === null && users === null) || KEEPS_NOTHING.test(path)) return
  const detail =
    'This key opens only some people, and what the upstream keeps (files, batches, stored answers) is everybody’s alike. Use a key that names no tenants and users.'
  throw new Problem(403, 'forbidden', detail)
}

/** The answer's body; that it breaks off is logged here, without the cause, which names addresses. */
function reported(
  { log }: ServerDeps,
  c: ServerRequest,
  { body }: Response,
): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  if (body === null) return null
  const request = c.get('requestId')
  return watchStream(body, {
    onEnd: (end) => {
      if (end === 'cut' && !c.req.raw.signal.aborted)
        log({ level: 'warn', event: 'upstream-broke-off', request })
    },
    onFailure: () => new Error('The sender broke off.'),
  })
}

import type { MiddlewareHandler } from 'hono'
import { requireAnyMemory } from '../access/access.ts'
import type { Grant } from '../access/grant.ts'
import { Problem } from '../problem.ts'
import { isPassedThrough, protocolOf } from '../protocols.ts'
import type { ServerDeps, ServerEnv, ServerRequest, Upstream } from '../server-context.ts'
import { watchStream } from '../serving/watch-stream.ts'
import { forwardUpstream, returnedHeaders } from './forward-upstream.ts'
import type { ChatProxy } from './relay-chat.ts'

/** Endpoints that answer from the request alone and store nothing for other callers to see. */
const KEEPS_NOTHING =
  /^\/(?:models|embeddings|moderations|completions|audio|images|rerank|responses\/input_tokens|messages\/count_tokens)(?:\/|$)/
const ASKS_ONLY = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Passes other requests under `/v1` (models, embeddings, files, sound) to the upstream and back, byte for byte and without memory. Writing
 * requests count as upstream calls.
 *
 * @throws Problem 404 for a path that climbs; 403 for a key limited to some users, where the upstream stores for all callers alike.
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

/** Refuses paths that climb: they would be requested with the server's key. */
function requirePlain(path: string): string {
  const names = path
    .split('/')
    .slice(1)
    .flatMap((name) => decodeURIComponent(name).split(/[/\\]/))
  if (names.every((name) => name !== '' && name !== '.' && name !== '..')) return path
  throw new Problem(404, 'no-such-route', 'There is nothing of that name.')
}

/** Refuses keys limited to some users: with the server's own key, all callers share one account's files, batches and stored answers. */
function requireOwn({ tenants, users }: Grant, { key }: Upstream, path: string): void {
  if (key === null || (tenants === null && users === null) || KEEPS_NOTHING.test(path)) return
  const detail =
    'This key opens only some people, and what the upstream keeps (files, batches, stored answers) is everybody’s alike. Use a key that names no tenants and users.'
  throw new Problem(403, 'forbidden', detail)
}

/** The answer's body. Broken streams are logged here, without the cause, which names addresses. */
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

import type { MiddlewareHandler } from 'hono'
import { requireAnyMemory } from '../access/access.ts'
import { Problem } from '../problem.ts'
import { isPassedThrough, protocolOf } from '../protocols.ts'
import type { ServerDeps, ServerEnv, ServerRequest, Upstream } from '../server-context.ts'
import { watchStream } from '../serving/watch-stream.ts'
import { forwardUpstream, returnedHeaders } from './forward-upstream.ts'
import type { ChatProxy } from './chat-conversation.ts'

/** Paths whose answer depends on the request only and uses no stored data: `/embeddings`, `/audio/speech`. */
const STATELESS_PATHS = [
  'embeddings|moderations|(?:fim/)?completions|rerank(?:ing)?|score|ocr',
  'images/(?:generations|edits|variations)|audio/(?:speech|transcriptions|translations)',
  'responses/input_tokens|messages/count_tokens',
]
const STATELESS_PATH = new RegExp(`^/(?:${STATELESS_PATHS.join('|')})$`)
const MODELS_PATH = /^\/models(?:\/|$)/
/** Paths of data stored in the upstream's account: `/files`, `/batches`, `/responses`. */
const STORED_DATA_PATHS = [
  'files|uploads|batches|vector_stores|responses|conversations|chat/completions|messages/batches',
  'fine_tuning|models|audio/voices|assistants|threads|containers|evals|videos|skills',
]
const STORED_DATA_PATH = new RegExp(`^/(?:${STORED_DATA_PATHS.join('|')})(?:/|$)`)
const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Passes known paths under `/v1` to the upstream, without memory. Writes count as upstream calls. @throws Problem 404, 403 */
export function passThrough(proxy: ChatProxy): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    if (!isPassedThrough(c.req)) return next()
    const { deps, budget } = proxy
    const grant = c.get('grant')
    requireAnyMemory(grant)
    const { pathname, search } = new URL(c.req.url)
    const path = requirePlainPath(pathname.slice('/v1'.length))
    const upstream = upstreamOf(deps, c)
    requireUpstreamAccess(c, upstream, path)
    if (!READ_METHODS.has(c.req.method)) await budget.take(grant)
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
    return new Response(loggedBody(deps, c, response), { status: response.status, headers: returned })
  }
}

function upstreamOf({ upstream, anthropic = null }: ServerDeps, c: ServerRequest): Upstream {
  const isAnthropic = protocolOf(c.req) === 'anthropic'
  const target = isAnthropic ? anthropic : upstream
  if (target !== null) return target
  const option = isAnthropic ? '--anthropic-upstream' : '--upstream'
  const detail = `This server has no ${c.req.method} for this path. GET /openapi.json lists its routes. Other paths of language models’ APIs need an upstream ("keepsake serve ${option} URL").`
  throw new Problem(404, 'no-such-route', detail)
}

/** Refuses paths with `.` or `..`, which would be requested with the server's key. */
function requirePlainPath(path: string): string {
  const names = path
    .split('/')
    .slice(1)
    .flatMap((name) => decodeURIComponent(name).split(/[/\\]/))
  if (names.every((name) => name !== '' && name !== '.' && name !== '..')) return path
  throw new Problem(404, 'no-such-route', 'Nothing with this name exists.')
}

/** Callers share the upstream's account. So keys limited to users may not access it, and changes need `admin`. */
function requireUpstreamAccess(c: ServerRequest, { key }: Upstream, path: string): void {
  const { tenants, users, actions } = c.get('grant')
  const isRead = READ_METHODS.has(c.req.method)
  const readsModels = isRead && MODELS_PATH.test(path)
  const isStateless = c.req.method === 'POST' && STATELESS_PATH.test(path)
  if (readsModels || isStateless) return
  if (!STORED_DATA_PATH.test(path))
    throw new Problem(404, 'no-such-route', `${c.req.method} of this path is not forwarded to the upstream.`)
  // The caller's own account answers.
  if (key === null && c.req.header('x-upstream-authorization') !== undefined) return
  const detail =
    'All users share the data stored in the upstream’s account (files, batches, answers, trained models)'
  if (tenants !== null || users !== null)
    throw new Problem(403, 'forbidden', `${detail}. Use a key without limits to tenants and users.`)
  if (!isRead && !actions.includes('admin'))
    throw new Problem(403, 'forbidden', `${detail}. To change it, use a key with "admin".`)
}

/** Returns the answer's body and logs broken streams, without the cause, which contains addresses. */
function loggedBody(
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

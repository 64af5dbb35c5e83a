import type { MiddlewareHandler } from 'hono'
import { requireAnyMemory } from '../access/access.ts'
import { Problem } from '../problem.ts'
import { isPassedThrough, protocolOf } from '../protocols.ts'
import type { ServerDeps, ServerEnv, ServerRequest, Upstream } from '../server-context.ts'
import { watchStream } from '../serving/watch-stream.ts'
import { forwardUpstream, returnedHeaders } from './forward-upstream.ts'
import type { ChatProxy } from './relay-chat.ts'

/** What a language model's API answers from the request alone: nothing is stored for other callers to see. */
const WORK =
  /^\/(?:embeddings|moderations|(?:fim\/)?completions|rerank(?:ing)?|score|ocr|images\/(?:generations|edits|variations)|audio\/(?:speech|transcriptions|translations)|responses\/input_tokens|messages\/count_tokens)$/
const MODELS = /^\/models(?:\/|$)/
/** What the upstream keeps in its account, models that were trained for it included. */
const KEPT =
  /^\/(?:files|uploads|batches|vector_stores|responses|conversations|chat\/completions|messages\/batches|fine_tuning|models|audio\/voices|assistants|threads|containers|evals|videos|skills)(?:\/|$)/
const ASKS_ONLY = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Passes named requests under `/v1` (models, embeddings, files, sound) to the upstream and back, byte for byte and without memory. Writing
 * requests count as upstream calls.
 *
 * @throws Problem 404 for a path that climbs or is not named; 403 for what the upstream keeps, where the key does not reach it.
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
    requireReach(c, upstream, path)
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

/**
 * All callers share the upstream's account (files, batches, stored answers, trained models), unless they bring their own. So keys
 * limited to some users do not reach it, and changes need `admin`. Its administration is not named, so no client reaches it.
 */
function requireReach(c: ServerRequest, { key }: Upstream, path: string): void {
  const { tenants, users, actions } = c.get('grant')
  const asks = ASKS_ONLY.has(c.req.method)
  if (asks ? MODELS.test(path) : c.req.method === 'POST' && WORK.test(path)) return
  if (!KEPT.test(path))
    throw new Problem(404, 'no-such-route', `${c.req.method} of this path is not passed on to the upstream.`)
  if (key === null && c.req.header('x-upstream-authorization') !== undefined) return
  const detail =
    'What the upstream keeps (files, batches, stored answers, trained models) is everybody’s alike'
  if (tenants !== null || users !== null)
    throw new Problem(403, 'forbidden', `${detail}. Use a key that names no tenants and users.`)
  if (!asks && !actions.includes('admin'))
    throw new Problem(403, 'forbidden', `${detail}. Changing it needs a key with "admin".`)
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

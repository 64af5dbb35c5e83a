import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { ServerDeps, ServerEnv, ServerRequest } from '../server-context.ts'
import { Problem } from '../problem.ts'
import { asksModel, isPassedThrough } from '../protocols.ts'
import { describeError } from './write-log.ts'
import { watchStream } from './watch-stream.ts'

/** Request ids that are safe in logs and headers. */
const SAFE_ID = /^[\w.:+=/-]{1,128}$/

export interface ObserveOptions {
  /** Logs every request with its route and status, not its path, which names users. */
  readonly accessLog: boolean
  readonly logMessages: boolean
}

/** The outermost middleware. It assigns request ids, and reports outcomes to metrics and log with the time to the answer's head. */
export function observeRequests(
  deps: Pick<ServerDeps, 'metrics' | 'log' | 'newId' | 'stopping'>,
  { accessLog, logMessages }: ObserveOptions,
): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const started = performance.now()
    const clientId = c.req.header('x-request-id') ?? ''
    const requestId = SAFE_ID.test(clientId) ? clientId : deps.newId()
    c.set('requestId', requestId)
    await next()
    guardStream(c, deps.log, logMessages)
    addHeaders(c, {
      ...(c.res.headers.has('cache-control') ? {} : { 'Cache-Control': 'no-store' }),
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Request-Id': requestId,
      ...c.var.replyHeaders,
      ...(deps.stopping.aborted ? { Connection: 'close' } : {}),
    })
    const labels = { door: c.get('protocol'), route: routeOf(c), method: c.req.method, status: c.res.status }
    const milliseconds = performance.now() - started
    deps.metrics.requestEnded(labels, milliseconds / 1_000)
    if (accessLog) {
      deps.log({
        level: 'info',
        event: 'request',
        request: requestId,
        ...labels,
        milliseconds: Math.round(milliseconds * 10) / 10,
        key: c.var.grant?.id,
      })
    }
  }
}

/** Returns the pattern of the matched route, which contains no names of users. */
function routeOf(c: ServerRequest): string {
  const route = matchedRoutes(c).findLast(({ path }) => !path.includes('*'))
  return route?.path ?? (isPassedThrough(c.req) ? '/v1/*' : 'none')
}

function addHeaders(c: ServerRequest, headers: Readonly<Record<string, string>>): void {
  try {
    setHeaders(c.res.headers, headers)
  } catch (error) {
    // Headers of a fetch() response are immutable.
    if (!(error instanceof TypeError)) throw error
    c.res = new Response(c.res.body, c.res)
    setHeaders(c.res.headers, headers)
  }
}

function setHeaders(to: Headers, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) to.set(name, value)
}

const STREAM_TYPE = /^(?:text\/event-stream|application\/x-ndjson)\b/

/** Logs broken streams and ends the connection. The HTTP adapter would print the error's message, which may quote a user. */
function guardStream(c: ServerRequest, log: ServerDeps['log'], withMessages: boolean): void {
  if (!STREAM_TYPE.test(c.res.headers.get('content-type') ?? '') || c.res.body === null) return
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>
  const request = c.get('requestId')
  const onFailure = (error: unknown): Error | null => {
    // The model proxies have logged their upstream's failure already.
    if (!asksModel(c.get('protocol')))
      log({ level: 'error', event: 'answer-broke-off', request, ...describeError(error, withMessages) })
    // Only tests have no connection: they see the error itself.
    outgoing?.destroy()
    return outgoing === undefined ? (error as Error) : null
  }
  c.res = new Response(watchStream(c.res.body, { onFailure }), c.res)
}

/** Refuses paths and queries with invalid UTF-8 escapes or a NUL. @throws Problem 400 `malformed-path` */
export function checkPath(): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    if (c.req.url.includes('%')) checkEscapes(c.req.url)
    await next()
  }
}

function checkEscapes(url: string): void {
  let problem = 'contains a NUL'
  try {
    if (!decodeURIComponent(url).includes('\0')) return
  } catch {
    problem = 'has an escape (%) that is not UTF-8'
  }
  throw new Problem(400, 'malformed-path', `The request’s address ${problem}. Nothing was changed.`, {
    fields: [{ field: 'path', problem }],
  })
}

import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { ServerDeps, ServerEnv, ServerRequest } from '../server-context.ts'
import { isPassedThrough } from '../protocols.ts'
import { guardStream } from './guard-stream.ts'

/** Ids that go into logs and headers as they are. */
const SANE_ID = /^[\w.:+=/-]{1,128}$/

export interface ObserveOptions {
  /** Log every request: its route and status, not its path, which names people. */
  readonly accessLog: boolean
  /** Log the messages of errors too. */
  readonly logMessages: boolean
}

/**
 * The outermost layer: gives a request its id, and tells the metrics and the log how it ended. Seconds are counted to the head
 * of the answer: an answer that streams takes as long as its reader listens.
 */
export function observeRequests(
  deps: Pick<ServerDeps, 'metrics' | 'log' | 'newId' | 'stopping'>,
  { accessLog, logMessages }: ObserveOptions,
): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const started = performance.now()
    const requestId = readId(c.req.header('x-request-id')) ?? deps.newId()
    c.set('requestId', requestId)
    await next()
    guardStream(c, deps.log, logMessages)
    addHeaders(c, {
      'X-Request-Id': requestId,
      ...c.var.replyHeaders,
      ...(deps.stopping.aborted ? { Connection: 'close' } : {}),
    })
    const labels = {
      door: c.get('protocol'),
      route: routeOf(c),
      method: c.req.method,
      status: c.res.status,
    }
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

function readId(given: string | undefined): string | null {
  return given !== undefined && SANE_ID.test(given) ? given : null
}

/** The pattern of the route that was meant: a few of them, and nobody's name in any. */
function routeOf(c: ServerRequest): string {
  return (
    matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path ??
    (isPassedThrough(c.req) ? '/v1/*' : 'none')
  )
}

function addHeaders(c: ServerRequest, headers: Readonly<Record<string, string>>): void {
  try {
    setAll(c.res.headers, headers)
  } catch (error) {
    // An answer that came from fetch() as it is cannot be changed.
    if (!(error instanceof TypeError)) throw error
    c.res = new Response(c.res.body, c.res)
    setAll(c.res.headers, headers)
  }
}

function setAll(to: Headers, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) to.set(name, value)
}

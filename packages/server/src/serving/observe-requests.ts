import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { ServerDeps, ServerEnv, ServerRequest } from '../server-context.ts'
import { Problem } from '../problem.ts'
import { asksModel, isPassedThrough } from '../protocols.ts'
import { describeError } from './write-log.ts'
import { watchStream } from './watch-stream.ts'

/** Ids that go into logs and headers as they are. */
const SANE_ID = /^[\w.:+=/-]{1,128}$/

export interface ObserveOptions {
  /** Log every request: its route and status, not its path, which names people. */
  readonly accessLog: boolean
  /** Log the messages of errors too. */
  readonly logMessages: boolean
}

/**
 * The outermost layer: gives a request its id, and reports to metrics and log how it ended. Seconds are counted to the head of the
 * answer: an answer that streams takes as long as its reader listens.
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

const STREAMED = /^(?:text\/event-stream|application\/x-ndjson)\b/

/**
 * Logs a stream that breaks off like every failure, and ends its connection so that its reader notices. The HTTP adapter would print
 * the error with its message, which may quote a user.
 */
function guardStream(c: ServerRequest, log: ServerDeps['log'], withMessages: boolean): void {
  if (!STREAMED.test(c.res.headers.get('content-type') ?? '') || c.res.body === null) return
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>
  const request = c.get('requestId')
  const onFailure = (error: unknown): Error | null => {
    // The proxies of language models have logged already how their upstream broke off.
    if (!asksModel(c.get('protocol')))
      log({ level: 'error', event: 'answer-broke-off', request, ...describeError(error, withMessages) })
    outgoing?.destroy()
    return outgoing === undefined ? (error as Error) : null
  }
  c.res = new Response(watchStream(c.res.body, { onFailure }), c.res)
}

/** Refuses a path or query whose escapes are not UTF-8, or that holds a NUL. @throws Problem 400 `malformed-path` */
export function checkPath(): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    if (c.req.url.includes('%')) checkEscapes(c.req.url)
    await next()
  }
}

function checkEscapes(url: string): void {
  let problem = 'holds a NUL'
  try {
    if (!decodeURIComponent(url).includes('\0')) return
  } catch {
    problem = 'has an escape (%) that is not UTF-8'
  }
  throw new Problem(400, 'malformed-path', `The request’s address ${problem}. Nothing was changed.`, {
    fields: [{ field: 'path', problem }],
  })
}

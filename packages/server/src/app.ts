import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { requireAccess } from './access/access.ts'
import type { AuditLog } from './access/audit-log.ts'
import { authenticate } from './access/authenticate.ts'
import type { KeyVerifier } from './access/grant.ts'
import { DownloadTickets } from './access/download-tickets.ts'
import { GrantWatch } from './access/grant-watch.ts'
import { guardLoopback } from './access/guard-loopback.ts'
import {
  limitConcurrency,
  RequestLimits,
  SharedLimits,
  UpstreamBudget,
  type RequestCounter,
} from './access/limit-requests.ts'
import { anthropicErrorResponse, anthropicRoutes } from './anthropic/anthropic-routes.ts'
import { readChatOptions, type ChatOptions } from './chats/chat-options.ts'
import { passThrough } from './chats/pass-through.ts'
import { inspectorRoutes } from './inspector/inspector-routes.ts'
import { mcpRoutes } from './mcp/mcp-routes.ts'
import { openaiErrorResponse, openaiRoutes } from './openai/openai-routes.ts'
import { Problem } from './problem.ts'
import { protocolOf, type ProtocolAdapter } from './protocols.ts'
import { restRoutes } from './rest/rest-routes.ts'
import type { ServerDeps, ServerEnv } from './server-context.ts'
import { handleError, sendProblem, type AnswerProblem } from './serving/errors.ts'
import { checkPath, observeRequests } from './serving/observe-requests.ts'
import { BODY_LIMITS, readBody, type BodyLimits } from './serving/request-body.ts'
import { describeError } from './serving/write-log.ts'

/** Options of the HTTP application. */
export interface AppOptions {
  /** Checks keys; `null`: no key is needed, for a loopback address alone. */
  readonly keys: KeyVerifier | null
  /** Requests a minute of keys without a limit of their own; `null`: no limit. Default: 6,000. */
  readonly requestsPerMinute?: number | null
  /** Concurrent requests of one key; more get 429. Default: 256. */
  readonly concurrentRequests?: number
  /** Whether other processes serve the same store and share its limits. Default: whether this is a worker. */
  readonly sharesLimits?: boolean
  /** Wrong keys a minute from one address, after which it gets 429. Default: 30. */
  readonly failuresPerMinute?: number
  /** Bytes a minute of keys without a limit of their own; `null`: no limit. Default: 120 million. */
  readonly bytesPerMinute?: number | null
  /** Records which key read, changed and erased. Default: disabled. */
  readonly audit?: AuditLog
  /** Allowed origins of web pages. Default: none. */
  readonly cors?: readonly string[]
  readonly limits?: Partial<BodyLimits>
  /** Logs every request, without texts and names. Default: off. */
  readonly accessLog?: boolean
  /** Also logs the messages of errors, which may quote a user. Default: off. */
  readonly logMessages?: boolean
  /** Whether the inspector is served at `/`. Default: `true`. */
  readonly inspector?: boolean
  /** Protocols of other packages to mount. Default: none. */
  readonly protocols?: readonly ProtocolAdapter[]
  readonly chats?: ChatOptions
}

const REQUESTS_PER_MINUTE = 6_000
const CONCURRENT_REQUESTS = 256
const FAILURES_PER_MINUTE = 30
const BYTES_PER_MINUTE = 120_000_000
/** Headers of answers that pages of other origins may read. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotency-Replayed',
  'X-Keepsake-Memory',
  'X-Keepsake-Memories',
  'X-Keepsake-Answerable',
  'X-Keepsake-Known',
  'X-Keepsake-Recalled',
  'X-Upstream-Request-Id',
]
/** Seconds for which browsers cache the permission of an origin. */
const PREFLIGHT_SECONDS = 600

/** Returns a function that writes a problem in the format of the request's protocol. */
function problemAnswers(adapters: readonly ProtocolAdapter[]): AnswerProblem {
  return (c, problem) => {
    const { protocol } = c.var
    if (protocol === 'openai') return openaiErrorResponse(problem)
    if (protocol === 'anthropic') return anthropicErrorResponse(problem, c.var.requestId)
    return adapters.find(({ name }) => name === protocol)?.answerProblem(problem) ?? sendProblem(c, problem)
  }
}

/** Creates the whole server as a Hono app that does not listen: tests call `app.request()`, `openServer()` puts it on a port. */
export function createApp(deps: ServerDeps, options: AppOptions): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>()
  const { accessLog = false, logMessages = false, protocols = [] } = options
  const answerProblem = problemAnswers(protocols)
  app.onError(handleError(deps, answerProblem, { withMessages: logMessages }))
  app.notFound((c) => {
    const detail = `There is no ${c.req.method} here. GET /openapi.json lists all routes.`
    return answerProblem(c, new Problem(404, 'no-such-route', detail))
  })
  app.use((c, next) => {
    c.set('protocol', protocolOf(c.req, protocols))
    return next()
  })
  app.use(observeRequests(deps, { accessLog, logMessages }))
  app.use(checkPath())
  addGuards(app, deps, options)
  addApis(app, deps, options)
  return app
}

/** Adds the checks of each request in their order: first the key, then the body. */
function addGuards(app: Hono<ServerEnv>, deps: ServerDeps, options: AppOptions): void {
  const { keys, requestsPerMinute = REQUESTS_PER_MINUTE, failuresPerMinute = FAILURES_PER_MINUTE } = options
  const { concurrentRequests = CONCURRENT_REQUESTS, bytesPerMinute = BYTES_PER_MINUTE } = options
  const origins = options.cors ?? []
  if (keys === null) app.use(guardLoopback(origins))
  if (origins.length > 0)
    app.use(cors({ origin: [...origins], exposeHeaders: EXPOSED_HEADERS, maxAge: PREFLIGHT_SECONDS }))
  app.route('/', healthRoutes(deps))
  if (options.inspector !== false) app.route('/', inspectorRoutes())
  const counter = requestCounter(deps, options)
  const tickets = new DownloadTickets(deps.keepsake, deps.now)
  app.use(authenticate({ keys, requestsPerMinute, failuresPerMinute, tickets, counter }))
  if (options.audit !== undefined) app.use(options.audit.middleware(deps.now))
  if (keys !== null) app.use(limitConcurrency(concurrentRequests))
  const limits = { ...BODY_LIMITS, ...options.limits }
  app.use(readBody({ limits, bytesPerMinute, counter: keys === null ? null : counter }))
}

function requestCounter({ keepsake, worker, log, now }: ServerDeps, options: AppOptions): RequestCounter {
  const { sharesLimits = (worker ?? null) !== null, logMessages = false } = options
  if (!sharesLimits) return new RequestLimits()
  const report = (error: unknown): void =>
    log({ level: 'warn', event: 'requests-not-counted', ...describeError(error, logMessages) })
  return new SharedLimits(keepsake.records, { report, now })
}

/** Adds `/healthz` (the process lives) and `/readyz` (it can work), which need no key. */
function healthRoutes(deps: Pick<ServerDeps, 'keepsake' | 'stopping' | 'worker'>): Hono<ServerEnv> {
  return new Hono<ServerEnv>()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      if (deps.stopping.aborted) throw new Problem(503, 'stopping', 'The server is shutting down.')
      // Reads the store once, for a user that does not exist.
      await deps.keepsake.scope({ user: 'readyz', tenant: 'keepsake-readyz' }).sessions()
      const { worker } = deps
      return c.json({ status: 'ready', ...(worker ? { workers: worker.workers } : {}) })
    })
}

function addApis(app: Hono<ServerEnv>, shared: ServerDeps, options: AppOptions): void {
  const { keys } = options
  const report = (error: unknown): void =>
    shared.log({ level: 'warn', event: 'keys-not-looked-at', ...describeError(error, options.logMessages) })
  const deps: ServerDeps = { ...shared, grants: new GrantWatch(keys, report) }
  app.get('/metrics', async (c) => {
    requireAccess(c, 'admin')
    const { contentType, text } = await deps.metrics.render()
    return c.body(text, 200, { 'Content-Type': contentType })
  })
  app.route('/', restRoutes(deps))
  for (const protocol of options.protocols ?? []) app.route(protocol.path, protocol.routes(deps))
  app.route('/', mcpRoutes(deps, { origins: options.cors ?? [] }))
  addModelApis(app, deps, { requireUser: keys !== null, ...options.chats })
}

/** Adds the proxies of language models. The last route receives all other paths under `/v1`. */
function addModelApis(app: Hono<ServerEnv>, deps: ServerDeps, options: ChatOptions): void {
  const settings = readChatOptions(options)
  const budget = new UpstreamBudget(deps.keepsake.records, { perDay: settings.upstreamPerDay, now: deps.now })
  const proxy = { deps, settings, budget }
  app.route('/v1', openaiRoutes(proxy))
  app.route('/v1', anthropicRoutes(proxy))
  app.all('/v1/*', passThrough(proxy))
}

import { Hono } from 'hono'
import { cors } from 'hono/cors'
import type { AuditLog } from './access/audit-log.ts'
import { authenticate, type KeyVerifier } from './access/authenticate.ts'
import { DownloadTickets } from './access/download-tickets.ts'
import { GrantWatch } from './access/grant-watch.ts'
import { guardLoopback } from './access/guard-loopback.ts'
import { inspectorRoutes } from './inspector/inspector-routes.ts'
import { limitBytes } from './serving/limit-bytes.ts'
import { arriveInTurn, takeTurns } from './access/take-turns.ts'
import type { RequestCounter } from './access/limit-requests.ts'
import { SharedLimits } from './access/shared-limits.ts'
import { mcpRoutes } from './mcp/mcp-routes.ts'
import { anthropicErrorResponse } from './anthropic/anthropic-error.ts'
import { anthropicRoutes } from './anthropic/anthropic-routes.ts'
import { readChatOptions, type ChatOptions } from './chats/chat-options.ts'
import { passThrough } from './chats/pass-through.ts'
import { UpstreamBudget } from './access/upstream-budget.ts'
import { openaiErrorResponse } from './openai/openai-error.ts'
import { openaiRoutes } from './openai/openai-routes.ts'
import { Problem } from './problem.ts'
import { restRoutes } from './rest/rest-routes.ts'
import type { ServerDeps, ServerEnv } from './server-context.ts'
import { checkPath } from './serving/check-path.ts'
import { protocolOf, type ProtocolAdapter } from './protocols.ts'
import { handleError, type AnswerProblem } from './serving/handle-error.ts'
import { observeRequests } from './serving/observe-requests.ts'
import { healthRoutes, metricsRoutes } from './serving/operate-routes.ts'
import { BODY_LIMITS, parseBody, readBody, refuseTooLarge, type BodyLimits } from './serving/read-body.ts'
import { sendProblem } from './serving/send-problem.ts'
import { describeError } from './serving/write-log.ts'

/** How an app lets requests in. */
export interface AppOptions {
  /** Who may come in; `null`: everybody, which is for a loopback address alone. */
  readonly keys: KeyVerifier | null
  /** Requests a minute for keys that say nothing of their own; `null`: no limit. 6,000 when absent. */
  readonly requestsPerMinute?: number | null
  /** Whether other processes serve the same store, so that they count together. When absent: whether there are siblings. */
  readonly sharesLimits?: boolean
  /** Wrong keys a minute from one address before it is told to wait. 30 when absent. */
  readonly failuresPerMinute?: number
  /** Bytes a minute that keys may send which say nothing of their own; `null`: no limit. 120 million when absent. */
  readonly bytesPerMinute?: number | null
  /** Keeps who read, changed and erased; nothing is kept when absent. */
  readonly audit?: AuditLog
  /** Origins whose pages may call: none when absent. */
  readonly cors?: readonly string[]
  readonly limits?: Partial<BodyLimits>
  /** Log every request, without texts and names. Off when absent. */
  readonly accessLog?: boolean
  /** Log the messages of errors too, which may quote what somebody said. Off when absent. */
  readonly logMessages?: boolean
  /** Whether the inspector is served at `/`. true when absent. */
  readonly inspector?: boolean
  /** Protocols of other packages to mount; none when absent. */
  readonly protocols?: readonly ProtocolAdapter[]
  /** Settings of OpenAI's and Anthropic's APIs. */
  readonly chats?: ChatOptions
}

const REQUESTS_PER_MINUTE = 6_000
const FAILURES_PER_MINUTE = 30
const BYTES_PER_MINUTE = 120_000_000
const EXPOSED = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotency-Replayed',
  'Mcp-Session-Id',
  'X-Keepsake-Memory',
  'X-Keepsake-Memories',
  'X-Keepsake-Known',
  'X-Keepsake-Recalled',
  'X-Upstream-Request-Id',
]
const PREFLIGHT_SECONDS = 600

/** Answers a problem in the form that the request's protocol has for it. */
function problemAnswers(adapters: readonly ProtocolAdapter[]): AnswerProblem {
  return (c, problem) => {
    const { protocol } = c.var
    if (protocol === 'openai') return openaiErrorResponse(problem)
    if (protocol === 'anthropic') return anthropicErrorResponse(problem, c.var.requestId)
    return adapters.find(({ name }) => name === protocol)?.answerProblem(problem) ?? sendProblem(c, problem)
  }
}

/**
 * The whole server as a function from request to answer, with every door. Listens to nothing: tests call `app.request()`, and
 * `openServer()` puts it on a port.
 *
 * @example
 * const app = createApp(deps, { keys: new KeyStore(deps.keepsake.records) })
 * const answer = await app.request('/healthz')
 */
export function createApp(deps: ServerDeps, options: AppOptions): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>()
  const { accessLog = false, logMessages = false, protocols = [] } = options
  const answerProblem = problemAnswers(protocols)
  app.onError(handleError(deps, answerProblem, { withMessages: logMessages }))
  app.notFound((c) => {
    const detail = `There is no ${c.req.method} here. GET /openapi.json lists what there is.`
    return answerProblem(c, new Problem(404, 'no-such-route', detail))
  })
  app.use((c, next) => {
    c.set('protocol', protocolOf(c.req, protocols))
    return next()
  })
  app.use(observeRequests(deps, { accessLog, logMessages }))
  app.use(checkPath())
  const shared = { ...deps, tickets: new DownloadTickets(deps.now) }
  letIn(app, shared, options)
  openDoors(app, shared, options)
  return app
}

type WithTickets = ServerDeps & { readonly tickets: DownloadTickets }

/** The order is the point: who may ask is known before anything of the body is read, a body is counted before it is read, and whole before it is acted on, and what costs work waits for its turn. */
function letIn(app: Hono<ServerEnv>, deps: WithTickets, options: AppOptions): void {
  const { keys, requestsPerMinute = REQUESTS_PER_MINUTE, failuresPerMinute = FAILURES_PER_MINUTE } = options
  const origins = options.cors ?? []
  if (keys === null) app.use(guardLoopback(origins))
  if (origins.length > 0)
    app.use(cors({ origin: [...origins], exposeHeaders: EXPOSED, maxAge: PREFLIGHT_SECONDS }))
  app.route('/', healthRoutes(deps))
  if (options.inspector !== false) app.route('/', inspectorRoutes())
  if (keys !== null) app.use(arriveInTurn())
  const shared = sharedCounter(deps, options)
  const { tickets } = deps
  app.use(authenticate({ keys, requestsPerMinute, failuresPerMinute, tickets, ...shared }))
  if (options.audit !== undefined) app.use(options.audit.middleware(deps.now))
  const { bytesPerMinute = BYTES_PER_MINUTE } = options
  const limits = { ...BODY_LIMITS, ...options.limits }
  app.use(refuseTooLarge(limits))
  if (keys !== null) app.use(limitBytes(bytesPerMinute, shared.counter))
  app.use(readBody(limits))
  if (keys !== null) app.use(takeTurns())
  app.use(parseBody())
}

function sharedCounter(
  { keepsake, siblings, log, now }: ServerDeps,
  options: AppOptions,
): { readonly counter?: RequestCounter } {
  const { sharesLimits = siblings !== null && siblings !== undefined, logMessages = false } = options
  if (!sharesLimits) return {}
  const report = (error: unknown): void =>
    log({ level: 'warn', event: 'requests-not-counted', ...describeError(error, logMessages) })
  return { counter: new SharedLimits(keepsake.records, { report, now }) }
}

function openDoors(app: Hono<ServerEnv>, shared: ServerDeps, options: AppOptions): void {
  const { keys } = options
  const report = (error: unknown): void =>
    shared.log({ level: 'warn', event: 'keys-not-looked-at', ...describeError(error, options.logMessages) })
  const deps: ServerDeps = { ...shared, grants: new GrantWatch(keys, report) }
  app.route('/', metricsRoutes(deps))
  app.route('/', restRoutes(deps))
  for (const protocol of options.protocols ?? []) app.route(protocol.path, protocol.routes(deps))
  app.route('/', mcpRoutes(deps, { origins: options.cors ?? [] }))
  openModelDoors(app, deps, { requireUser: keys !== null, ...options.chats })
}

/** The doors in front of language models. The last that is opened takes what is left of `/v1`. */
function openModelDoors(app: Hono<ServerEnv>, deps: ServerDeps, options: ChatOptions): void {
  const settings = readChatOptions(options)
  const budget = new UpstreamBudget(deps.keepsake.records, { perDay: settings.upstreamPerDay, now: deps.now })
  const door = { deps, settings, budget }
  app.route('/v1', openaiRoutes(door))
  app.route('/v1', anthropicRoutes(door))
  app.all('/v1/*', passThrough(door))
}

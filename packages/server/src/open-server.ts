import { randomUUID } from 'node:crypto'
import { InvalidInputError, type EventMap, type Keepsake, type LanguageModel } from 'keepsake'
import { observe } from 'keepsake/opentelemetry'
import { given } from '@keepsake/text/names'
import { AuditLog } from './access/audit-log.ts'
import type { KeyVerifier } from './access/grant.ts'
import { requireLoopback } from './access/guard-loopback.ts'
import { KeyStore } from './access/key-store.ts'
import { createApp, type AppOptions } from './app.ts'
import { PendingWork } from './chats/chat-options.ts'
import type { LogEntry, Upstream } from './server-context.ts'
import { shareEvents } from './serving/event-feed.ts'
import { createMetrics } from './serving/metrics.ts'
import { RequestStore } from './serving/request-store.ts'
import { DEFAULT_HOST, startServer, type RunningServer, type StartOptions } from './serving/start-server.ts'
import { describeError } from './serving/write-log.ts'
import { Webhooks, type WebhookSettings } from './webhooks/webhooks.ts'
import { SHARES_PORT, type WorkerLink } from './workers/worker-link.ts'

/** Options of `openServer()`. */
export interface ServerOptions
  extends
    Omit<AppOptions, 'keys' | 'audit'>,
    Pick<StartOptions, 'host' | 'port' | 'headersMs' | 'requestMs' | 'graceMs'> {
  /** Stays open: the caller closes it, after `close()`. */
  readonly keepsake: Keepsake
  /** The memory's own model. Default: `null`. */
  readonly model?: LanguageModel | null
  /** Upstream of OpenAI's API. Default: none. */
  readonly upstream?: Upstream | null
  /** Upstream of Anthropic's API. Default: none. */
  readonly anthropic?: Upstream | null
  /** Verifies keys instead of the stored ones: {@link makePassingKey}. */
  readonly keys?: KeyVerifier
  /** Serves every request without a key, on a loopback address alone. */
  readonly unlocked?: boolean
  readonly webhooks?: WebhookSettings
  /** Days to keep the audit log; 0 disables it. Default: 90. */
  readonly auditDays?: number
  /** The connection to the other workers on the same port, from {@link joinPrimary}. Default: none. */
  readonly worker?: WorkerLink | null
  /** Logs failures, and with `accessLog` every request. Default: nothing. */
  readonly log?: (entry: LogEntry) => void
}

/** A server with all its APIs, listening. */
export interface OpenServer extends Omit<RunningServer, 'stop'> {
  /** Number of valid keys; `null` where none is needed. */
  readonly openKeys: number | null
  /** Stops as {@link RunningServer.stop} does, then closes the server's own files. The caller closes the memory. */
  close(): Promise<number>
}

/**
 * Serves a memory: REST, OpenAI's and Anthropic's APIs, MCP and the given protocols on one port.
 *
 * @throws InvalidInputError for `unlocked` on an address that others reach; StoreError when a file cannot be used; Node's error
 * when the port cannot be had.
 * @example
 * const keepsake = await openMemory({ path: 'memory.db' })
 * const server = await openServer({ keepsake, port: 4150 })
 * process.once('SIGTERM', () => void server.close().then(() => keepsake.close()))
 */
export async function openServer(options: ServerOptions): Promise<OpenServer> {
  requireMemory(options)
  const {
    keepsake,
    model = null,
    upstream = null,
    anthropic = null,
    unlocked = false,
    worker = null,
    log = doNothing,
  } = options
  if (unlocked) requireLoopback(options.host ?? DEFAULT_HOST)
  const keys = unlocked ? null : openServerKeys(options)
  const stopping = new AbortController()
  const pending = new PendingWork()
  const metrics = createMetrics({ keepsake, worker })
  const idempotency = new RequestStore(keepsake.records)
  const audit = openAudit(options)
  const webhooks = openWebhooks(options, keys?.keys ?? null)
  const stopWatching = watchFailures(keepsake, log, options.logMessages ?? false)
  const stopObserving = observe(keepsake)
  const stopSharing = worker === null ? doNothing : shareEvents(keepsake, worker)
  const closeAll = async (): Promise<void> => {
    stopWatching()
    stopObserving()
    stopSharing()
    await webhooks.close()
    idempotency.close()
    metrics.close()
    await audit?.close()
  }
  try {
    const context = {
      keepsake,
      model,
      upstream,
      anthropic,
      metrics,
      idempotency,
      worker,
      webhooks,
      log,
      stopping: stopping.signal,
    }
    const app = createApp(
      { ...context, now: Date.now, newId: randomUUID },
      { ...options, keys: keys?.keys ?? null, ...given({ audit }), chats: { pending, ...options.chats } },
    )
    const server = await startServer({
      ...options,
      app,
      stopping,
      sharesPort: worker !== null && SHARES_PORT,
    })
    webhooks.start()
    const close = async (): Promise<number> => {
      const cutOff = await server.stop()
      await pending.drain()
      await closeAll()
      return cutOff
    }
    return { ...server, openKeys: (await keys?.count()) ?? null, close }
  } catch (error) {
    await closeAll()
    throw error
  }
}

const doNothing = (): void => undefined

function openWebhooks(
  { keepsake, webhooks, log = doNothing, logMessages }: ServerOptions,
  keys: KeyVerifier | null,
): Webhooks {
  const report = (error: unknown): void =>
    log({ level: 'warn', event: 'webhooks-not-informed', ...describeError(error, logMessages) })
  return new Webhooks({ keepsake, keys, report, now: Date.now }, webhooks)
}

const AUDIT_DAYS = 90

function openAudit({ keepsake, auditDays = AUDIT_DAYS, log = doNothing, logMessages }: ServerOptions) {
  const report = (error: unknown): void =>
    log({ level: 'error', event: 'audit-not-written', ...describeError(error, logMessages) })
  return auditDays === 0 ? undefined : new AuditLog(keepsake, { days: auditDays, report })
}

/** The verifier of keys, and a function that counts the valid ones. */
interface ServerKeys {
  readonly keys: KeyVerifier
  readonly count: () => Promise<number>
}

function openServerKeys({
  keepsake,
  keys: ownKeys,
  log = doNothing,
  logMessages,
}: ServerOptions): ServerKeys {
  // The caller's verifier checks a single passing key.
  if (ownKeys !== undefined) return { keys: ownKeys, count: () => Promise.resolve(1) }
  const report = (error: unknown): void =>
    log({ level: 'warn', event: 'key-use-not-noted', ...describeError(error, logMessages) })
  const keys = new KeyStore(keepsake.records, { report })
  return { keys, count: () => keys.count() }
}

/** Logs background failures, which belong to no request. @returns a function that stops that. */
function watchFailures(
  keepsake: Keepsake,
  log: (entry: LogEntry) => void,
  withMessages: boolean,
): () => void {
  const jobFailed = ({ job, attempts, parked, error }: EventMap['job-failed'][0]): void =>
    log({
      level: parked ? 'error' : 'warn',
      event: 'job-failed',
      job,
      attempts,
      parked,
      ...describeError(error, withMessages),
    })
  const backgroundFailed = ({ error }: EventMap['background-failed'][0]): void =>
    log({ level: 'warn', event: 'background-failed', ...describeError(error, withMessages) })
  keepsake.on('job-failed', jobFailed).on('background-failed', backgroundFailed)
  return () => void keepsake.off('job-failed', jobFailed).off('background-failed', backgroundFailed)
}

function requireMemory(options: Partial<ServerOptions> | undefined): void {
  if (typeof options?.keepsake?.scope === 'function') return
  throw new InvalidInputError(
    "openServer() needs an open memory: pass { keepsake: await openMemory({ path: 'memory.db' }) }.",
  )
}

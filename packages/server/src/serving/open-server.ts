import { randomUUID } from 'node:crypto'
import type { Keepsake, LanguageModel } from 'keepsake'
import { requireLoopback } from '../access/guard-loopback.ts'
import { openKeyStore, type KeyStore } from '../access/key-store.ts'
import { createApp, type AppOptions } from '../app.ts'
import { PendingWork } from '../openai/pending-work.ts'
import type { LogEntry, ServerDeps, Upstream } from '../server-context.ts'
import { createMetrics } from './create-metrics.ts'
import { openRequestStore, type RequestStore } from './request-store.ts'
import { DEFAULT_HOST, startServer, type RunningServer, type StartOptions } from './start-server.ts'
import { describeError } from './write-log.ts'

export interface ServerOptions
  extends
    Omit<AppOptions, 'keys'>,
    Pick<StartOptions, 'host' | 'port' | 'headersMs' | 'requestMs' | 'graceMs'> {
  /** Stays the caller's to close, after `close()`. */
  readonly keepsake: Keepsake
  /** The one that the memory was opened with; `null` when absent. */
  readonly model?: LanguageModel | null
  /** Where OpenAI-compatible requests go on to; nowhere when absent. */
  readonly upstream?: Upstream | null
  /** The file of keys, made when missing. */
  readonly keysFile: string
  /** The file of answers to idempotent requests, made when missing. */
  readonly requestsFile: string
  /** Serve whoever asks, with no key. On a loopback address alone. */
  readonly unlocked?: boolean
  /** Told of what goes wrong, and with `accessLog` of every request. Nobody when absent. */
  readonly log?: (entry: LogEntry) => void
}

/** A server with all its doors, listening. */
export interface OpenServer extends Omit<RunningServer, 'stop'> {
  /** Keys that are open; `null` where none is asked for. */
  readonly openKeys: number | null
  /** Stops as {@link RunningServer.stop} does, then lets go of the server's own files. The memory is the caller's to close. */
  close(): Promise<number>
}

/**
 * Serves a memory: REST, the OpenAI-compatible door, MCP and the routes of Mem0's client on one port.
 *
 * @throws InvalidInputError for `unlocked` on an address that others reach; StoreError when a file cannot be used; Node's error
 * when the port cannot be had.
 * @example
 * const keepsake = await openMemory({ path: 'memory.db' })
 * const server = await openServer({ keepsake, ...sideFiles('memory.db'), port: 4150 })
 * process.once('SIGTERM', () => void server.close().then(() => keepsake.close()))
 */
export async function openServer(options: ServerOptions): Promise<OpenServer> {
  const { host = DEFAULT_HOST, unlocked = false, log = () => undefined } = options
  if (unlocked) requireLoopback(host)
  const report = (event: string) => (error: unknown) =>
    log({ level: 'warn', event, ...describeError(error, options.logMessages) })
  const keys = unlocked ? null : openKeyStore({ path: options.keysFile, report: report('key-use-not-noted') })
  let requests: RequestStore | null = null
  try {
    requests = openRequestStore({ path: options.requestsFile })
    return await open({ ...options, host }, keys, requests, log)
  } catch (error) {
    keys?.close()
    requests?.close()
    throw error
  }
}

async function open(
  options: ServerOptions,
  keys: KeyStore | null,
  requests: RequestStore,
  log: (entry: LogEntry) => void,
): Promise<OpenServer> {
  const { keepsake } = options
  const stopping = new AbortController()
  const pending = new PendingWork()
  let server: RunningServer | null = null
  const metrics = createMetrics({ keepsake, inFlight: () => server?.inFlight() ?? 0 })
  const deps: ServerDeps = {
    keepsake,
    model: options.model ?? null,
    upstream: options.upstream ?? null,
    metrics,
    idempotency: requests,
    log,
    now: Date.now,
    newId: randomUUID,
    stopping: stopping.signal,
  }
  const unwatch = watchFailures(keepsake, log, options.logMessages ?? false)
  const running = await startServer({
    ...options,
    app: createApp(deps, { ...options, keys, openai: { pending, ...options.openai } }),
    stopping,
  })
  server = running
  return {
    ...running,
    openKeys: keys?.count() ?? null,
    close: async () => {
      const cutOff = await running.stop()
      await pending.drain()
      unwatch()
      metrics.close()
      keys?.close()
      requests.close()
      return cutOff
    },
  }
}

/** What fails in the background belongs to no request: it is logged here. @returns what ends that. */
function watchFailures(
  keepsake: Keepsake,
  log: (entry: LogEntry) => void,
  withMessages: boolean,
): () => void {
  const jobFailed = ({
    job,
    attempts,
    parked,
    error,
  }: {
    job: string
    attempts: number
    parked: boolean
    error: Error
  }): void =>
    log({
      level: parked ? 'error' : 'warn',
      event: 'job-failed',
      job,
      attempts,
      parked,
      ...describeError(error, withMessages),
    })
  const backgroundFailed = ({ error }: { error: Error }): void =>
    log({ level: 'warn', event: 'background-failed', ...describeError(error, withMessages) })
  keepsake.on('job-failed', jobFailed).on('background-failed', backgroundFailed)
  return () => keepsake.off('job-failed', jobFailed).off('background-failed', backgroundFailed)
}

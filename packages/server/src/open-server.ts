import { randomUUID } from 'node:crypto'
import type { EventMap, Keepsake, LanguageModel } from 'keepsake'
import { requireLoopback } from './access/guard-loopback.ts'
import { KeyStore, openKeys, type OpenKeys } from './access/key-store.ts'
import { createApp, type AppOptions } from './app.ts'
import { PendingWork } from './serving/pending-work.ts'
import type { LogEntry, ServerDeps, Upstream } from './server-context.ts'
import { createMetrics } from './serving/create-metrics.ts'
import { RequestStore } from './serving/request-store.ts'
import { DEFAULT_HOST, startServer, type RunningServer, type StartOptions } from './serving/start-server.ts'
import { describeError } from './serving/write-log.ts'

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
  /** Keys in a file of their own, made when missing; those kept with the memory when absent. */
  readonly keysFile?: string
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
 * const server = await openServer({ keepsake, port: 4150 })
 * process.once('SIGTERM', () => void server.close().then(() => keepsake.close()))
 */
export async function openServer(options: ServerOptions): Promise<OpenServer> {
  const { host = DEFAULT_HOST, unlocked = false } = options
  if (unlocked) requireLoopback(host)
  const toClose: Closer[] = []
  const closeAll = async (): Promise<void> => {
    for (const close of toClose.splice(0).toReversed()) await close()
  }
  try {
    return await open({ ...options, host }, toClose, closeAll)
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function open(
  options: ServerOptions,
  toClose: Closer[],
  closeAll: () => Promise<void>,
): Promise<OpenServer> {
  const stopping = new AbortController()
  const pending = new PendingWork()
  const opened = <Closable extends { close(): void | Promise<void> }>(one: Closable): Closable => {
    toClose.push(() => one.close())
    return one
  }
  const keys = options.unlocked === true ? null : opened(await findKeys(options)).keys
  let server: RunningServer | null = null
  const deps = makeDeps(options, {
    metrics: opened(createMetrics({ keepsake: options.keepsake, inFlight: () => server?.inFlight() ?? 0 })),
    idempotency: opened(new RequestStore(options.keepsake.records)),
    stopping: stopping.signal,
  })
  toClose.push(watchFailures(options.keepsake, deps.log, options.logMessages ?? false))
  const app = createApp(deps, {
    ...options,
    keys,
    openai: { pending, ...options.openai },
  })
  const running = await startServer({ ...options, app, stopping })
  server = running
  return {
    ...running,
    openKeys: keys === null ? null : await keys.count(),
    close: async () => {
      const cutOff = await running.stop()
      await pending.drain()
      await closeAll()
      return cutOff
    },
  }
}

type Closer = () => void | Promise<void>

const ignore = (): void => undefined

async function findKeys({ keepsake, keysFile, log = ignore, logMessages }: ServerOptions): Promise<OpenKeys> {
  const report = (error: unknown): void =>
    log({ level: 'warn', event: 'key-use-not-noted', ...describeError(error, logMessages) })
  if (keysFile !== undefined) return openKeys(keysFile, { report })
  return { keys: new KeyStore(keepsake.records, { report }), close: () => Promise.resolve() }
}

function makeDeps(
  { keepsake, model = null, upstream = null, log = ignore }: ServerOptions,
  made: Pick<ServerDeps, 'metrics' | 'idempotency' | 'stopping'>,
): ServerDeps {
  return { keepsake, model, upstream, log, now: Date.now, newId: randomUUID, ...made }
}

/** What fails in the background belongs to no request: it is logged here. @returns what ends that. */
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

// Starts worker processes and replaces those that end.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import pTimeout from 'p-timeout'
import { AggregatorRegistry } from 'prom-client'
import type { LogEntry } from '../server-context.ts'
import { SHARES_PORT, WORKER_PORT, type FromWorker, type Serving, type ToWorker } from './worker-link.ts'

/** Options of `startWorkers()`. */
export interface StartWorkersOptions {
  readonly count: number
  readonly host: string
  readonly port: number
  /** The worker's program, which calls {@link joinPrimary} and serves. Default: this process's own. */
  readonly exec?: string
  /** Default: this process's own. */
  readonly args?: readonly string[]
  /** Milliseconds for a worker to stop before it is killed. */
  readonly graceMs: number
  /** Writes a line of the log. */
  readonly log?: (entry: LogEntry) => void
}

/** Processes that serve one memory on one port. Each serves every user. */
export interface Workers extends Serving {
  /** Process ids of the running workers. */
  readonly pids: () => ReadonlyMap<number, number>
  /** Stops all workers after their requests have ended. Kills workers that exceed the grace period. */
  stop(): Promise<void>
}

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 10_000
/** Run time after which the pause before a restart is reset. */
const HEALTHY_MS = 30_000
/** Time for closing the memory, after the grace period. */
const CLOSE_TIMEOUT_MS = 5_000

/** Starts workers on one port and restarts those that die. The primary opens no memory. @throws Error when the first fails to start */
export async function startWorkers(options: StartWorkersOptions): Promise<Workers> {
  const { exec, args, count } = options
  cluster.setupPrimary({
    ...(exec === undefined ? {} : { exec }),
    ...(args === undefined ? {} : { args: [...args] }),
    // Events contain errors, which JSON cannot carry.
    serialization: 'advanced',
  })
  // Chooses the port here, so that a restarted worker listens on the same one.
  const port = options.port === 0 || SHARES_PORT ? await findFreePort(options) : options.port
  const primary = new Primary({ ...options, port })
  try {
    // The first worker alone creates or migrates the database and checks the port.
    const serving = await primary.startWorker()
    await Promise.all(Array.from({ length: count - 1 }, () => primary.startWorker()))
    return { ...serving, pids: () => primary.pids, stop: () => primary.stop() }
  } catch (error) {
    await primary.stop()
    throw error
  }
}

/** Finds a port by listening on it for a moment. @throws Error of Node's when no port is available (`EADDRINUSE`, `EACCES`). */
async function findFreePort({ host, port: wanted }: StartWorkersOptions): Promise<number> {
  const server = createServer().listen({ port: wanted, host: host.replace(/^\[(.*)\]$/, '$1') })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The process that starts the workers and passes messages between them. */
class Primary {
  readonly #options: StartWorkersOptions
  readonly #workers = new Set<Worker>()
  readonly #listening = new Set<Worker>()
  readonly #serving = new Set<Worker>()
  readonly #restarts = new Set<NodeJS.Timeout>()
  readonly #metrics = new AggregatorRegistry()
  #isStopping = false

  constructor(options: StartWorkersOptions) {
    this.#options = options
  }

  get pids(): ReadonlyMap<number, number> {
    return new Map([...this.#workers].map((worker) => [worker.id, worker.process.pid ?? 0]))
  }

  /** Starts a worker. @returns its address. @throws Error when it ends before serving */
  startWorker(pauseMs = FIRST_PAUSE_MS): Promise<Serving> {
    const startedAt = performance.now()
    const worker = cluster.fork({ [WORKER_PORT]: String(this.#options.port) })
    this.#workers.add(worker)
    let isServing = false
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind !== 'serving') return this.#handleMessage(worker, message)
        isServing = true
        this.#serving.add(worker)
        this.#sendWorkerCounts()
        resolve(message.serving)
        this.#sendListening()
      })
      worker.once('exit', (code, signal) => {
        this.#workers.delete(worker)
        if (this.#serving.delete(worker)) this.#sendWorkerCounts()
        if (this.#listening.delete(worker)) this.#sendListening()
        const exitReason = signal ?? `code ${code}`
        reject(new Error(`Worker ${worker.id} ended (${exitReason}) before it served.`))
        // A worker that fails at its first start is not restarted: `startWorkers()` throws.
        const isFirstStart = !isServing && pauseMs === FIRST_PAUSE_MS
        if (this.#isStopping || isFirstStart) return
        this.#options.log?.({ level: 'error', event: 'worker-ended', worker: worker.id, how: exitReason })
        this.#restart(performance.now() - startedAt > HEALTHY_MS ? FIRST_PAUSE_MS : pauseMs)
      })
    })
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    for (const timer of this.#restarts) clearTimeout(timer)
    const milliseconds = this.#options.graceMs + CLOSE_TIMEOUT_MS
    await Promise.all(
      [...this.#workers].map(async (worker) => {
        if (worker.isDead()) return
        const ended = once(worker, 'exit')
        send(worker, { kind: 'stop' })
        await pTimeout(ended, { milliseconds, fallback: () => worker.process.kill('SIGKILL') })
      }),
    )
  }

  #restart(pauseMs: number): void {
    const timer = setTimeout(() => {
      this.#restarts.delete(timer)
      // A failure is logged by the exit handler of the new worker, which also starts the next try.
      this.startWorker(Math.min(pauseMs * 2, MAX_PAUSE_MS)).catch(() => undefined)
    }, pauseMs)
    this.#restarts.add(timer)
  }

  #handleMessage(worker: Worker, message: Exclude<FromWorker, { kind: 'serving' }>): void {
    if (message.kind === 'metrics') void this.#sendMetrics(worker, message.id)
    else if (message.kind === 'event') {
      for (const otherWorker of this.#listening) if (otherWorker !== worker) send(otherWorker, message)
    } else if (message.kind === 'listening') {
      this.#listening[message.isListening ? 'add' : 'delete'](worker)
      this.#sendListening()
    }
  }

  /** Reports to each worker whether another worker listens to events. */
  #sendListening(): void {
    for (const worker of this.#workers) {
      const isWanted = this.#listening.size > (this.#listening.has(worker) ? 1 : 0)
      send(worker, { kind: 'wanted', isWanted })
    }
  }

  #sendWorkerCounts(): void {
    const workers = { serving: this.#serving.size, wanted: this.#options.count }
    for (const worker of this.#workers) send(worker, { kind: 'workers', workers })
  }

  async #sendMetrics(worker: Worker, id: number): Promise<void> {
    const text = await this.#metrics.clusterMetrics().catch(() => null)
    send(worker, { kind: 'metrics', id, text })
  }
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined)
}

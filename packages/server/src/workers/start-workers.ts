import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pTimeout from 'p-timeout'
import type { LogEntry } from '../server-context.ts'
import { Homes } from './homes.ts'
import {
  WORKER_FOLDER,
  WORKER_NUMBER,
  WORKER_PORT,
  type Serving,
  type ToPrimary,
  type ToWorker,
  type WorkerMetrics,
} from './messages.ts'
import { SHARES_PORT } from './share-port.ts'

export interface StartWorkersOptions {
  readonly count: number
  readonly host: string
  /** `0`: any that is free. */
  readonly port: number
  /** The program of a worker, which calls {@link joinPrimary} and serves. This process's own when absent. */
  readonly exec?: string
  /** This process's own when absent. */
  readonly args?: readonly string[]
  /** Milliseconds that a worker may take to stop before it is killed. */
  readonly graceMs: number
  readonly log?: (entry: LogEntry) => void
}

/** Processes that serve one memory. */
export interface Workers extends Serving {
  /** The process ids of those that run, by number. */
  readonly pids: () => ReadonlyMap<number, number>
  /** Stops them all, each when what it has under way is done; what takes longer than the grace is killed. */
  stop(): Promise<void>
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** Who lived so long did not die of starting. */
const HEALTHY_MS = 30_000
/** Beyond the grace, for the memory to be closed. */
const CLOSING_MS = 5_000
const GATHER_MS = 2_000

/**
 * Starts workers on one port and restarts those that die. Connections are spread over them by the kernel, or by Node's cluster where it cannot; a request about a
 * person whom another worker serves is passed on to it. The primary itself opens no memory and handles no request.
 *
 * @throws Error when the first worker ends before it serves; what was wrong it has said on stderr.
 */
export async function startWorkers(options: StartWorkersOptions): Promise<Workers> {
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-workers-'))
  const { exec, args } = options
  cluster.setupPrimary({
    ...(exec === undefined ? {} : { exec }),
    ...(args === undefined ? {} : { args: [...args] }),
    serialization: 'advanced',
  })
  // Chosen here: should no worker be left that holds it, the next takes the same again. Workers that share a port would share it with a stranger's.
  const port = options.port === 0 || SHARES_PORT ? await findFreePort(options) : options.port
  const primary = new Primary({ ...options, port }, folder)
  try {
    // One first: it makes the file or brings its schema up to date, and finds out whether the port can be had.
    const serving = await primary.hire(0)
    await Promise.all(Array.from({ length: options.count - 1 }, (_, index) => primary.hire(index + 1)))
    return { ...serving, pids: () => primary.pids, stop: () => primary.stop() }
  } catch (error) {
    await primary.stop()
    throw error
  }
}

/** @throws Error of Node's when it cannot be had (`EADDRINUSE`, `EACCES`). */
async function findFreePort({ host, port: wanted }: StartWorkersOptions): Promise<number> {
  const server = createServer().listen({ port: wanted, host: host.replace(/^\[(.*)\]$/, '$1') })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

class Primary {
  readonly #options: StartWorkersOptions
  readonly #folder: string
  readonly #homes = new Homes()
  readonly #workers = new Map<number, Worker>()
  readonly #serving = new Set<number>()
  readonly #listening = new Set<number>()
  /** Workers about to be started anew. */
  readonly #hiring = new Set<NodeJS.Timeout>()
  readonly #gathering = new Map<number, (metrics: WorkerMetrics) => void>()
  #gathered = 0
  #isStopping = false

  constructor(options: StartWorkersOptions, folder: string) {
    this.#options = options
    this.#folder = folder
  }

  get pids(): ReadonlyMap<number, number> {
    return new Map(
      [...this.#workers].map(
        ([
          number,
          {
            process: { pid = 0 },
          },
        ]) => [number, pid],
      ),
    )
  }

  /** Starts a worker. @returns where it serves. @throws Error when it ends before that */
  hire(number: number, pauseMs = FIRST_PAUSE_MS): Promise<Serving> {
    const started = performance.now()
    const worker = cluster.fork({
      [WORKER_NUMBER]: String(number),
      [WORKER_FOLDER]: this.#folder,
      [WORKER_PORT]: String(this.#options.port),
    })
    this.#workers.set(number, worker)
    return new Promise((resolve, reject) => {
      worker.on('message', (message: ToPrimary) => {
        if (message.kind === 'serving') {
          this.#begin(number)
          resolve(message.serving)
        } else this.#take(number, message)
      })
      worker.once('exit', (code, signal) => {
        reject(new Error(`Worker ${number} ended (${signal ?? `code ${code}`}) before it served.`))
        const wasServing = this.#end(number)
        if (this.#isStopping || !(wasServing || pauseMs > FIRST_PAUSE_MS)) return
        this.#options.log?.({
          level: 'error',
          event: 'worker-ended',
          worker: number,
          how: signal ?? `code ${code}`,
        })
        const isHealthy = performance.now() - started > HEALTHY_MS
        this.#hireAgain(number, isHealthy ? FIRST_PAUSE_MS : pauseMs)
      })
    })
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    for (const timer of this.#hiring) clearTimeout(timer)
    const { graceMs } = this.#options
    await Promise.all(
      [...this.#workers.values()].map(async (worker) => {
        if (worker.isDead()) return
        const ended = once(worker, 'exit')
        if (worker.isConnected()) send(worker, { kind: 'stop' })
        const milliseconds = graceMs + CLOSING_MS
        await pTimeout(ended, { milliseconds, fallback: () => worker.process.kill('SIGKILL') })
      }),
    )
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Nothing else may keep this process alive meanwhile: all of its workers can be killed at once. */
  #hireAgain(number: number, pauseMs: number): void {
    const timer = setTimeout(() => {
      this.#hiring.delete(timer)
      // That it ended again is told, and tried again, by its own exit.
      this.hire(number, Math.min(pauseMs * 2, LONGEST_PAUSE_MS)).catch(() => undefined)
    }, pauseMs)
    this.#hiring.add(timer)
  }

  #begin(number: number): void {
    this.#serving.add(number)
    this.#homes.open(number)
    this.#tellStaff()
    this.#tellWanted()
  }

  /** @returns whether it served. */
  #end(number: number): boolean {
    this.#workers.delete(number)
    this.#listening.delete(number)
    this.#homes.close(number)
    const served = this.#serving.delete(number)
    this.#tellStaff()
    this.#tellWanted()
    return served
  }

  #take(from: number, message: Exclude<ToPrimary, { kind: 'serving' }>): void {
    switch (message.kind) {
      case 'home':
        this.#tell(from, { kind: 'homed', id: message.id, worker: this.#homes.find(message.person, from) })
        return
      case 'move': {
        const worker = this.#homes.move(message.person, message.to)
        if (worker !== message.to) return
        for (const number of this.#serving)
          this.#tell(number, { kind: 'moved', person: message.person, worker })
        return
      }
      case 'event':
        for (const number of this.#listening) if (number !== from) this.#tell(number, message)
        return
      case 'listening':
        if (message.isListening) this.#listening.add(from)
        else this.#listening.delete(from)
        this.#tellWanted()
        return
      case 'gather':
        void this.#gather(from).then((all) => this.#tell(from, { kind: 'gathered', id: message.id, all }))
        return
      case 'metrics':
        this.#gathering.get(message.id)?.(message.metrics)
        this.#gathering.delete(message.id)
    }
  }

  /** The metrics of all workers but one; of one that does not answer in time, none. */
  #gather(asker: number): Promise<WorkerMetrics[]> {
    const others = [...this.#serving].filter((number) => number !== asker)
    return Promise.all(
      others.map((number) => {
        this.#gathered += 1
        const id = this.#gathered
        const metrics = new Promise<WorkerMetrics>((resolve) => {
          this.#gathering.set(id, resolve)
          this.#tell(number, { kind: 'gather', id })
        })
        const fallback = (): WorkerMetrics => {
          this.#gathering.delete(id)
          return []
        }
        return pTimeout(metrics, { milliseconds: GATHER_MS, fallback })
      }),
    )
  }

  #tellStaff(): void {
    const staff = { wanted: this.#options.count, serving: [...this.#serving] }
    for (const number of this.#serving) this.#tell(number, { kind: 'staff', staff })
  }

  #tellWanted(): void {
    for (const number of this.#serving) {
      const isWanted = [...this.#listening].some((other) => other !== number)
      this.#tell(number, { kind: 'wanted', isWanted })
    }
  }

  #tell(number: number, message: ToWorker): void {
    const worker = this.#workers.get(number)
    if (worker?.isConnected() === true) send(worker, message)
  }
}

/** A worker that dies meanwhile is told nothing: its exit says so. */
function send(worker: Worker, message: ToWorker): void {
  worker.send(message, () => undefined)
}

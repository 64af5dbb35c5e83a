// Connects the processes of a server, so that events reach all workers.
import cluster from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { EngineEvent } from '../engine-event.ts'

/** The address of a worker, and its number of valid keys. */
export interface Serving {
  readonly url: string
  readonly host: string
  readonly port: number
  readonly openKeys: number | null
}

export type FromWorker =
  | { readonly kind: 'serving'; readonly serving: Serving }
  | { readonly kind: 'metrics'; readonly id: number }
  | { readonly kind: 'listening'; readonly isListening: boolean }
  | { readonly kind: 'event'; readonly event: EngineEvent }

export interface WorkerCounts {
  readonly serving: number
  readonly wanted: number
}

export type ToWorker =
  | { readonly kind: 'stop' }
  | { readonly kind: 'event'; readonly event: EngineEvent }
  /** Whether another worker listens to events. */
  | { readonly kind: 'wanted'; readonly isWanted: boolean }
  /** Numbers of running and of wanted workers. */
  | { readonly kind: 'workers'; readonly workers: WorkerCounts }
  /** `text` is `null` when a worker did not answer in time. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string | null }

/** The environment variable that makes a process a worker: their common port. */
export const WORKER_PORT = 'KEEPSAKE_WORKER_PORT'

/** Whether the kernel spreads connections over processes, as on Linux. Elsewhere the primary passes each connection to a worker. */
export const SHARES_PORT = process.platform === 'linux'

/** Connects a worker to its primary. `null` in a process that is no worker. */
export function joinPrimary(env: NodeJS.ProcessEnv = process.env): WorkerLink | null {
  const port = env[WORKER_PORT]
  return cluster.isWorker && port !== undefined ? new WorkerLink(Number(port)) : null
}

/** A worker's connection to its primary. */
export class WorkerLink {
  /** The workers' common port, whatever the command line says. */
  readonly port: number
  /** Resolves when this process is to stop. */
  readonly stopped: Promise<void>
  readonly #metricRequests = new Map<number, (text: string | null) => void>()
  readonly #listeners = new Set<(event: EngineEvent) => void>()
  #onWanted: (isWanted: boolean) => void = () => undefined
  #requests = 0
  #workers: WorkerCounts = { serving: 0, wanted: 0 }

  /** @internal Use {@link joinPrimary}. */
  constructor(port: number) {
    this.port = port
    const stopping = Promise.withResolvers<void>()
    this.stopped = stopping.promise
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'stop') stopping.resolve()
      else this.#handleMessage(message)
    })
    // Without its primary, no process would restart or stop this one.
    process.once('disconnect', stopping.resolve)
  }

  /** Running workers as the primary reported last, and wanted workers. */
  get workers(): WorkerCounts {
    return this.#workers
  }

  /** Reports where this worker listens. */
  serves({ url, host, port, openKeys }: Serving): void {
    this.#send({ kind: 'serving', serving: { url, host, port, openKeys } })
  }

  /** Lets the process end: listening to the primary keeps it alive. */
  disconnect(): void {
    if (process.connected) process.disconnect()
  }

  /** Shares this worker’s metrics with the main process. */
  shareMetrics(registry: Registry): void {
    // The constructor listens to the primary's requests for metrics.
    void new AggregatorRegistry()
    AggregatorRegistry.setRegistries(registry)
  }

  /** The metrics of all workers as text; `null` when unavailable. */
  gatherMetrics(): Promise<string | null> {
    this.#requests += 1
    const id = this.#requests
    return new Promise((resolve) => {
      this.#metricRequests.set(id, resolve)
      this.#send({ kind: 'metrics', id })
    })
  }

  /** Listens to events of the other workers. @returns a function that stops listening */
  listen(listener: (event: EngineEvent) => void): () => void {
    if (this.#listeners.size === 0) this.#send({ kind: 'listening', isListening: true })
    this.#listeners.add(listener)
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0)
        this.#send({ kind: 'listening', isListening: false })
    }
  }

  /** Hands an event to the other workers. */
  publish(event: EngineEvent): void {
    this.#send({ kind: 'event', event })
  }

  /** Calls back when another worker begins to listen, and when none does any more. */
  onWanted(listener: (isWanted: boolean) => void): void {
    this.#onWanted = listener
  }

  #handleMessage(message: Exclude<ToWorker, { kind: 'stop' }>): void {
    if (message.kind === 'wanted') this.#onWanted(message.isWanted)
    else if (message.kind === 'workers') this.#workers = message.workers
    else if (message.kind === 'event') for (const listener of this.#listeners) listener(message.event)
    else if (message.kind === 'metrics') {
      this.#metricRequests.get(message.id)?.(message.text)
      this.#metricRequests.delete(message.id)
    }
  }

  #send(message: FromWorker): void {
    if (process.connected) process.send?.(message)
  }
}

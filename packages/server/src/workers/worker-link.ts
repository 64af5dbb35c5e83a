import cluster from 'node:cluster'
import { Comers } from './comers.ts'
import type { EngineEvent } from './messages.ts'
import {
  doorOf,
  WORKER_FOLDER,
  WORKER_NUMBER,
  WORKER_PORT,
  type Serving,
  type Staff,
  type ToPrimary,
  type ToWorker,
  type WorkerMetrics,
} from './messages.ts'
import type { SiblingEvents, Siblings } from './siblings.ts'

/** People whose home is known here before all are asked for anew. */
const MOST_KNOWN = 50_000

/** In a worker: what connects it to its primary. `null` in a process that is none. */
export function joinPrimary(env: NodeJS.ProcessEnv = process.env): WorkerLink | null {
  const [number, folder] = [env[WORKER_NUMBER], env[WORKER_FOLDER]]
  if (!cluster.isWorker || number === undefined || folder === undefined) return null
  return new WorkerLink({ number: Number(number), folder, port: Number(env[WORKER_PORT]) })
}

/** A worker's side of its primary. */
export class WorkerLink implements Siblings {
  readonly door: string
  /** Where all of them listen, whatever the command line says. */
  readonly port: number
  readonly stopped: Promise<void>
  readonly events: SiblingEvents
  readonly number: number
  readonly #folder: string
  readonly #homes = new Map<string, string | null>()
  readonly #comers = new Comers()
  readonly #listeners = new Set<(event: EngineEvent) => void>()
  readonly #watchers = new Set<(isWanted: boolean) => void>()
  readonly #waiting = new Map<number, (answer: ToWorker) => void>()
  #isWanted = false
  #asked = 0
  #staff: Staff
  #read: () => Promise<WorkerMetrics> = () => Promise.resolve([])

  /** @internal Use {@link joinPrimary}. */
  constructor({
    number,
    folder,
    port,
  }: {
    readonly number: number
    readonly folder: string
    readonly port: number
  }) {
    this.port = port
    this.number = number
    this.#folder = folder
    this.door = doorOf(folder, number)
    this.#staff = { wanted: 1, serving: [number] }
    this.events = {
      publish: (event) => {
        if (this.#isWanted) this.#tell({ kind: 'event', event })
      },
      listen: (listener) => this.#listen(listener),
      watchWanted: (told) => {
        this.#watchers.add(told)
        told(this.#isWanted)
        return () => void this.#watchers.delete(told)
      },
    }
    const stopping = Promise.withResolvers<void>()
    this.stopped = stopping.promise
    process.on('message', (message: ToWorker) => this.#take(message, stopping.resolve))
    // The primary is gone, however it went: nobody would restart or stop this process any more.
    process.once('disconnect', stopping.resolve)
  }

  /** Says that this process serves. */
  serves({ url, host, port, openKeys }: Serving): void {
    this.#tell({ kind: 'serving', serving: { url, host, port, openKeys } })
  }

  /** Lets the process end: what listens to the primary would keep it alive. */
  leave(): void {
    if (process.connected) process.disconnect()
  }

  homeOf(person: string): string | null | Promise<string | null> {
    const known = this.#homes.get(person)
    if (known !== undefined) return known
    return this.#ask((id) => ({ kind: 'home', id, person })).then((answer) => {
      if (answer.kind !== 'homed') return null
      return this.#noteHome(person, answer.worker)
    })
  }

  #noteHome(person: string, worker: number): string | null {
    const home = worker === this.number ? null : doorOf(this.#folder, worker)
    if (this.#homes.size >= MOST_KNOWN) this.#homes.clear()
    this.#homes.set(person, home)
    return home
  }

  served(person: string, by: number | null): void {
    if (this.#comers.count(person, by) && by !== null) this.#tell({ kind: 'move', person, to: by })
  }

  countBy(read: () => Promise<WorkerMetrics>): void {
    this.#read = read
  }

  async gather(): Promise<readonly WorkerMetrics[]> {
    const others = await this.#ask((id) => ({ kind: 'gather', id }))
    return [await this.#read(), ...(others.kind === 'gathered' ? others.all : [])]
  }

  staff(): Staff {
    return this.#staff
  }

  #listen(listener: (event: EngineEvent) => void): () => void {
    if (this.#listeners.size === 0) this.#tell({ kind: 'listening', isListening: true })
    this.#listeners.add(listener)
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return
      this.#tell({ kind: 'listening', isListening: false })
    }
  }

  #take(message: ToWorker, stop: () => void): void {
    switch (message.kind) {
      case 'homed':
      case 'gathered':
        this.#waiting.get(message.id)?.(message)
        this.#waiting.delete(message.id)
        return
      case 'moved':
        this.#noteHome(message.person, message.worker)
        return
      case 'event':
        for (const listener of this.#listeners) listener(message.event)
        return
      case 'wanted':
        this.#isWanted = message.isWanted
        for (const told of this.#watchers) told(message.isWanted)
        return
      case 'gather':
        void this.#read().then((metrics) => this.#tell({ kind: 'metrics', id: message.id, metrics }))
        return
      case 'staff':
        this.#staff = message.staff
        this.#homes.clear()
        return
      case 'stop':
        stop()
    }
  }

  #ask(question: (id: number) => ToPrimary): Promise<ToWorker> {
    this.#asked += 1
    const id = this.#asked
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#tell(question(id))
    })
  }

  #tell(message: ToPrimary): void {
    if (process.connected) process.send?.(message)
  }
}

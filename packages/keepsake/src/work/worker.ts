import type { ScopeRow } from '../scopes/scope.ts'

/** How long the worker waits after the last turn before it works, so that a burst of turns is read at once. */
const QUIET_MS = 40
/** How long a steady stream of turns can hold it off. */
const LONGEST_WAIT_MS = 1_000

/** What the worker is given to do. */
export interface WorkerTasks {
  /** Brings a scope up to its last turn. */
  readonly consolidate: (row: ScopeRow) => Promise<void>
  /** Embeds documents that lack a vector; gives up early when `isStopped`. */
  readonly embed: (owner: number, documents: readonly string[], isStopped: () => boolean) => Promise<unknown>
  /** Is told what failed. `null` where no scope is at fault. */
  readonly report: (row: ScopeRow | null, error: unknown) => void
  /** Scopes worked on at a time: one where the work is our own, several where it waits for a model. */
  readonly concurrency: number
}

/**
 * Runs consolidation off the write path, a few scopes at a time in this process. It holds no state that
 * matters: what is to do stands in the store's jobs, so a process that dies loses nothing.
 *
 * idle ──wake──► waiting ──quiet──► working ──done──► idle (or waiting, if woken meanwhile)
 */
export class Worker {
  readonly #tasks: WorkerTasks
  readonly #embedding = new Map<number, Set<string>>()
  readonly #waiting = new Map<number, ScopeRow>()
  #timer: NodeJS.Timeout | null = null
  #firstWake = 0
  #running: Promise<void> | null = null
  #background: Promise<unknown>[] = []
  #stopped = false

  constructor(tasks: WorkerTasks) {
    this.#tasks = tasks
  }

  /** Says that a scope has something to do. */
  wake(row: ScopeRow): void {
    if (this.#stopped) return
    if (this.#waiting.size === 0) this.#firstWake = performance.now()
    this.#waiting.set(row.scope, row)
    if (this.#running !== null) return
    const waited = performance.now() - this.#firstWake
    if (this.#timer !== null && waited > LONGEST_WAIT_MS) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#start(), QUIET_MS)
  }

  /** Runs something small off the caller's path; `drain` waits for it. */
  later(row: ScopeRow | null, task: () => Promise<unknown>): void {
    const running: Promise<unknown> = new Promise<void>((resolve) => setImmediate(resolve))
      .then(task)
      .catch((error: unknown) => this.#tasks.report(row, error))
      .finally(() => {
        this.#background = this.#background.filter((entry) => entry !== running)
      })
    this.#background.push(running)
  }

  /** Makes missing vectors of a person's documents, one run a person at a time. */
  embedLater(owner: number, documents: readonly string[]): void {
    const underWay = this.#embedding.get(owner) ?? new Set<string>()
    const fresh = documents.filter((id) => !underWay.has(id))
    if (fresh.length === 0 || this.#stopped) return
    for (const id of fresh) underWay.add(id)
    this.#embedding.set(owner, underWay)
    this.later(null, async () => {
      try {
        await this.#tasks.embed(owner, fresh, () => this.#stopped)
      } finally {
        for (const id of fresh) underWay.delete(id)
      }
    })
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#running ??= this.#runAll().finally(() => {
      this.#running = null
      if (this.#waiting.size > 0 && !this.#stopped) this.#start()
    })
  }

  async #runAll(): Promise<void> {
    await Promise.all(Array.from({ length: this.#tasks.concurrency }, () => this.#runLane()))
  }

  async #runLane(): Promise<void> {
    for (let next = this.#take(); next !== undefined && !this.#stopped; next = this.#take()) {
      try {
        await this.#tasks.consolidate(next)
      } catch (error) {
        this.#tasks.report(next, error)
      }
    }
  }

  #take(): ScopeRow | undefined {
    const [first] = this.#waiting.values()
    if (first !== undefined) this.#waiting.delete(first.scope)
    return first
  }

  /** Resolves when nothing waits and nothing runs. */
  async drain(): Promise<void> {
    while (this.#waiting.size > 0 || this.#running !== null || this.#background.length > 0) {
      if (this.#waiting.size > 0 && this.#running === null) this.#start()
      await Promise.all([this.#running, ...this.#background])
    }
  }

  /** Finishes what runs and takes nothing more. What waits stands in the store and goes on at the next open. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#waiting.clear()
    await Promise.all([this.#running, ...this.#background])
  }
}

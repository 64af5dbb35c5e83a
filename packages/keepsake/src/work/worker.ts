// Runs the stored jobs of users in the background.
import type { Claim, Store } from '../store/store.ts'
import type { UserClaims } from './user-claims.ts'

/** Time that the worker waits after the last turn, so that a burst of turns is read together. */
const QUIET_MS = 40
/** Maximum time for which a steady stream of turns delays the worker. */
const MAX_DELAY_MS = 1_000
/** Interval at which the worker looks for jobs of other processes, and for jobs that are due again. */
const POLL_MS = 1_000
/** A user is active for this time after a recall. Turns of active users are processed first. */
const ACTIVE_MS = 60_000
/** Maximum number of users that are known as active. */
const MAX_ACTIVE_USERS = 1_000

export interface WorkerTasks {
  readonly claims: Pick<UserClaims, 'next' | 'of' | 'once'>
  /** Consolidates a user's scopes up to their last turns. It records failures itself, so that they are retried later. */
  readonly consolidate: (claim: Claim) => Promise<void>
  /** Embeds documents without a vector. It ends early when `isStopped` returns `true`. */
  readonly embed: (owner: number, documents: readonly string[], isStopped: () => boolean) => Promise<unknown>
  /** Writes pending usage counters. */
  readonly writeUsage: () => Promise<void>
  /** Receives failures that belong to no job. */
  readonly report: (error: unknown) => void
  /** Number of users whose work is done at a time. */
  readonly concurrency: number
}

/**
 * Consolidates in the background, for a few users at a time. All work is stored as jobs, which any process can do, so a process
 * that ends loses nothing.
 *
 * idle ──wake──► waiting ──quiet──► working ──no job is free──► idle (or working, if woken meanwhile)
 *   └──every second, or when the store reports work───────┘
 */
export class Worker {
  readonly #tasks: WorkerTasks
  readonly #embedding = new Map<number, Set<string>>()
  /** Users for whom this process queued work that is not known to be done. */
  readonly #queued = new Set<number>()
  /** The last time each active user's memory was read, the latest last. */
  readonly #active = new Map<number, number>()
  #hasWork = false
  #timer: NodeJS.Timeout | null = null
  #polling: NodeJS.Timeout | null = null
  #unwatch: (() => void) | undefined
  #firstWake = 0
  #lastWake = 0
  #running: Promise<void> | null = null
  #lanes: Promise<void>[] = []
  #startedLanes = 0
  #background: Promise<unknown>[] = []
  #stopped = false

  constructor(tasks: WorkerTasks) {
    this.#tasks = tasks
  }

  /** Starts with the jobs of earlier processes, and from now on looks for jobs of other processes. */
  begin(store: Pick<Store, 'watch'>): void {
    this.#polling = setInterval(() => this.#poll(), POLL_MS).unref()
    this.#unwatch = store.watch((note) => {
      if (note === null || note.hasJobs) this.#startSoon()
    })
    this.#startSoon()
  }

  /** Starts, unless it is about to start anyway when a burst of turns is over. */
  #poll(): void {
    if (this.#timer === null) this.#start()
  }

  /** Starts soon, because there is work for a user. */
  wake({ owner }: { readonly owner: number }): void {
    if (this.#stopped) return
    this.#queued.add(owner)
    this.#startSoon()
  }

  /** Marks a user as active, because their memory was read. */
  markActive(owner: number): void {
    this.#active.delete(owner)
    this.#active.set(owner, performance.now())
    const [oldest] = this.#active.keys()
    if (this.#active.size > MAX_ACTIVE_USERS && oldest !== undefined) this.#active.delete(oldest)
  }

  #startSoon(): void {
    const now = performance.now()
    if (!this.#hasWork) this.#firstWake = now
    if (now - this.#firstWake <= MAX_DELAY_MS) this.#lastWake = now
    this.#hasWork = true
    if (this.#running === null && this.#timer === null) this.#waitForQuiet(QUIET_MS)
  }

  /** Starts when the burst of turns is over. Setting the timer again for each turn would cost more than this check. */
  #waitForQuiet(delayMs: number): void {
    this.#timer = setTimeout(() => {
      const left = Math.ceil(this.#lastWake + QUIET_MS - performance.now())
      if (left > 0) this.#waitForQuiet(left)
      else this.#start()
    }, delayMs)
  }

  /** Runs a small task in the background. `drain` waits for it. */
  later(task: () => Promise<unknown>): void {
    const running: Promise<unknown> = new Promise<void>((resolve) => setImmediate(resolve))
      .then(task)
      .catch(this.#tasks.report)
      .finally(() => {
        this.#background = this.#background.filter((entry) => entry !== running)
      })
    this.#background.push(running)
  }

  /** Embeds documents of a user in the background. Documents that are being embedded already are left out. */
  embedLater(owner: number, documents: readonly string[]): void {
    const underWay = this.#embedding.get(owner) ?? new Set<string>()
    const fresh = documents.filter((id) => !underWay.has(id))
    if (fresh.length === 0 || this.#stopped) return
    for (const id of fresh) underWay.add(id)
    this.#embedding.set(owner, underWay)
    this.later(async () => {
      try {
        await this.#tasks.embed(owner, fresh, () => this.#stopped)
      } finally {
        for (const id of fresh) underWay.delete(id)
        if (underWay.size === 0) this.#embedding.delete(owner)
      }
    })
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#running !== null || this.#stopped) return
    this.#hasWork = false
    this.#running = this.#runAll().finally(() => {
      this.#running = null
      // New turns wait until their burst is over, so that a user's turns are read together.
      if (this.#hasWork) this.#startSoon()
    })
  }

  async #runAll(): Promise<void> {
    this.#beginLane()
    // A lane that finds work starts the next lane, so the list grows during this loop.
    for (const lane of this.#lanes) await lane
    this.#lanes = []
    this.#startedLanes = 0
  }

  #beginLane(): void {
    this.#startedLanes += 1
    this.#lanes.push(this.#runLane())
  }

  async #runLane(): Promise<void> {
    const { claims, report } = this.#tasks
    try {
      let outcome
      do {
        if (this.#queued.size > 1) await this.#workForActive()
        outcome = await claims.next((claim) => this.#workOn(claim))
      } while (outcome === 'claimed' && !this.#stopped)
      // No job is left for any user, so none of the queued ones remains.
      if (outcome === 'nothing' && !this.#hasWork) this.#queued.clear()
    } catch (error) {
      report(error)
    }
  }

  /** Works for one active user before the next user in the queue. So a thousand new users do not delay the active ones. */
  async #workForActive(): Promise<void> {
    const since = performance.now() - ACTIVE_MS
    for (const [owner, seenAt] of this.#active) {
      if (seenAt < since) this.#active.delete(owner)
      else if (this.#queued.has(owner)) {
        await this.#tasks.claims.once(owner, (claim) => this.#workOn(claim))
        return
      }
    }
  }

  async #workOn(claim: Claim): Promise<void> {
    const isQueuedHere = this.#queued.delete(claim.userId)
    const working = this.#tasks.consolidate(claim)
    // If this was the only queued user, another lane would find nothing.
    const mayFindMore = !isQueuedHere || this.#queued.size > 0
    if (mayFindMore && this.#startedLanes > 0 && this.#startedLanes < this.#tasks.concurrency)
      this.#beginLane()
    await working
  }

  /** Waits until all work that this process queued is done, whichever process does it. */
  async drain(): Promise<void> {
    do {
      while (this.#hasWork || this.#running !== null || this.#background.length > 0) {
        if (this.#hasWork) this.#start()
        await Promise.all([this.#running, ...this.#background])
      }
      await this.#tasks.writeUsage()
      for (const owner of this.#queued) await this.#tasks.claims.of(owner, (claim) => this.#workOn(claim))
      // A job that exceeds its time slice queues its rest.
    } while (this.#hasWork && !this.#stopped)
  }

  /** Waits for running work. Waiting jobs stay in the store for the next process. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#hasWork = false
    this.#unwatch?.()
    for (const timer of [this.#timer, this.#polling]) if (timer !== null) clearTimeout(timer)
    await Promise.all([this.#running, ...this.#background])
    await this.#tasks.writeUsage()
  }
}

import type { Claim, Store } from '../store/store.ts'
import type { PersonClaims } from './person-claims.ts'

/** How long the worker waits after the last turn before it works, so that a burst of turns is read at once. */
const QUIET_MS = 40
/** How long a steady stream of turns can hold it off. */
const LONGEST_WAIT_MS = 1_000
/** How often it looks for work that another process queued or left behind, and for what is to be tried again. */
const LOOK_EVERY_MS = 1_000
/** A user asked about within this time is talking: their turns are learned before those of other users. */
const PRESENT_MS = 60_000
/** At most this number of users is remembered as present. */
const MOST_PRESENT = 1_000

/** What the worker is given to do. */
export interface WorkerTasks {
  readonly claims: Pick<PersonClaims, 'next' | 'of' | 'once'>
  /** Brings a person's scopes up to their last turns. What fails is noted by it, so that it is not tried again at once. */
  readonly consolidate: (claim: Claim) => Promise<void>
  /** Embeds documents that lack a vector; gives up early when `isStopped`. */
  readonly embed: (owner: number, documents: readonly string[], isStopped: () => boolean) => Promise<unknown>
  /** Writes what recalls reinforced. */
  readonly writeGathered: () => Promise<void>
  /** Receives failures that belong to no job. */
  readonly report: (error: unknown) => void
  /** People worked for at a time. */
  readonly concurrency: number
}

/**
 * Runs consolidation off the write path, for a few people at a time in this process. It holds no state that
 * matters: what is to do stands in the store's jobs, where any process finds it, so one that dies loses nothing.
 *
 * idle ──wake──► waiting ──quiet──► working ──no job is free──► idle (or working, if woken meanwhile)
 *   └──every second, or when the store reports work───────┘
 */
export class Worker {
  readonly #tasks: WorkerTasks
  readonly #embedding = new Map<number, Set<string>>()
  /** People for whom this process queued work, until it is done or seen to be done. */
  readonly #woken = new Set<number>()
  /** When people's memories were asked last, the latest last. */
  readonly #present = new Map<number, number>()
  #hasWork = false
  #timer: NodeJS.Timeout | null = null
  #looking: NodeJS.Timeout | null = null
  #unwatch: (() => void) | undefined
  #firstWake = 0
  #running: Promise<void> | null = null
  #lanes: Promise<void>[] = []
  #begun = 0
  #background: Promise<unknown>[] = []
  #stopped = false

  constructor(tasks: WorkerTasks) {
    this.#tasks = tasks
  }

  /** Takes up what earlier processes left behind, and from now on what others queue. */
  begin(store: Pick<Store, 'watch'>): void {
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
    this.#unwatch = store.watch((note) => {
      if (note === null || note.hasJobs) this.#startSoon()
    })
    this.#startSoon()
  }

  /** Unless it is to look soon anyway, once a burst of turns is over. */
  #look(): void {
    if (this.#timer === null) this.#start()
  }

  /** Says that a person has something to do. */
  wake({ owner }: { readonly owner: number }): void {
    if (this.#stopped) return
    this.#woken.add(owner)
    this.#startSoon()
  }

  /** Marks a user as present: their memory was asked, and they wait for what they said to be known. */
  asked(owner: number): void {
    this.#present.delete(owner)
    this.#present.set(owner, performance.now())
    const [oldest] = this.#present.keys()
    if (this.#present.size > MOST_PRESENT && oldest !== undefined) this.#present.delete(oldest)
  }

  #startSoon(): void {
    if (!this.#hasWork) this.#firstWake = performance.now()
    this.#hasWork = true
    if (this.#running !== null) return
    const waited = performance.now() - this.#firstWake
    if (this.#timer !== null && waited > LONGEST_WAIT_MS) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#start(), QUIET_MS)
  }

  /** Runs something small off the caller's path; `drain` waits for it. */
  later(task: () => Promise<unknown>): void {
    const running: Promise<unknown> = new Promise<void>((resolve) => setImmediate(resolve))
      .then(task)
      .catch(this.#tasks.report)
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
      // What came meanwhile waits as a burst does: a user's turns are read together.
      if (this.#hasWork) this.#startSoon()
    })
  }

  async #runAll(): Promise<void> {
    this.#beginLane()
    // Each that finds work begins another beside it, which may find more.
    for (const lane of this.#lanes) await lane
    this.#lanes = []
    this.#begun = 0
  }

  #beginLane(): void {
    this.#begun += 1
    this.#lanes.push(this.#runLane())
  }

  async #runLane(): Promise<void> {
    const { claims, report } = this.#tasks
    try {
      let outcome
      do {
        if (this.#woken.size > 1) await this.#workForPresent()
        outcome = await claims.next((claim) => this.#workOn(claim))
      } while (outcome === 'claimed' && !this.#stopped)
      // No job is left for any user.
      if (outcome === 'nothing' && !this.#hasWork) this.#woken.clear()
    } catch (error) {
      report(error)
    }
  }

  /** Between any two who wait in line, one goes first who is there: a thousand newcomers do not keep anybody from being heard. */
  async #workForPresent(): Promise<void> {
    const since = performance.now() - PRESENT_MS
    for (const [owner, seenAt] of this.#present) {
      if (seenAt < since) this.#present.delete(owner)
      else if (this.#woken.has(owner)) {
        await this.#tasks.claims.once(owner, (claim) => this.#workOn(claim))
        return
      }
    }
  }

  async #workOn(claim: Claim): Promise<void> {
    this.#woken.delete(claim.userId)
    const working = this.#tasks.consolidate(claim)
    if (this.#begun > 0 && this.#begun < this.#tasks.concurrency) this.#beginLane()
    await working
  }

  /** Resolves when nothing waits and nothing runs of what this process queued, also where another process is at it. */
  async drain(): Promise<void> {
    do {
      while (this.#hasWork || this.#running !== null || this.#background.length > 0) {
        if (this.#hasWork) this.#start()
        await Promise.all([this.#running, ...this.#background])
      }
      await this.#tasks.writeGathered()
      for (const owner of this.#woken) await this.#tasks.claims.of(owner, (claim) => this.#workOn(claim))
      // A job that took too long was queued again.
    } while (this.#hasWork && !this.#stopped)
  }

  /** Finishes what runs and takes nothing more. What waits stands in the store and goes on at the next open. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#hasWork = false
    this.#unwatch?.()
    for (const timer of [this.#timer, this.#looking]) if (timer !== null) clearTimeout(timer)
    await Promise.all([this.#running, ...this.#background])
    await this.#tasks.writeGathered()
  }
}

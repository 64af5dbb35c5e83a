import type { CommitRequest, CommitResult } from '../stores/store.ts'
import type { Committing } from './commit-changes.ts'
import type { Engine } from './engine.ts'
import type { OwnerCache } from './owner-cache.ts'
import { asError } from './report-failure.ts'

/** A transaction holds the thread, and other processes: what makes so many operations is stored, and what follows begins anew. */
const MOST_OPERATIONS = 64

/**
 * What the steps of a pass over one scope decide, until it is stored: each sees in the person's cache what those before it
 * decided, and one transaction stores all of it, for the person as they were seen. Killed before that, nothing was done.
 *
 * Nobody else decides over what is not stored: whoever asks for the person's cache meanwhile has it stored first
 * (`OwnerCaches.get`). Where the store refuses, since somebody was first, the cache is read again, and from then on each step is stored by itself.
 */
export class GatheredSteps {
  /** For the steps. */
  readonly engine: Engine
  readonly #engine: Engine
  #steps: Committing[] = []
  #cache: OwnerCache | null = null
  /** Revision of the person that the first of them saw. */
  #revision = 0
  #storing: Promise<void> | null = null
  #failure: Error | null = null
  #isRefused = false

  constructor(engine: Engine) {
    this.#engine = engine
    this.engine = { ...engine, commits: this, gathered: this }
  }

  /** The cache in which what is not stored stands; `null` while there is nothing. */
  get cache(): OwnerCache | null {
    return this.#cache
  }

  /** Whether somebody was first, and what was gathered is to be decided again. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  whileDeciding<Result>(work: () => Promise<Result>): Promise<Result> {
    return work()
  }

  /** Takes a step in, and answers as though it were stored. Its operations have no place in the log yet, and are not told. */
  async commit(step: Committing): Promise<CommitResult> {
    const { commits, caches } = this.#engine
    const { owner, scope, lastPosition } = step.request
    // What is gathered in a cache that was let go of goes first.
    await (this.#cache === null || this.#cache === caches.now(owner) ? this.#storing : this.settle())
    this.#throwFailure()
    const cache = caches.now(owner)
    // What is finished when all is read is not, where that was refused or more has come.
    const isLast = lastPosition === undefined || lastPosition === cache?.progress(scope).lastPosition
    if (!isLast || (this.#isRefused && lastPosition !== undefined))
      return { outcome: 'conflict', on: 'progress', reason: `not all is read up to ${lastPosition}` }
    if (this.#isRefused || cache === undefined) return commits.whileDeciding(() => commits.commit(step))
    if (this.#steps.length === 0) this.#revision = cache.version.revision
    this.#steps.push(step)
    this.#cache = cache
    caches.takeUnstored(cache, step.request, this)
    const operations = this.#steps.reduce((sum, { request }) => sum + request.operations.length, 0)
    if (operations >= MOST_OPERATIONS) await this.store()
    return { outcome: 'committed', version: cache.version, operations: [] }
  }

  /** Has steps work with the engine that gathers, and stores what they decided however they end. @throws what they throw, or what kept it from being stored */
  async during<Result>(work: (engine: Engine) => Promise<Result>): Promise<Result> {
    // Those of other people whose passes end at the same time are stored in the same transaction.
    return this.#engine.commits.whileDeciding(async () => {
      try {
        return await work(this.engine)
      } finally {
        await this.store()
      }
    })
  }

  /** Stores what is gathered. @throws what kept it from being stored */
  async store(): Promise<void> {
    await this.settle()
    this.#throwFailure()
  }

  /** The same for others, whom it does not concern where that fails: whoever gathers is told. */
  async settle(): Promise<void> {
    if (this.#storing === null && this.#cache !== null)
      this.#storing = this.#storeAll(this.#cache).finally(() => {
        this.#storing = null
      })
    await this.#storing
  }

  async #storeAll(cache: OwnerCache): Promise<void> {
    const { commits, caches } = this.#engine
    const steps = this.#steps
    this.#steps = []
    const joined = joinSteps(steps, this.#revision)
    let isStored = false
    try {
      const { outcome } = await commits.commit(joined)
      isStored = outcome === 'committed'
    } catch (error) {
      this.#failure = asError(error)
    }
    this.#cache = null
    if (isStored) return
    this.#isRefused = true
    caches.dropUnstored(cache)
  }

  #throwFailure(): void {
    const failure = this.#failure
    this.#failure = null
    if (failure !== null) throw failure
  }
}

/** Steps as one change, which rests on all that the first of them read and on nothing of the person having changed since that revision. */
function joinSteps(steps: readonly Committing[], revision: number): Committing {
  const [first, ...others] = steps
  if (first === undefined) throw new Error('there is something to store')
  let { request } = first
  for (const other of others) request = join(request, other.request)
  // A job that is finished rests on nothing but how far was read.
  const restsOnAll = request.operations.length + request.progress.length > 0
  const stepOf = new Map(steps.flatMap((step) => step.request.operations.map(({ id }) => [id, step])))
  return {
    row: first.row,
    request: restsOnAll ? { ...request, revision } : request,
    memoryAfter: (operation) => stepOf.get(operation.id)?.memoryAfter(operation),
    isTaken: true,
  }
}

function join(one: CommitRequest, next: CommitRequest): CommitRequest {
  const touched = new Set(one.memories.map(({ id }) => id))
  const memories = new Map([...one.memories, ...next.memories].map((memory) => [memory.id, memory]))
  const documents = new Map([...one.documents, ...next.documents].map((document) => [document.id, document]))
  const lastPosition = next.lastPosition ?? one.lastPosition
  return {
    ...one,
    operations: [...one.operations, ...next.operations],
    memories: [...memories.values()],
    documents: [...documents.values()],
    progress: joinProgress(one.progress, next.progress),
    expect: [...one.expect, ...next.expect.filter(({ memory }) => !touched.has(memory))],
    endSessions: [...one.endSessions, ...next.endSessions],
    queueJobs: [...one.queueJobs, ...next.queueJobs],
    finishJobs: [...one.finishJobs, ...next.finishJobs],
    expectJobs: [...(one.expectJobs ?? []), ...(next.expectJobs ?? [])],
    endClaims: [...(one.endClaims ?? []), ...(next.endClaims ?? [])],
    ...(lastPosition === undefined ? {} : { lastPosition }),
    flush: (one.flush ?? true) || (next.flush ?? true),
  }
}

/** How far a branch gets by both, from where it was before the first. */
function joinProgress(
  one: CommitRequest['progress'],
  next: CommitRequest['progress'],
): CommitRequest['progress'] {
  const joined = new Map(one.map((reached) => [reached.branch, reached]))
  for (const { branch, from, to } of next)
    joined.set(branch, { branch, from: joined.get(branch)?.from ?? from, to })
  return [...joined.values()]
}

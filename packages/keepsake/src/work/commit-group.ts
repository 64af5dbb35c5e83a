import type { CommitResult } from '../stores/store.ts'
import { commitAll, type Committing } from './commit-changes.ts'
import type { Engine } from './engine.ts'

/** A change that waits to be stored with others. */
interface Waiting {
  readonly change: Committing
  readonly resolve: (result: CommitResult) => void
  readonly reject: (error: unknown) => void
}

/** A transaction holds the thread, and other processes: so many changes make one at most. */
const MOST = 16

/**
 * Stores what is decided for several people at the same time in one transaction, each still all or nothing by its own
 * expectations. Nothing waits for it: what is decided is stored as soon as everybody who is deciding has decided, or the event loop
 * has come round once.
 */
export class CommitGroup {
  readonly #engine: () => Engine
  #waiting: Waiting[] = []
  #deciding = 0
  #turn: NodeJS.Immediate | null = null

  constructor(engine: () => Engine) {
    this.#engine = engine
  }

  /** Says that somebody decides, until the work is over: it may come to a change. */
  async whileDeciding<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#deciding += 1
    try {
      return await work()
    } finally {
      this.#deciding -= 1
      this.#storeWhenAllHaveDecided()
    }
  }

  /** Stores a change, with those that come at the same time. Called while deciding. */
  commit(change: Committing): Promise<CommitResult> {
    const { promise, resolve, reject } = Promise.withResolvers<CommitResult>()
    this.#waiting.push({ change, resolve, reject })
    this.#turn ??= setImmediate(() => void this.#store())
    this.#storeWhenAllHaveDecided()
    return promise
  }

  #storeWhenAllHaveDecided(): void {
    const count = this.#waiting.length
    if (count > 0 && (count >= this.#deciding || count >= MOST)) void this.#store()
  }

  async #store(): Promise<void> {
    const some = this.#waiting
    this.#waiting = []
    if (this.#turn !== null) clearImmediate(this.#turn)
    this.#turn = null
    if (some.length === 0) return
    try {
      const results = await commitAll(
        this.#engine(),
        some.map(({ change }) => change),
      )
      for (const [place, { resolve, reject }] of some.entries()) {
        const result = results[place]
        if (result === undefined) reject(new Error('a commit has one result'))
        else resolve(result)
      }
    } catch (error) {
      const [only] = some
      // What fails for one of them must not for the others.
      if (some.length > 1) for (const one of some) void this.#storeAlone(one)
      else only?.reject(error)
    }
  }

  async #storeAlone({ change, resolve, reject }: Waiting): Promise<void> {
    try {
      const [result] = await commitAll(this.#engine(), [change])
      if (result === undefined) throw new Error('a commit has one result')
      resolve(result)
    } catch (error) {
      reject(error)
    }
  }
}

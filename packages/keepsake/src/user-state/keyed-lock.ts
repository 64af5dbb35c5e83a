import { Mutex } from 'async-mutex'

/** A lock a key, which lasts for as long as somebody holds it or waits for it. */
export class KeyedLock {
  readonly #locks = new Map<string, { readonly mutex: Mutex; users: number }>()

  /** Keys that are held now. */
  get size(): number {
    return this.#locks.size
  }

  /** Whether somebody holds this key, or waits for it. */
  isHeld(key: string): boolean {
    return this.#locks.has(key)
  }

  /** Runs the work once nobody else with this key is at theirs, in the order in which they came. */
  async runExclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const lock = this.#locks.get(key) ?? { mutex: new Mutex(), users: 0 }
    this.#locks.set(key, lock)
    lock.users += 1
    try {
      return await lock.mutex.runExclusive(work)
    } finally {
      lock.users -= 1
      if (lock.users === 0) this.#locks.delete(key)
    }
  }
}

import { Problem } from '../../problem.ts'

/** Files that are read at a time: each is a thread, and may be a file of the largest size. */
const AT_A_TIME = 4
/** Of one key. */
const OF_ONE_KEY = 2
const RETRY_AFTER = 5

/** Sees to it that few files are read at a time. */
export class UploadTurns {
  readonly #reading = new Map<string, number>()

  /** Takes a turn for a key. @returns what gives it back, once @throws Problem 429 `too-many-imports` */
  take(key: string): () => void {
    const own = this.#reading.get(key) ?? 0
    const all = this.#reading.values().reduce((sum, count) => sum + count, 0)
    if (own >= OF_ONE_KEY || all >= AT_A_TIME) {
      const detail = 'Other files are being read. Nothing was changed: try again in a moment.'
      throw new Problem(429, 'too-many-imports', detail, { retryAfter: RETRY_AFTER })
    }
    this.#reading.set(key, own + 1)
    return () => {
      const left = (this.#reading.get(key) ?? 1) - 1
      if (left === 0) this.#reading.delete(key)
      else this.#reading.set(key, left)
    }
  }
}

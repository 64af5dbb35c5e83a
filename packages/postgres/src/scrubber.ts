import { setTimeout as sleep } from 'node:timers/promises'
import { StoreError, type ErasureNews, type EraseReceipt, type StoreErrorCode } from 'keepsake/store-kit'
import type { Sessions } from './connection/session.ts'
import type { Database } from './database.ts'
import { findReceipt } from './keep-receipts.ts'
import { scrubRows, type Scrub } from './scrub-rows.ts'
import { translateError } from './translate-error.ts'

const FIRST_RETRY_MS = 50
const LONGEST_RETRY_MS = 60_000
const LOOK_EVERY_MS = 20

/**
 * Has Postgres let go of what was erased, in the background. Receipts without `scrubbedAt` are its jobs: what one process leaves,
 * another takes up. Erasures that come while it works share the next pass.
 *
 * idle ──erasure, open──► pass ──done──► receipts proven ──more came──► pass
 *                          ├──older transactions may still read──► later
 *                          └──fails──► told ──later──► pass
 */
export class Scrubber {
  readonly #database: Database
  readonly #sessions: Sessions
  readonly #how: Scrub
  readonly #listeners = new Set<(news: ErasureNews) => void>()
  #running: Promise<void> | null = null
  #again = false
  #retry: NodeJS.Timeout | null = null
  #waits = 0
  #isStopped = false

  constructor(database: Database, sessions: Sessions, how: Scrub) {
    this.#database = database
    this.#sessions = sessions
    this.#how = how
  }

  /** Begins, or goes on when it is done with what it is at. */
  start(): void {
    if (this.#isStopped) return
    if (this.#retry !== null) clearTimeout(this.#retry)
    this.#retry = null
    this.#again = this.#running !== null
    this.#running ??= this.#run().finally(() => {
      this.#running = null
    })
  }

  /** The receipt, waiting until it is proven, by whichever process, or the patience ends. */
  async proven(id: string, patienceMs: number): Promise<EraseReceipt | null> {
    const deadline = performance.now() + patienceMs
    this.start()
    for (;;) {
      const receipt = await findReceipt(this.#database, id)
      if (receipt === null || receipt.scrubbedAt !== null || performance.now() >= deadline) return receipt
      await sleep(LOOK_EVERY_MS)
    }
  }

  /** @returns what ends it. */
  watch(listener: (news: ErasureNews) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#retry !== null) clearTimeout(this.#retry)
    await this.#running
  }

  async #run(): Promise<void> {
    do {
      this.#again = false
      try {
        const { proven, isDone } = await scrubRows(this.#database, this.#sessions, this.#how)
        for (const receipt of proven) this.#tell({ proven: receipt })
        if (isDone) this.#waits = 0
        else this.#later()
      } catch (error) {
        this.#fail(error)
      }
    } while (this.#again && !this.#isStopped)
  }

  #fail(cause: unknown): void {
    if (this.#isStopped) return
    const error = translateError(cause, this.#sessions.name)
    const code = error instanceof StoreError ? (error.code as StoreErrorCode) : 'store-failed'
    const message = `What was erased can be read no more, but its rows are not yet out of the tables: ${error.message}`
    this.#tell({ failed: new StoreError(code, message, { cause }) })
    this.#later()
  }

  #later(): void {
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#waits)
    this.#waits += 1
    this.#retry = setTimeout(() => this.start(), wait).unref()
  }

  #tell(news: ErasureNews): void {
    for (const listener of this.#listeners) listener(news)
  }
}

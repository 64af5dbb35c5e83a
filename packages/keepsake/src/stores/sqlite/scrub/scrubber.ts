import { setTimeout as sleep } from 'node:timers/promises'
import { StoreError, type StoreErrorCode } from '../../../errors/store-error.ts'
import type { ErasureNews, EraseReceipt } from '../../store.ts'
import type { Connection } from '../connection.ts'
import { lastUnscrubbed, markScrubbed, readReceipt } from '../keep-receipts.ts'
import { measureBytes } from '../measure-store.ts'
import { translateError } from '../translate-error.ts'
import { rawFiles } from './raw-files.ts'
import { startPass, type RunningPass } from './run-apart.ts'
import { vacuumFile } from './vacuum-file.ts'

export interface ScrubberOptions {
  readonly now: () => number
  /** Runs what must have the whole file to itself, such as a backup. */
  readonly alone: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Whether the file is as this SQLite writes it: one that another driver encrypts is written anew instead. */
  readonly isPlain: boolean
}

const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000
const LOOK_EVERY_MS = 20

/**
 * Takes out of the file what was erased, in the background. Receipts without `scrubbedAt` are its jobs: what one process leaves, the
 * next open of the file takes up. Erasures that come while it works share the next pass.
 *
 * idle ──erasure, open──► pass ──clean──► receipts proven ──more came──► pass
 *                          └──fails (disk full, …)──► told ──later──► pass
 */
export class Scrubber {
  readonly #connection: Connection
  readonly #options: ScrubberOptions
  readonly #file: string | null
  readonly #listeners = new Set<(news: ErasureNews) => void>()
  #running: Promise<void> | null = null
  #pass: RunningPass | null = null
  #retry: NodeJS.Timeout | null = null
  #failures = 0
  #stopped = false

  constructor(connection: Connection, options: ScrubberOptions) {
    this.#connection = connection
    this.#options = options
    this.#file = connection.sql.database.memory ? null : rawFiles.use(connection.name)
  }

  /** Begins, unless it is at it. */
  start(): void {
    if (this.#stopped || this.#running !== null) return
    if (this.#retry !== null) clearTimeout(this.#retry)
    this.#retry = null
    this.#running = this.#run()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#running = null
      })
  }

  /** The receipt, waiting until it is proven, by whichever process, or the patience ends. */
  async proven(id: string, patienceMs: number): Promise<EraseReceipt | null> {
    const deadline = performance.now() + patienceMs
    this.start()
    for (;;) {
      const receipt = (await this.#connection.call((sql) => readReceipt(sql, id))) ?? null
      if (receipt === null || receipt.scrubbedAt !== null || performance.now() >= deadline) return receipt
      await (this.#running === null
        ? sleep(LOOK_EVERY_MS)
        : Promise.race([this.#running, sleep(LOOK_EVERY_MS)]))
    }
  }

  /** Waits for the pass that is to come, if any: what it could not do is told, and tried again later. */
  async settled(): Promise<void> {
    this.start()
    await this.#running
  }

  /** @returns what ends it. */
  watch(listener: (news: ErasureNews) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Ends what runs: a pass goes on at the next open. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#retry !== null) clearTimeout(this.#retry)
    this.#pass?.stop()
    await this.#running
  }

  /** After the connection is closed. */
  release(): void {
    if (this.#file !== null) rawFiles.leave(this.#file)
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const upTo = await this.#connection.call(lastUnscrubbed)
      if (upTo === 0) return
      const isClean = await this.#options.alone(() => this.#scrub())
      if (!isClean) return
      const proven = await this.#connection.call((sql) => markScrubbed(sql, upTo, this.#options.now()))
      this.#failures = 0
      for (const receipt of proven) this.#tell({ proven: receipt })
    }
  }

  async #scrub(): Promise<boolean> {
    const { sql, name } = this.#connection
    if (this.#stopped) return false
    if (sql.database.memory) return true
    const fd = this.#options.isPlain && this.#file !== null ? rawFiles.open(this.#file, name) : null
    if (fd !== null) {
      this.#pass = startPass({ path: name, fd }, measureBytes(sql))
      const outcome = await this.#pass.outcome
      this.#pass = null
      if (outcome !== 'impossible') return outcome === 'clean'
    }
    return vacuumFile(sql, () => this.#stopped)
  }

  #fail(cause: unknown): void {
    this.#pass = null
    if (this.#stopped) return
    const error = translateError(cause, this.#connection.name)
    const message = `What was erased can be read no more, but its bytes are not yet out of the file: ${error.message}`
    const code = error instanceof StoreError ? (error.code as StoreErrorCode) : 'store-failed'
    this.#tell({ failed: new StoreError(code, message, { cause }) })
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures)
    this.#failures += 1
    this.#retry = setTimeout(() => this.start(), wait).unref()
  }

  #tell(news: ErasureNews): void {
    for (const listener of this.#listeners) listener(news)
  }
}

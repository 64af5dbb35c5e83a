import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Database } from 'better-sqlite3'
import type { CheckpointAsk, CheckpointNews, CheckpointWork } from './checkpoint-worker.ts'

/** A thread takes some tens of milliseconds to start: it is for who writes for longer. */
const WORTH_STARTING = 512
/** Transactions between two times: some 1,000 pages, of which many are the same ones again and are copied once. */
const COPY_EVERY = 128
/** As many pages as SQLite lets a journal grow before whoever commits copies it back. */
const USUAL_PAGES = 1_000
/** Where a thread does it, whoever commits does so only if that falls behind so far. */
export const PAGES_LEFT_BEHIND = 16_000

/** Source files are run as they are, built ones under their own ending. */
const WORKER = new URL(`./checkpoint-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url)

/**
 * Has a thread copy the journal back into the file (a checkpoint), with the flushes of both, once there is much to write. SQLite has every
 * thousandth page's writer do that within its commit, which holds everybody on this thread for tens of milliseconds.
 */
export class CheckpointThread {
  readonly #database: Database
  readonly #module: URL
  readonly #ended = Promise.withResolvers<void>()
  #worker: Worker | null = null
  #isWorking = true
  #isGone = false
  #writes = 0

  /** @param database in WAL mode, by which this thread writes */
  constructor(database: Database, module = WORKER) {
    this.#database = database
    this.#module = module
  }

  /** Takes note of a transaction. @param writes as how many it counts: one that writes much is as many small ones */
  wrote(writes = 1): void {
    this.#writes += writes
    if (this.#isGone) return
    if (this.#worker === null) {
      if (this.#writes >= WORTH_STARTING) this.#worker = this.#start()
    } else if (!this.#isWorking && this.#writes >= COPY_EVERY) {
      this.#writes = 0
      this.#isWorking = true
      this.#ask('copy')
    }
  }

  /**
   * Waits for what is under way. Before the database is closed, so that its connection is the last and removes the journal: who tells of
   * what was written only after this begins nothing.
   */
  async stop(): Promise<void> {
    const worker = this.#worker
    if (worker === null) this.#isGone = true
    if (worker === null || this.#isGone) return
    worker.ref()
    this.#ask('end')
    await this.#ended.promise
  }

  #start(): Worker {
    const workerData: CheckpointWork = { path: this.#database.name }
    const worker = new Worker(this.#module, { workerData })
    worker.on('message', (news: CheckpointNews) => {
      this.#isWorking = false
      if (news === 'ready') this.#copyHereAfter(PAGES_LEFT_BEHIND)
    })
    // Told by its end: this thread does it again then, as before.
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      this.#isGone = true
      this.#copyHereAfter(USUAL_PAGES)
      this.#ended.resolve()
    })
    // After the listeners, for one to messages takes hold of the process again.
    worker.unref()
    return worker
  }

  #ask(what: CheckpointAsk): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker?.postMessage(what)
  }

  #copyHereAfter(pages: number): void {
    if (this.#database.open) this.#database.pragma(`wal_autocheckpoint = ${pages}`)
  }
}

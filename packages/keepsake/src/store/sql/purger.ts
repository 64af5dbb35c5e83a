// Removes the bytes of erased rows from the files of a database.
import { setTimeout as sleep } from 'node:timers/promises'
import type { EraseReceipt } from '../store.ts'
import { listErasures, listUnpurged, markPurged } from './erase-content.ts'
import type { SqlClient } from './sql-database.ts'

/** Delay between two tries to remove the bytes of erased rows. */
const PURGE_RETRY_MS = 2_000

/** Removes the bytes of erased rows from the files, and records that they are removed. Failures are retried. */
export class Purger {
  readonly #client: SqlClient
  readonly #stopping = new AbortController()
  #running: Promise<void> | null = null

  constructor(client: SqlClient) {
    this.#client = client
  }

  /** Tries once while the caller waits. If that fails, further tries follow in the background. */
  async purge(): Promise<void> {
    if (!(await this.#tryOnce(true).catch(() => false))) this.resume()
  }

  /** Finishes the purges of earlier processes in the background. */
  resume(): void {
    this.#running ??= this.#retry()
  }

  async receiptOf(userId: number, id: string): Promise<EraseReceipt | undefined> {
    const receipts = await this.#client.read(userId, (tx) => listErasures(tx, userId))
    return receipts.find((receipt) => receipt.id === id)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #retry(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await sleep(PURGE_RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined)
      // If the store is closed, the next process that opens it continues.
      if (signal.aborted || (await this.#tryOnce(false).catch(() => false))) break
    }
    this.#running = null
  }

  async #tryOnce(isUrgent: boolean): Promise<boolean> {
    const { database } = this.#client
    if (database.purge === undefined) return true
    // The list is read before the purge, since later erasures need a purge of their own.
    const unpurged = await this.#client.read('users', (tx) => listUnpurged(tx))
    if (unpurged.length === 0) return true
    if (!(await database.purge(isUrgent))) return false
    await this.#client.writeDerived('users', (tx) => markPurged(tx, unpurged))
    return true
  }
}

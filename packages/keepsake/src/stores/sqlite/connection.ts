import { setTimeout as sleep } from 'node:timers/promises'
import { ClosedError } from '../../errors/closed-error.ts'
import type { Sql } from './sql.ts'
import { sqliteCode, translateError } from './translate-error.ts'

/** Between two tries while another process holds the file; each a little longer, so that many who wait do not all ask at once. */
const FIRST_WAIT_MS = 1
const LONGEST_WAIT_MS = 20

/**
 * An open file. SQLite answers at once, on this thread: what is run does its whole work in one go, so
 * calls never interleave within a transaction. While another process holds the file, a call waits by a timer and is tried again, and
 * everything else in this process goes on.
 */
export class Connection {
  readonly name: string
  readonly sql: Sql
  readonly #patienceMs: number

  /** @param patienceMs how long a call waits for other processes */
  constructor(sql: Sql, patienceMs = 0) {
    this.name = sql.database.name
    this.sql = sql
    this.#patienceMs = patienceMs
  }

  get isOpen(): boolean {
    return this.sql.database.open
  }

  /** @throws ClosedError, or what SQLite threw, told as an error of the store. */
  run<Result>(work: (sql: Sql) => Result): Result {
    if (!this.isOpen) throw new ClosedError()
    try {
      return work(this.sql)
    } catch (error) {
      throw translateError(error, this.name)
    }
  }

  /**
   * As `run`, and again while another process holds the file, until the patience ends. What is run must be all or nothing.
   * @throws StoreError `store-busy` then
   */
  async call<Result>(work: (sql: Sql) => Result): Promise<Result> {
    const deadline = performance.now() + this.#patienceMs
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
      if (!this.isOpen) throw new ClosedError()
      try {
        return work(this.sql)
      } catch (error) {
        if (!isHeld(error) || performance.now() >= deadline) throw translateError(error, this.name)
      }
      await sleep(wait)
    }
  }

  /** For what need not outlive a failure of power: in WAL mode a commit does not wait for the disk; the next that does takes it along. */
  callWithoutFlush<Result>(work: (sql: Sql) => Result): Promise<Result> {
    return this.call((sql) => {
      const before = String(sql.database.pragma('synchronous', { simple: true }))
      sql.database.pragma('synchronous = NORMAL')
      try {
        return work(sql)
      } finally {
        sql.database.pragma(`synchronous = ${before}`)
      }
    })
  }

  /** As `run`, for work that waits in between. */
  async wait<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    if (!this.isOpen) throw new ClosedError()
    try {
      return await work(this.sql)
    } catch (error) {
      throw translateError(error, this.name)
    }
  }

  /** A method of the store that runs a function with what it is given. */
  method<Given extends unknown[], Result>(
    work: (sql: Sql, ...given: Given) => Result,
  ): (...given: Given) => Promise<Result> {
    return (...given) => this.call((sql) => work(sql, ...given))
  }
}

function isHeld(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error) ?? '')
}

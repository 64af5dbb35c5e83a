import { ClosedError } from '../../errors/closed-error.ts'
import type { Sql } from './sql.ts'
import { translateError } from './translate-error.ts'

/**
 * An open file. SQLite answers at once, on this thread: what is run does its whole work before it gives its promise, so
 * calls never interleave within a transaction.
 */
export class Connection {
  readonly name: string
  readonly sql: Sql

  constructor(sql: Sql) {
    this.name = sql.database.name
    this.sql = sql
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

  /** For what need not outlive a failure of power: in WAL mode a commit does not wait for the disk; the next that does takes it along. */
  runWithoutFlush<Result>(work: (sql: Sql) => Result): Result {
    return this.run((sql) => {
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
    return async (...given) => this.run((sql) => work(sql, ...given))
  }
}

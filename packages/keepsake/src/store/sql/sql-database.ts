// Runs transactions on any SQL database that Kysely supports.
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type DatabaseConnection, type Kysely } from 'kysely'
import { ClosedError } from '../../errors/errors.ts'
import type { ChangeNote } from '../store.ts'
import type { Tables } from './tables.ts'

/** The rows that a transaction may see under row-level security: one user's, or those needed for `users` or `counts`. */
export type Wall = number | 'users' | 'counts'

/** A `derived` write need not survive a power failure, because it can be computed again. */
export type Access = 'read' | 'write' | 'derived'

/** A SQL database: everything that differs between SQLite, Postgres and PGlite. */
export interface SqlDatabase {
  readonly name: string
  readonly kysely: Kysely<Tables>
  readonly schemaVersion: number
  readonly isReadOnly: boolean
  /** Whether several transactions can write at once. A user's row is then locked before it is read for a change. */
  readonly hasRowLocks: boolean
  begin(wall: Wall, access: Access): string
  /** The statement that lets a transaction also see this user's rows; `null` if it sees all rows anyway. */
  enter(userId: number): string | null
  /** The clock of leases and expiry, in milliseconds since 1970. */
  now(db: Kysely<Tables>): Promise<number>
  /** Identifies this process as the holder of claims. */
  readonly holder: string
  /** Whether the process behind a claim is known to be gone. */
  isGone(holder: string): boolean
  /** Delay before the next try; `null` if none can succeed. `isUndone`: the transaction failed before its commit was sent. */
  retryAfterMs(error: unknown, tries: number, isUndone: boolean): number | null
  translateError(error: unknown): Error
  /** Removes the bytes of erased rows from all files. Returns `false` if it must be tried later. `isUrgent`: a caller waits. */
  purge?(isUrgent: boolean): Promise<boolean>
  /** Size of all files or tables, in bytes. */
  measure(): Promise<number>
  /** Announces a change to other processes. */
  announce(note: ChangeNote): void
  watch(listener: (note: ChangeNote | null) => void): () => void
  close(): Promise<void>
}

export interface Transaction {
  readonly db: Kysely<Tables>
  /** Runs compiled statements. Through `db` each would take twice as long. */
  readonly connection: DatabaseConnection
  readonly database: SqlDatabase
  /** Cache of compiled statements. */
  readonly compiled: Map<unknown, CompiledQuery>
}

/** Runs transactions on a database, and retries those that conflict with another writer. */
export class SqlClient {
  readonly database: SqlDatabase
  readonly #compiled = new Map<unknown, CompiledQuery>()
  readonly #running = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(database: SqlDatabase) {
    this.database = database
  }

  /** Runs `work` in a transaction in which all reads see one snapshot. */
  read<Result>(wall: Wall, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#run(wall, 'read', work)
  }

  /** Runs `work` that consists of one statement. SQLite needs no transaction for it. */
  readOnce<Result>(wall: Wall, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#run(wall, this.database.hasRowLocks ? 'read' : 'once', work)
  }

  /** Runs `work` in a transaction: all of its changes are stored, or none. */
  write<Result>(wall: Wall, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#run(wall, 'write', work)
  }

  /** As `write`, for changes that need not survive a power failure. */
  writeDerived<Result>(wall: Wall, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#run(wall, 'derived', work)
  }

  /** Waits for running transactions and refuses new ones. @returns `false` if it was stopped before */
  async stop(): Promise<boolean> {
    if (this.#isClosed) return false
    this.#isClosed = true
    await Promise.allSettled(this.#running)
    return true
  }

  requireOpen(): void {
    if (this.#isClosed) throw new ClosedError()
  }

  async #run<Result>(
    wall: Wall,
    access: Access | 'once',
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    this.requireOpen()
    const running = this.#retry(wall, access, work)
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  async #retry<Result>(
    wall: Wall,
    access: Access | 'once',
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    for (let tries = 0; ; tries += 1) {
      const state = { isCommitting: false }
      try {
        return await this.#runOnce(wall, access, work, state)
      } catch (error) {
        const delay = this.database.retryAfterMs(error, tries, !state.isCommitting)
        if (delay === null) throw this.database.translateError(error)
        await sleep(delay)
      }
    }
  }

  #runOnce<Result>(
    wall: Wall,
    access: Access | 'once',
    work: (tx: Transaction) => Promise<Result>,
    state: { isCommitting: boolean },
  ): Promise<Result> {
    const { database } = this
    return database.kysely.connection().execute(async (db) => {
      const connection = await db.getExecutor().provideConnection((only) => Promise.resolve(only))
      const tx = { db, connection, database, compiled: this.#compiled }
      if (access === 'once') return work(tx)
      await connection.executeQuery(CompiledQuery.raw(database.begin(wall, access)))
      try {
        const result = await work(tx)
        state.isCommitting = access !== 'read'
        await connection.executeQuery(COMMIT)
        return result
      } catch (error) {
        await connection.executeQuery(ROLLBACK).catch(() => undefined)
        throw error
      }
    })
  }
}

const COMMIT = CompiledQuery.raw('commit')
const ROLLBACK = CompiledQuery.raw('rollback')

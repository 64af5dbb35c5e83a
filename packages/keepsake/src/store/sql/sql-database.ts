// Runs transactions and prepared statements on any SQL database that Kysely supports.
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type Compilable, type Kysely } from 'kysely'
import { ClosedError } from '../../errors/errors.ts'
import type { ChangeNote } from '../store.ts'
import type { NewRow, TableName, Tables } from './tables.ts'

/**
 * The rows that a transaction may see, by row-level security where the database has it: those of one user, those needed to find
 * `users` and their work, or those that `counts` need.
 */
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
  /** The statement that begins a transaction. */
  begin(wall: Wall, access: Access): string
  /** The statement that lets a transaction also see this user's rows; `null` if it sees all rows anyway. */
  enter(userId: number): string | null
  /** The clock of leases and expiry, in milliseconds since 1970. */
  now(db: Kysely<Tables>): Promise<number>
  /** Identifies this process as the holder of claims. */
  readonly holder: string
  /** Whether the process behind a claim is known to be gone. */
  isGone(holder: string): boolean
  /**
   * Delay before the next try of a failed transaction; `null` if a further try cannot succeed.
   * @param isUndone whether the transaction failed before its commit was sent, so that nothing was stored
   */
  retryAfterMs(error: unknown, tries: number, isUndone: boolean): number | null
  translateError(error: unknown): Error
  /**
   * Removes the bytes of erased rows from all files. Absent if the database cannot do so: `purgedAt` of receipts then stays `null`.
   * @param isUrgent whether a caller waits, so that long work is left to a later try
   * @returns `false` if a later try is needed
   */
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

  /** @throws ClosedError */
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
      if (access === 'once') return work({ db, database, compiled: this.#compiled })
      await db.executeQuery(CompiledQuery.raw(database.begin(wall, access)))
      try {
        const result = await work({ db, database, compiled: this.#compiled })
        state.isCommitting = access !== 'read'
        await db.executeQuery(COMMIT)
        return result
      } catch (error) {
        await db.executeQuery(ROLLBACK).catch(() => undefined)
        throw error
      }
    })
  }
}

const COMMIT = CompiledQuery.raw('commit')
const ROLLBACK = CompiledQuery.raw('rollback')

/** Marks the place of a parameter in a compiled statement. Each call binds its value there. */
class Placeholder {
  readonly name: string
  /** Index of the row that has the value, if several rows are inserted. */
  readonly row: number

  constructor(name: string, row = 0) {
    this.name = name
    this.row = row
  }
}

/** An object that has a placeholder under every name. */
const PLACEHOLDERS: unknown = new Proxy(
  {},
  { get: (_, name) => (typeof name === 'string' ? new Placeholder(name) : undefined) },
)

type Values = Readonly<Record<string, string | number | Uint8Array | null>>

/**
 * A statement that is built and compiled once for each store. Building it at each call would double the time of a short call.
 *
 * @example
 * const readRevision = statement((db, { userId }: { userId: number }) =>
 *   db.selectFrom('users').select('revision').where('user_id', '=', userId))
 * const [row] = await readRevision(tx, { userId: 1 })
 */
export function statement<Params extends Values, Row>(
  build: (db: Kysely<Tables>, params: Params, database: SqlDatabase) => Compilable<Row>,
): (tx: Transaction, params: Params) => Promise<Row[]> {
  return async ({ db, database, compiled }, params) => {
    let query = compiled.get(build)
    if (query === undefined) {
      query = build(db, PLACEHOLDERS as Params, database).compile()
      compiled.set(build, query)
    }
    const { rows } = await db.executeQuery(bind(query, [params]))
    return rows as Row[]
  }
}

/** Maximum number of ids in one statement, far below the limits of SQLite (32,766 parameters) and Postgres (65,535). */
const IDS_PER_STATEMENT = 500
/** Statements with more ids or rows than this are compiled at each call, because few of them repeat. */
const MAX_CACHED_LENGTH = 8

/**
 * A statement that takes a list of ids. It is compiled once for each short length of the list.
 *
 * @example
 * const selectTexts = statementForIds((db, { userId }: { userId: number }, ids) =>
 *   db.selectFrom('turns').select('text').where('user_id', '=', userId).where('id', 'in', ids))
 * const rows = await selectTexts(tx, { userId: 1 }, ['t1', 't2'])
 */
export function statementForIds<Params extends Values, Row>(
  build: (db: Kysely<Tables>, params: Params, ids: readonly string[]) => Compilable<Row>,
): (tx: Transaction, params: Params, ids: readonly string[]) => Promise<Row[]> {
  const keys: object[] = []
  return async ({ db, compiled }, params, ids) => {
    const rows: Row[] = []
    for (let from = 0; from < ids.length; from += IDS_PER_STATEMENT) {
      const chunk = ids.slice(from, from + IDS_PER_STATEMENT)
      const key = (keys[chunk.length] ??= {})
      let query = compiled.get(key)
      if (query === undefined) {
        const placeholders = chunk.map((_, index) => new Placeholder(`id ${index}`))
        query = build(db, PLACEHOLDERS as Params, placeholders as unknown as readonly string[]).compile()
        if (chunk.length <= MAX_CACHED_LENGTH) compiled.set(key, query)
      }
      const values = Object.fromEntries(chunk.map((id, index) => [`id ${index}`, id]))
      const result = await db.executeQuery(bind(query, [{ ...params, ...values }]))
      rows.push(...(result.rows as Row[]))
    }
    return rows
  }
}

function bind(query: CompiledQuery, rows: readonly Values[]): CompiledQuery {
  const parameters = query.parameters.map((parameter) =>
    parameter instanceof Placeholder ? rows[parameter.row]?.[parameter.name] : parameter,
  )
  return { ...query, parameters }
}

/** Maximum number of rows in one insert, so that its values stay below the databases' limits of parameters. */
export const ROWS_PER_INSERT = 500

/** How an insert treats a row whose key is stored already. Without this, the insert fails. */
export interface OnConflict {
  readonly keys: readonly string[]
  /** Columns that take the new value. All but the keys when absent; with an empty list the stored row stays. */
  readonly set?: readonly string[]
}

/** Inserts rows that all have the same columns, with as few statements as possible. */
export async function insertRows<Name extends TableName>(
  { db, compiled }: Transaction,
  table: Name,
  rows: readonly NewRow<Name>[],
  conflict?: OnConflict,
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    const chunk = rows.slice(from, from + ROWS_PER_INSERT) as unknown as readonly Values[]
    const key = `insert ${chunk.length} ${table} ${JSON.stringify(conflict)}`
    let query = compiled.get(key)
    if (query === undefined) {
      query = compileInsert(db, table, chunk, conflict)
      // These sizes repeat: the rows of one turn, and full chunks of an import.
      if (chunk.length <= MAX_CACHED_LENGTH || chunk.length === ROWS_PER_INSERT) compiled.set(key, query)
    }
    await db.executeQuery(bind(query, chunk))
  }
}

function compileInsert(
  db: Kysely<Tables>,
  table: TableName,
  rows: readonly Values[],
  conflict: OnConflict | undefined,
): CompiledQuery {
  const placeholders = rows.map((row, index) =>
    Object.fromEntries(Object.keys(row).map((column) => [column, new Placeholder(column, index)])),
  )
  const insert = db.insertInto(table).values(placeholders as never)
  if (conflict === undefined) return insert.compile()
  const { keys } = conflict
  const set = conflict.set ?? Object.keys(rows[0] ?? {}).filter((column) => !keys.includes(column))
  return insert
    .onConflict((target) => {
      const columns = target.columns(keys as never)
      if (set.length === 0) return columns.doNothing()
      return columns.doUpdateSet((eb) =>
        Object.fromEntries(set.map((column) => [column, eb.ref(`excluded.${column}` as never)])),
      )
    })
    .compile()
}

/** Returns the number of rows that a statement changed. */
export function changedRows(
  results: readonly { readonly numUpdatedRows?: bigint; readonly numDeletedRows?: bigint }[],
): number {
  return results.reduce(
    (sum, { numUpdatedRows = 0n, numDeletedRows = 0n }) => sum + Number(numUpdatedRows + numDeletedRows),
    0,
  )
}

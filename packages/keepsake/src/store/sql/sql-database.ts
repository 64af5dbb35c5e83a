// Runs transactions and prepared statements on any SQL database that Kysely supports.
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type Compilable, type Kysely } from 'kysely'
import { ClosedError } from '../../errors/errors.ts'
import type { ChangeNote } from '../store.ts'
import type { NewRow, TableName, Tables } from './tables.ts'

/** Whose rows a transaction may see: one user's, what is needed to find users and their work, or what is counted. */
export type Wall = number | 'users' | 'counts'

/** `derived` writes need not survive a power failure: they are counted or computed again. */
export type Access = 'read' | 'write' | 'derived'

/** A database that speaks SQL: all that differs between SQLite, Postgres and PGlite. */
export interface SqlDatabase {
  readonly name: string
  readonly kysely: Kysely<Tables>
  readonly schemaVersion: number
  readonly isReadOnly: boolean
  /** Whether several transactions write at once, so that a user's row is locked before it is read for a change. */
  readonly hasRowLocks: boolean
  /** The statement that begins a transaction. */
  begin(wall: Wall, access: Access): string
  /** The statement after which a transaction also sees this user's rows; `null` where it sees them anyway. */
  enter(userId: number): string | null
  /** The clock of leases and expiry, in milliseconds since 1970. */
  now(db: Kysely<Tables>): Promise<number>
  /** Identifies this process as the holder of claims. */
  readonly holder: string
  /** Whether the process behind a claim is known to be gone. */
  isGone(holder: string): boolean
  /**
   * Milliseconds after which a failed transaction is tried again; `null` for an error that stays.
   * @param isUndone whether it failed before its commit was sent, so that nothing of it is stored
   */
  retryAfterMs(error: unknown, tries: number, isUndone: boolean): number | null
  translateError(error: unknown): Error
  /**
   * Removes the bytes of erased rows from all files. Absent where the database offers no way: receipts then stay without a time.
   * @param isUrgent whether a caller waits for it: what takes long is left to a later try
   * @returns `false` when it must be tried again later
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
  /** Compiled statements, kept for the life of the store. */
  readonly compiled: Map<unknown, CompiledQuery>
}

/** Runs transactions on a database, and tries those again that met another writer. */
export class SqlClient {
  readonly database: SqlDatabase
  readonly #compiled = new Map<unknown, CompiledQuery>()
  readonly #running = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(database: SqlDatabase) {
    this.database = database
  }

  /** Everything in `work` sees one snapshot. */
  read<Result>(wall: Wall, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#run(wall, 'read', work)
  }

  /** One statement, which needs no transaction where there are no walls. */
  readOnce<Result>(wall: Wall, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#run(wall, this.database.hasRowLocks ? 'read' : 'once', work)
  }

  /** Everything in `work` is stored, or nothing. */
  write<Result>(wall: Wall, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#run(wall, 'write', work)
  }

  /** As `write`, of what need not survive a power failure. */
  writeDerived<Result>(wall: Wall, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#run(wall, 'derived', work)
  }

  /** Waits for what runs, and refuses what comes later. @returns whether it was open */
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
        return await this.#once(wall, access, work, state)
      } catch (error) {
        const delay = this.database.retryAfterMs(error, tries, !state.isCommitting)
        if (delay === null) throw this.database.translateError(error)
        await sleep(delay)
      }
    }
  }

  #once<Result>(
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

/** Stands in a statement for a value that each call binds. */
class Placeholder {
  readonly name: string
  /** Index of the row that has the value, where several are inserted. */
  readonly row: number

  constructor(name: string, row = 0) {
    this.name = name
    this.row = row
  }
}

const PLACEHOLDERS: unknown = new Proxy(
  {},
  { get: (_, name) => (typeof name === 'string' ? new Placeholder(name) : undefined) },
)

type Values = Readonly<Record<string, string | number | Uint8Array | null>>

/**
 * A statement that is built and compiled once for each store: half the time of a short call is spent on that.
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

/** Ids in one statement, so that its values stay below every database's limit of parameters. */
const IDS_PER_STATEMENT = 500
/** Statements for more ids than this are compiled at each call. */
const MAX_IDS_KEPT = 8

/**
 * A statement that takes a list of ids, compiled once for each short length of it.
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
        const named = chunk.map((_, index) => new Placeholder(`id ${index}`))
        query = build(db, PLACEHOLDERS as Params, named as unknown as readonly string[]).compile()
        if (chunk.length <= MAX_IDS_KEPT) compiled.set(key, query)
      }
      const values = Object.fromEntries(chunk.map((id, index) => [`id ${index}`, id]))
      rows.push(...((await db.executeQuery(bind(query, [{ ...params, ...values }]))).rows as Row[]))
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

/** Rows inserted by one statement, so that its values stay below every database's limit of parameters. */
export const ROWS_PER_INSERT = 500

/** What happens to rows whose key is there: an error when absent. */
export interface OnConflict {
  readonly keys: readonly string[]
  /** Columns that take the new value: all others when absent; none leaves the row as it is. */
  readonly set?: readonly string[]
}

/** Inserts rows, all of the same columns, with as few statements as the database allows. */
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
      // Few sizes repeat: those of one turn and what it yields.
      if (chunk.length <= 8 || chunk.length === ROWS_PER_INSERT) compiled.set(key, query)
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
  const named = rows.map((row, index) =>
    Object.fromEntries(Object.keys(row).map((column) => [column, new Placeholder(column, index)])),
  )
  const insert = db.insertInto(table).values(named as never)
  if (conflict === undefined) return insert.compile()
  const { keys, set = Object.keys(named[0] ?? {}).filter((column) => !keys.includes(column)) } = conflict
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

/** The number of rows that a statement changed. */
export function changedRows(
  results: readonly { readonly numUpdatedRows?: bigint; readonly numDeletedRows?: bigint }[],
): number {
  return results.reduce(
    (sum, { numUpdatedRows = 0n, numDeletedRows = 0n }) => sum + Number(numUpdatedRows + numDeletedRows),
    0,
  )
}

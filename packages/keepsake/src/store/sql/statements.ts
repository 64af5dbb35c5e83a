// Builds statements that are compiled once, and inserts rows.
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { SqlDatabase, Transaction } from './sql-database.ts'
import type { NewRow, TableName, Tables } from './tables.ts'

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

/** A statement that is compiled once for each store. Building it at each call would double a short call's time. */
export function statement<Params extends Values, Row>(
  build: (db: Kysely<Tables>, params: Params, database: SqlDatabase) => Compilable<Row>,
): (tx: Transaction, params: Params) => Promise<Row[]> {
  return async ({ db, connection, database, compiled }, params) => {
    let query = compiled.get(build)
    if (query === undefined) {
      query = build(db, PLACEHOLDERS as Params, database).compile()
      compiled.set(build, query)
    }
    const { rows } = await connection.executeQuery(bind(query, [params]))
    return rows as Row[]
  }
}

/** Maximum number of ids in one statement, far below the limits of SQLite (32,766 parameters) and Postgres (65,535). */
const IDS_PER_STATEMENT = 500
/** Statements with more ids or rows than this are compiled at each call, because few of them repeat. */
const MAX_CACHED_LENGTH = 8

/** A statement that takes a list of ids, compiled once for each short length of the list. */
export function statementForIds<Params extends Values, Row>(
  build: (db: Kysely<Tables>, params: Params, ids: readonly string[]) => Compilable<Row>,
): (tx: Transaction, params: Params, ids: readonly string[]) => Promise<Row[]> {
  const keys: object[] = []
  return async ({ db, connection, compiled }, params, ids) => {
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
      const result = await connection.executeQuery(bind(query, [{ ...params, ...values }]))
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
const ROWS_PER_INSERT = 500

/** How an insert treats a row whose key is stored already. Without this, the insert fails. */
export interface OnConflict {
  readonly keys: readonly string[]
  /** Columns that take the new value. All but the keys when absent; with an empty list the stored row stays. */
  readonly set?: readonly string[]
}

/** Inserts rows that all have the same columns, with as few statements as possible. */
export async function insertRows<Name extends TableName>(
  { db, connection, compiled }: Transaction,
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
    await connection.executeQuery(bind(query, chunk))
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

export function changedRows(
  results: readonly { readonly numUpdatedRows?: bigint; readonly numDeletedRows?: bigint }[],
): number {
  return results.reduce(
    (sum, { numUpdatedRows = 0n, numDeletedRows = 0n }) => sum + Number(numUpdatedRows + numDeletedRows),
    0,
  )
}

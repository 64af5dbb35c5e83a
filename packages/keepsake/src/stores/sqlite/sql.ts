import type { Database, Statement } from 'better-sqlite3'

/** What can be bound to a statement. */
export type SqlValue = string | number | bigint | Buffer | null

/**
 * A connection with its prepared statements kept, so that a call costs its rows and not its parsing. One
 * statement is one text; texts are constants of the code (or one of a few variants), never data. Values are
 * bound in order, to `?` or to `?1`, `?2`, … where one is used twice.
 */
export interface Sql {
  readonly database: Database
  /** Runs a statement that answers nothing; how many rows it changed. */
  run(source: string, ...values: SqlValue[]): number
  get<Row>(source: string, ...values: SqlValue[]): Row | undefined
  all<Row>(source: string, ...values: SqlValue[]): Row[]
  /** Rows as arrays: half the time of objects, for the passes over many rows. */
  cells<Row>(source: string, ...values: SqlValue[]): Row[]
  /** The first column of the first row. */
  value<Value>(source: string, ...values: SqlValue[]): Value | undefined
  /** Everything in `work` or nothing, with the write lock taken before the first read. */
  write<Result>(work: () => Result): Result
  /** One snapshot for all reads in `work`. */
  read<Result>(work: () => Result): Result
}

type Mode = 'rows' | 'raw' | 'pluck'

/** Wraps a connection. */
export function keepStatements(database: Database): Sql {
  const kept = {
    rows: new Map<string, Statement>(),
    raw: new Map<string, Statement>(),
    pluck: new Map<string, Statement>(),
  }
  const prepare = (mode: Mode, source: string): Statement => {
    const known = kept[mode].get(source)
    if (known !== undefined) return known
    const statement = database.prepare(source)
    if (mode === 'raw') statement.raw()
    if (mode === 'pluck') statement.pluck()
    kept[mode].set(source, statement)
    return statement
  }
  const transaction = database.transaction((work: () => unknown) => work())
  return {
    database,
    run: (source, ...values) => prepare('rows', source).run(...bind(source, values)).changes,
    get: <Row>(source: string, ...values: SqlValue[]) =>
      prepare('rows', source).get(...bind(source, values)) as Row | undefined,
    all: <Row>(source: string, ...values: SqlValue[]) =>
      prepare('rows', source).all(...bind(source, values)) as Row[],
    cells: <Row>(source: string, ...values: SqlValue[]) =>
      prepare('raw', source).all(...bind(source, values)) as Row[],
    value: <Value>(source: string, ...values: SqlValue[]) =>
      prepare('pluck', source).get(...bind(source, values)) as Value | undefined,
    write: <Result>(work: () => Result) => transaction.immediate(work) as Result,
    read: <Result>(work: () => Result) => transaction.deferred(work) as Result,
  }
}

/** better-sqlite3 takes numbered parameters by name. */
function bind(source: string, values: readonly SqlValue[]): readonly unknown[] {
  if (!source.includes('?1')) return values
  return [Object.fromEntries(values.map((value, index) => [index + 1, value]))]
}

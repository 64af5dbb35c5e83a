import type { Database, Statement } from 'better-sqlite3'

/** What can be bound to a statement. */
export type SqlValue = string | number | bigint | Buffer | null

/** A piece of a statement, and the values bound in it. */
export interface SqlPart {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** What stands in a template: a value, which is bound, or a piece of the statement. */
type Inserted = SqlValue | SqlPart

type Template<Result> = (source: TemplateStringsArray, ...given: Inserted[]) => Result

/**
 * A connection with its prepared statements kept, so that a call costs its rows and not its parsing. A statement is a template:
 * its text is a constant of the code (or one of a few variants), and what is inserted is bound, never part of the text.
 *
 * @example
 * const scopes = sql.all<{ scope: number }>`SELECT scope FROM scopes WHERE owner = ${owner}`
 */
export interface Sql {
  readonly database: Database
  /** Runs a statement that answers nothing; how many rows it changed. */
  readonly run: Template<number>
  get<Row>(source: TemplateStringsArray, ...given: Inserted[]): Row | undefined
  all<Row>(source: TemplateStringsArray, ...given: Inserted[]): Row[]
  /** Rows as arrays: half the time of objects, for the passes over many rows. */
  cells<Row>(source: TemplateStringsArray, ...given: Inserted[]): Row[]
  /** The first column of the first row. */
  value<Value>(source: TemplateStringsArray, ...given: Inserted[]): Value | undefined
  /** Adds a row, given by its columns. @returns its number */
  insert(table: string, row: Row): number
  /** Everything in `work` or nothing, with the write lock taken before the first read. */
  write<Result>(work: () => Result): Result
  /** One snapshot for all reads in `work`. */
  read<Result>(work: () => Result): Result
}

/** A row by its columns. */
type Row = Readonly<Record<string, Inserted>>

function isPart(given: Inserted): given is SqlPart {
  return typeof given === 'object' && given !== null && 'text' in given
}

/** A piece of a statement, to be inserted into others. */
export function part(source: TemplateStringsArray, ...given: Inserted[]): SqlPart {
  let text = source[0] ?? ''
  const values: SqlValue[] = []
  for (const [index, one] of given.entries()) {
    text += (isPart(one) ? one.text : '?') + (source[index + 1] ?? '')
    if (isPart(one)) values.push(...one.values)
    else values.push(one)
  }
  return { text, values }
}

/** A name that the code gives, of a table or a column: never data. */
export function name(text: string): SqlPart {
  return { text, values: [] }
}

/** Whether a value is among those of a list. */
export function amongList(list: readonly (string | number)[]): SqlPart {
  return part`IN (SELECT value FROM json_each(${JSON.stringify(list)}))`
}

/** What follows INSERT INTO and the table's name. */
export function rowOf(row: Row): SqlPart {
  const inserted = Object.values(row)
  const places = inserted.map((one) => (isPart(one) ? one.text : '?')).join(', ')
  const values = inserted.flatMap((one) => (isPart(one) ? one.values : [one]))
  return { text: `(${Object.keys(row).join(', ')}) VALUES (${places})`, values }
}

/** What follows DO UPDATE SET where a row that is there is to be as the new one. */
export function overwriting(row: Row): SqlPart {
  return name(
    Object.keys(row)
      .map((column) => `${column} = excluded.${column}`)
      .join(', '),
  )
}

/** Wraps a connection. */
export function keepStatements(database: Database): Sql {
  const rows = new Map<string, Statement>()
  const raw = new Map<string, Statement>()
  const pluck = new Map<string, Statement>()
  const prepare = (kept: Map<string, Statement>, source: string): Statement => {
    const known = kept.get(source)
    if (known !== undefined) return known
    const statement = database.prepare(source)
    if (kept === raw) statement.raw()
    if (kept === pluck) statement.pluck()
    kept.set(source, statement)
    return statement
  }
  const run = ({ text, values }: SqlPart) => prepare(rows, text).run(...values)
  const all = (kept: Map<string, Statement>, { text, values }: SqlPart) => prepare(kept, text).all(...values)
  const get = (kept: Map<string, Statement>, { text, values }: SqlPart) => prepare(kept, text).get(...values)
  const transaction = database.transaction((work: () => unknown) => work())
  return {
    database,
    run: (...source) => run(part(...source)).changes,
    get: <Row>(...source: Parameters<typeof part>) => get(rows, part(...source)) as Row | undefined,
    all: <Row>(...source: Parameters<typeof part>) => all(rows, part(...source)) as Row[],
    cells: <Row>(...source: Parameters<typeof part>) => all(raw, part(...source)) as Row[],
    value: <Value>(...source: Parameters<typeof part>) => get(pluck, part(...source)) as Value | undefined,
    insert: (table, row) => Number(run(part`INSERT INTO ${name(table)} ${rowOf(row)}`).lastInsertRowid),
    write: <Result>(work: () => Result) => transaction.immediate(work) as Result,
    read: <Result>(work: () => Result) => transaction.deferred(work) as Result,
  }
}

/**
 * The conditions of a query, in order. What is not asked for is left out rather than made optional, so that one person's rows
 * are found by an index among everybody's.
 */
export class Where implements SqlPart {
  readonly #conditions: SqlPart[] = []

  and(...condition: Parameters<typeof part>): this {
    this.#conditions.push(part(...condition))
    return this
  }

  /** Unless it is `undefined`: not asked for. */
  equal(column: string, value: string | number | undefined): this {
    return value === undefined ? this : this.and`${name(column)} = ${value}`
  }

  /** Unless it is `undefined`. An empty list holds for no row. */
  among(column: string, list: readonly (string | number)[] | undefined): this {
    if (list === undefined) return this
    const [only] = list
    if (only !== undefined && list.length === 1) return this.equal(column, only)
    return this.and`${name(column)} ${amongList(list)}`
  }

  get text(): string {
    return this.#conditions.map(({ text }) => text).join(' AND ') || 'TRUE'
  }

  get values(): SqlValue[] {
    return this.#conditions.flatMap(({ values }) => values)
  }
}

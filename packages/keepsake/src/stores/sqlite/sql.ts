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
  /** Numbers of names as they were asked for (`keep-names.ts`): of none that a transaction made which was taken back. */
  readonly numbers: Map<string, number>
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
  /** Adds a row in the place of one with its primary key. */
  replace(table: string, row: Row): void
  /** Adds a row, or gives the one with these keys its values. @returns its number */
  upsert(table: string, keys: readonly string[], row: Row): number
  /** Everything in `work` or nothing, with the write lock taken before the first read. */
  write<Result>(work: () => Result): Result
  /** One snapshot for all reads in `work`. */
  read<Result>(work: () => Result): Result
}

/** A row by its columns. */
type Row = Readonly<Record<string, SqlValue>>

function isPart(given: Inserted): given is SqlPart {
  return typeof given === 'object' && given !== null && 'text' in given
}

/**
 * Where a value is bound. A bare `?` tells SQLite's planner to look at the value: it then plans anew at each call, which costs several times what the
 * call does (joins, and indexes of a part of the rows). `+` changes no value, and hides it.
 */
const BOUND = '+?'

/** A piece of a statement, to be inserted into others. */
export function part(source: TemplateStringsArray, ...given: Inserted[]): SqlPart {
  let text = source[0] ?? ''
  const values: SqlValue[] = []
  for (const [index, one] of given.entries()) {
    text += (isPart(one) ? one.text : BOUND) + (source[index + 1] ?? '')
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

/** Statements of one way of answering, by their templates where only values stand in these, and by their texts. */
class Statements {
  readonly #prepare: (text: string) => Statement
  readonly #plain = new WeakMap<TemplateStringsArray, Statement>()
  readonly #byText = new Map<string, Statement>()

  constructor(prepare: (text: string) => Statement) {
    this.#prepare = prepare
  }

  /** Hands a statement and what it is given to `work`. */
  use<Result>(
    work: (statement: Statement, values: readonly SqlValue[]) => Result,
    source: TemplateStringsArray,
    given: readonly Inserted[],
  ): Result {
    const plain = this.#plain.get(source)
    if (plain !== undefined) return work(plain, given as readonly SqlValue[])
    const { text, values } = part(source, ...given)
    const statement = this.#byText.get(text) ?? this.#prepare(text)
    this.#byText.set(text, statement)
    if (!given.some(isPart)) this.#plain.set(source, statement)
    return work(statement, values)
  }
}

/** Statements that write rows, one a table, kept with the columns it was made for: these seldom change. */
class RowWriter {
  readonly #prepare: (table: string, columns: readonly string[]) => Statement
  readonly #kept = new Map<string, { readonly columns: readonly string[]; readonly statement: Statement }>()

  constructor(prepare: (table: string, columns: readonly string[]) => Statement) {
    this.#prepare = prepare
  }

  for(table: string, row: Row): Statement {
    const columns = Object.keys(row)
    const known = this.#kept.get(table)
    if (known?.columns.length === columns.length && columns.every((one, at) => one === known.columns[at]))
      return known.statement
    const statement = this.#prepare(table, columns)
    this.#kept.set(table, { columns, statement })
    return statement
  }
}

/** Table, columns and places for values, as INSERT has them. */
function intoTable(table: string, columns: readonly string[]): string {
  return `INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
}

/**
 * Wraps a connection.
 *
 * @param wrote told of each transaction that was written
 */
export function keepStatements(database: Database, wrote: () => void = () => undefined): Sql {
  const rows = new Statements((text) => database.prepare(text))
  const raw = new Statements((text) => database.prepare(text).raw())
  const pluck = new Statements((text) => database.prepare(text).pluck())
  const inserting = new RowWriter((...row) => database.prepare(`INSERT ${intoTable(...row)}`))
  const replacing = new RowWriter((...row) => database.prepare(`INSERT OR REPLACE ${intoTable(...row)}`))
  const changing = new Map<string, RowWriter>()
  const all = (statement: Statement, values: readonly SqlValue[]) => statement.all(...values)
  const get = (statement: Statement, values: readonly SqlValue[]) => statement.get(...values)
  const run = (statement: Statement, values: readonly SqlValue[]) => statement.run(...values).changes
  const transaction = database.transaction((work: () => unknown) => work())
  const numbers = new Map<string, number>()
  return {
    database,
    numbers,
    run: (source, ...given) => rows.use(run, source, given),
    get: <Row>(source: TemplateStringsArray, ...given: Inserted[]) =>
      rows.use(get, source, given) as Row | undefined,
    all: <Row>(source: TemplateStringsArray, ...given: Inserted[]) => rows.use(all, source, given) as Row[],
    cells: <Row>(source: TemplateStringsArray, ...given: Inserted[]) => raw.use(all, source, given) as Row[],
    value: <Value>(source: TemplateStringsArray, ...given: Inserted[]) =>
      pluck.use(get, source, given) as Value | undefined,
    insert: (table, row) => Number(inserting.for(table, row).run(...Object.values(row)).lastInsertRowid),
    replace: (table, row) => void replacing.for(table, row).run(...Object.values(row)),
    upsert: (table, keys, row) => {
      const writer = changing.get(table) ?? upserting(database, keys)
      changing.set(table, writer)
      return writer.for(table, row).get(...Object.values(row)) as number
    },
    write: <Result>(work: () => Result) => {
      try {
        const result = transaction.immediate(work) as Result
        wrote()
        return result
      } catch (error) {
        numbers.clear()
        throw error
      }
    },
    read: <Result>(work: () => Result) => transaction.deferred(work) as Result,
  }
}

function upserting(database: Database, keys: readonly string[]): RowWriter {
  return new RowWriter((table, columns) => {
    const others = columns.filter((column) => !keys.includes(column))
    const values = others.map((column) => `${column} = excluded.${column}`).join(', ')
    const conflict = `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${values}`
    return database.prepare(`INSERT ${intoTable(table, columns)} ${conflict} RETURNING rowid`).pluck()
  })
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

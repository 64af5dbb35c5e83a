import type { Answer, Session } from './session.ts'
import { name, part, type Inserted, type SqlPart, type SqlValue } from './sql-part.ts'
import { COLUMNS, type Table } from '../tables.ts'

type Template<Result> = (source: TemplateStringsArray, ...given: Inserted[]) => Promise<Result>

/** A row by its columns. */
export type Row = Readonly<Record<string, Exclude<SqlValue, readonly unknown[]>>>

/**
 * Statements of one transaction, as templates. They run in the order in which they are given: what is asked together
 * (`Promise.all`) takes one way to the server and back.
 *
 * @example
 * const scopes = await sql.all<{ scope: number }>`SELECT scope FROM scopes WHERE owner = ${owner}`
 */
export class Sql {
  readonly #session: Session
  readonly #sent: Promise<unknown>[] = []
  #failure: unknown = null
  #isEnded = false

  constructor(session: Session) {
    this.#session = session
  }

  all<Result>(source: TemplateStringsArray, ...given: Inserted[]): Promise<Result[]> {
    return this.#ask(part(source, ...given), asObjects<Result>)
  }

  get<Result>(source: TemplateStringsArray, ...given: Inserted[]): Promise<Result | undefined> {
    return this.#ask(part(source, ...given), (answer) => asObjects<Result>(answer)[0])
  }

  /** Rows as arrays. */
  cells<Result>(source: TemplateStringsArray, ...given: Inserted[]): Promise<Result[]> {
    return this.#ask(part(source, ...given), ({ rows }) => rows as Result[])
  }

  /** The first column of the first row. */
  value<Result>(source: TemplateStringsArray, ...given: Inserted[]): Promise<Result | undefined> {
    return this.#ask(part(source, ...given), ({ rows }) => rows[0]?.[0] as Result | undefined)
  }

  /** How many rows it changed. */
  readonly run: Template<number> = (source, ...given) =>
    this.#ask(part(source, ...given), ({ count }) => count)

  /** A change whose answer nobody needs: the commit waits for it, and does not happen when it fails. */
  send(source: TemplateStringsArray, ...given: Inserted[]): void {
    this.#send(part(source, ...given))
  }

  /** The same, where the first column of the first row is taken note of when it comes: before the commit is told as done. */
  note(take: (value: unknown) => void): (source: TemplateStringsArray, ...given: Inserted[]) => void {
    return (source, ...given) => {
      const noted = this.#give(part(source, ...given)).then(({ rows }) => take(rows[0]?.[0]))
      noted.catch(() => {})
      this.#sent.push(noted)
    }
  }

  /** Adds rows, all of which have the columns of the first. `after` is what follows, such as `ON CONFLICT …`. */
  insert(table: Table, rows: readonly Row[], after: SqlPart = name('')): void {
    const [first] = rows
    if (first === undefined) return
    const columns = Object.keys(first)
    const values = columns.map(
      (column) => `r.${column}${isListOf(table, column) ? `::${typeOf(table, column)}` : ''}`,
    )
    this.#send(part`INSERT INTO ${name(table)} (${name(columns.join(', '))})
      SELECT ${name(values.join(', '))} FROM ${rowsOf(table, columns, rows)} ${after}`)
  }

  /** What made the transaction fail: of several statements that were given together the first; the others only say that one did. */
  get failure(): unknown {
    return this.#failure
  }

  /** Waits for what was sent. */
  async settle(): Promise<void> {
    await Promise.all(this.#sent)
  }

  /** Nothing can be asked any more: the transaction's end is on its way. */
  end(): void {
    this.#isEnded = true
  }

  #send(statement: SqlPart): void {
    this.#sent.push(this.#give(statement))
  }

  async #ask<Result>(statement: SqlPart, read: (answer: Answer) => Result): Promise<Result> {
    return read(await this.#give(statement))
  }

  /** Answers come in order, and failures are noted before anybody who waits hears of one. */
  #give(statement: SqlPart): Promise<Answer> {
    if (this.#isEnded)
      return Promise.reject(new Error('this reads on after its first answers: it needs Transactions.readOn'))
    const given = this.#session.ask(statement)
    given.catch((error: unknown) => (this.#failure ??= error))
    return given
  }
}

/** Asks for what has one of these ids; nothing where there are none. */
export function among<Result>(
  ids: readonly string[],
  ask: (ids: readonly string[]) => Promise<Result[]>,
): Promise<Result[]> {
  return ids.length === 0 ? Promise.resolve([]) : ask(ids)
}

/**
 * Rows as a table `r` to be selected from: a list a column, so that the statement's text is the same however many there are. A column that
 * is a list itself is bound as its text.
 */
export function rowsOf(table: Table, columns: readonly string[], rows: readonly Row[]): SqlPart {
  const bound = columns.map((column) => {
    const values = rows.map((row) => row[column] ?? null)
    return part`${values}::${name(isListOf(table, column) ? 'text' : typeOf(table, column))}[]`
  })
  return part`unnest(${joined(bound)}) AS r (${name(columns.join(', '))})`
}

function typeOf(table: Table, column: string): string {
  const types: Readonly<Record<string, string>> = COLUMNS[table]
  const type = types[column]
  if (type === undefined) throw new Error(`the table ${table} has no column ${column}`)
  return type
}

function isListOf(table: Table, column: string): boolean {
  return typeOf(table, column).endsWith('[]')
}

function joined(parts: readonly SqlPart[]): SqlPart {
  return parts.reduce((said, one) => part`${said}, ${one}`)
}

export function asObjects<Result>({ rows, columns }: Answer): Result[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])) as Result)
}

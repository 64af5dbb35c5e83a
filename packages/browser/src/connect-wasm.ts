import initSqlite, { type BindableValue, type Sqlite3Static } from '@sqlite.org/sqlite-wasm'

type Row = Record<string, unknown>

/** Loads SQLite, which writes to the console otherwise what it throws, and that it has no files. */
export async function loadSqlite(): Promise<Sqlite3Static> {
  const quiet = (): void => undefined
  Object.assign(globalThis, { sqlite3ApiConfig: { warn: quiet, error: quiet } })
  return initSqlite()
}

/** A database in memory, as `better-sqlite3` has it: as much of that as the SQLite store uses. */
export function connectWasm(sqlite: Sqlite3Static) {
  const { capi } = sqlite
  const db = new sqlite.oo1.DB(':memory:', 'c')
  /** Gives what SQLite throws the code that the store knows it by. */
  const coded = <Result>(work: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      if (error instanceof sqlite.SQLite3Error)
        throw Object.assign(error, { code: capi.sqlite3_js_rc_str(error.resultCode) })
      throw error
    }
  }
  return {
    name: ':memory:',
    memory: true,
    get open(): boolean {
      return db.isOpen()
    },
    get inTransaction(): boolean {
      return capi.sqlite3_get_autocommit(db) === 0
    },
    prepare(source: string) {
      const statement = coded(() => db.prepare(source))
      let isPlucked = false
      const step = (values: readonly BindableValue[]): unknown[] => {
        if (values.length > 0) statement.bind(values)
        try {
          const found: unknown[] = []
          while (statement.step()) found.push(isPlucked ? statement.get(0) : statement.get({}))
          return found
        } finally {
          // Throws again what the statement threw.
          statement.reset(true)
        }
      }
      /** Values are given one by one, or as one list. */
      const rows = (given: readonly unknown[]): unknown[] =>
        coded(() => step((Array.isArray(given[0]) ? given[0] : given) as BindableValue[]))
      const prepared = {
        reader: statement.columnCount > 0,
        pluck() {
          isPlucked = true
          return prepared
        },
        all: (...values: unknown[]) => rows(values),
        get: (...values: unknown[]) => rows(values)[0],
        iterate: (...values: unknown[]) => rows(values)[Symbol.iterator](),
        run(...values: unknown[]) {
          rows(values)
          return { changes: db.changes(), lastInsertRowid: Number(capi.sqlite3_last_insert_rowid(db)) }
        },
      }
      return prepared
    },
    pragma(source: string, { simple = false } = {}) {
      const rows = db.exec({ sql: `PRAGMA ${source}`, rowMode: 'object', returnValue: 'resultRows' }) as Row[]
      return simple ? Object.values(rows[0] ?? {})[0] : rows
    },
    exec: (source: string) => void coded(() => db.exec(source)),
    close: () => db.close(),
  }
}

// Opens SQLite as WebAssembly with the interface of `better-sqlite3`.
import initSqlite, { type BindableValue, type Sqlite3Static } from '@sqlite.org/sqlite-wasm'

type Row = Record<string, unknown>

/** Loads SQLite. Turns off its console messages, which repeat thrown errors and warn that a page has no files. */
export async function loadSqlite(): Promise<Sqlite3Static> {
  const quiet = (): void => undefined
  Object.assign(globalThis, { sqlite3ApiConfig: { warn: quiet, error: quiet } })
  return initSqlite()
}

/** Opens a database in memory with the part of `better-sqlite3`'s interface that the SQLite store uses. */
export function connectWasm(sqlite: Sqlite3Static) {
  const { capi } = sqlite
  const db = new sqlite.oo1.DB(':memory:', 'c')
  /** Adds to SQLite's errors the `code` by which the store recognises them. */
  const withErrorCode = <Result>(work: () => Result): Result => {
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
      const statement = withErrorCode(() => db.prepare(source))
      let isPlucked = false
      const step = (values: readonly BindableValue[]): unknown[] => {
        if (values.length > 0) statement.bind(values)
        try {
          const results: unknown[] = []
          while (statement.step()) results.push(isPlucked ? statement.get(0) : statement.get({}))
          return results
        } finally {
          // Resets without throwing the statement's error again.
          statement.reset(true)
        }
      }
      /** Runs the statement. A caller passes the values separately or as one list. */
      const rows = (args: readonly unknown[]): unknown[] =>
        withErrorCode(() => step((Array.isArray(args[0]) ? args[0] : args) as BindableValue[]))
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
    exec: (source: string) => void withErrorCode(() => db.exec(source)),
    close: () => db.close(),
  }
}

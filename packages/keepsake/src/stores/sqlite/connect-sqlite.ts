/**
 * A connection as `better-sqlite3` makes it. That package has no types of its own, and whoever uses this library need not install
 * any.
 */
export interface SqliteConnection {
  prepare(source: string): unknown
  exec(source: string): unknown
  pragma(source: string): unknown
  transaction(work: (...given: never[]) => unknown): unknown
  close(): unknown
}

/**
 * Opens a SQLite file. What it gives has to work as a connection of `better-sqlite3` does, as those of drop-ins do that encrypt the
 * file.
 */
export type ConnectSqlite = (
  path: string,
  options: { readonly readonly: boolean; readonly fileMustExist: boolean; readonly timeout: number },
) => SqliteConnection

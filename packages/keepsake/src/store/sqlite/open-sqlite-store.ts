import { makeSqlStore } from '../sql/sql-store.ts'
import { backUp } from './back-up.ts'
import { openConnection, PATIENCE_MS } from './open-connection.ts'
import { SqliteDatabase } from './sqlite-database.ts'
import type { OpenSqliteStoreOptions, SqliteStore } from './sqlite-store.ts'

/**
 * Opens a store in a SQLite file, creating or migrating it.
 *
 * @throws StoreError `store-schema` for a file of a newer Keepsake or another program, `store-corrupt` for a damaged one,
 * `store-read-only`, `store-busy`, `store-full` or `store-failed`; the message says what to do.
 * @example
 * const store = await openSqliteStore({ path: 'memory.db' })
 * const scope = await store.ensureScope({ tenant: 'default', user: 'ada', agent: null, app: null })
 */
export async function openSqliteStore(options: OpenSqliteStoreOptions): Promise<SqliteStore> {
  const { synchronous = 'full', busyTimeoutMs = PATIENCE_MS, readOnly = false, now = Date.now } = options
  const connection = await openConnection(options)
  const database = new SqliteDatabase(connection, { now, busyTimeoutMs, readOnly, synchronous })
  const store = makeSqlStore(database)
  const backups = backUp({ connection, store, now, isPlain: options.connect === undefined })
  return { ...store, revision: (userId) => database.readRevision(userId), ...backups }
}

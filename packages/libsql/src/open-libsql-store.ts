// Opens stores in libSQL, and migrates their tables.
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@libsql/client'
import { StoreError } from 'keepsake'
import {
  isSqliteBusy,
  makeSqlStore,
  requireSqliteSchema,
  SQLITE_APPLICATION_ID,
  SQLITE_MIGRATIONS,
  SQLITE_SCHEMA_VERSION,
  type Store,
} from 'keepsake/store'
import { CompiledQuery, sql, type Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { LibsqlDatabase, translateError } from './libsql-database.ts'

/** Delay between two attempts while another process writes. */
const BUSY_RETRY_MS = 5

/** Options of `openLibsqlStore()`. */
export interface OpenLibsqlStoreOptions {
  /** `file:memory.db`, `libsql://…` of Turso, or `http://…` of a server. */
  readonly url: string
  /** The token of a server. */
  readonly authToken?: string
  /** Refuses a database that holds no memory yet, instead of creating its tables. */
  readonly mustExist?: boolean
  /** How long a call waits for another process's write, in milliseconds. 5,000 by default. */
  readonly busyTimeoutMs?: number
}

/**
 * Opens a store in libSQL, creating or migrating its tables. A file is one that `openSqliteStore` opens too.
 *
 * @throws StoreError `store-schema` for tables of a newer Keepsake or another program, `store-busy` when a server cannot be
 * reached, else as `openSqliteStore`; the message says what to do.
 * @example
 * import { openMemory } from 'keepsake'
 * import { openLibsqlStore } from '@keepsake/libsql'
 * const store = await openLibsqlStore({ url: 'file:memory.db' })
 * const keepsake = await openMemory({ store })
 */
export async function openLibsqlStore(options: OpenLibsqlStoreOptions): Promise<Store> {
  const { url, authToken, mustExist = false, busyTimeoutMs = 5_000 } = options
  const isLocal = url.startsWith('file:')
  const name = url.replace(/\?.*/, '')
  const path = isLocal ? decodeURIComponent(name.replace(/^file:(\/\/(localhost)?)?/, '')) : null
  let database: LibsqlDatabase | null = null
  try {
    // Creates the file here, since SQLite would let every account on the machine read it.
    if (path !== null && path !== ':memory:') await (await open(path, mustExist ? 'r' : 'a', 0o600)).close()
    const client = createClient({
      url,
      ...(authToken === undefined ? {} : { authToken }),
      // No timeout: SQLite's own waiting would block the whole process, so calls wait with a timer.
      ...(isLocal ? { concurrency: 1, timeout: 0 } : {}),
    })
    database = new LibsqlDatabase(client, { name, isLocal, busyTimeoutMs })
    await prepare(database, { isLocal, mustExist, busyTimeoutMs })
    return makeSqlStore(database)
  } catch (error) {
    await database?.kysely.destroy()
    throw translateError(error, name)
  }
}

interface Preparation {
  readonly isLocal: boolean
  readonly mustExist: boolean
  readonly busyTimeoutMs: number
}

/** Migrates the tables. Waits while another process writes or migrates. */
async function prepare(database: LibsqlDatabase, preparation: Preparation): Promise<void> {
  const deadline = performance.now() + preparation.busyTimeoutMs
  for (;;) {
    try {
      await database.kysely
        .connection()
        .execute((db) => migrate(db as unknown as Kysely<unknown>, database.name, preparation))
      return
    } catch (error) {
      if (!isSqliteBusy(error) || performance.now() > deadline) throw error
      await sleep(BUSY_RETRY_MS)
    }
  }
}

async function migrate(db: Kysely<unknown>, name: string, preparation: Preparation): Promise<void> {
  const { isLocal, mustExist } = preparation
  const run = (statement: string) => db.executeQuery(CompiledQuery.raw(statement))
  const version = await readVersion(db, name, isLocal)
  if (version === SQLITE_SCHEMA_VERSION) return
  if (version === 0 && mustExist)
    throw new StoreError('store-schema', `${name} holds no memory yet. A command that writes creates it.`)
  await run('begin immediate')
  try {
    // Another process may have migrated the tables before this one got the lock.
    if ((await readVersion(db, name, isLocal)) !== SQLITE_SCHEMA_VERSION) {
      const provider = { getMigrations: () => Promise.resolve(SQLITE_MIGRATIONS) }
      const { error } = await new Migrator({ db, provider }).migrateToLatest()
      if (error instanceof Error) throw error
      if (isLocal) await run(`PRAGMA application_id = ${SQLITE_APPLICATION_ID}`)
      await run(`PRAGMA user_version = ${SQLITE_SCHEMA_VERSION}`)
    }
    await run('commit')
  } catch (error) {
    await run('rollback').catch(() => undefined)
    throw error
  }
}

/** Reads the schema version; 0 without tables. A server has no application id, so Keepsake's tables are recognised by their names. */
async function readVersion(db: Kysely<unknown>, name: string, isLocal: boolean): Promise<number> {
  const { rows } = await sql<{ version: number; application: number; tables: number; own: number }>`SELECT
      (SELECT user_version FROM pragma_user_version()) AS version,
      (SELECT application_id FROM pragma_application_id()) AS application,
      (SELECT count(*) FROM sqlite_schema) AS tables,
      (SELECT count(*) FROM sqlite_schema WHERE name IN ('erasures', 'kysely_migration')) AS own`.execute(db)
  const { version, application, tables, own } = rows[0] ?? { version: 0, application: 0, tables: 0, own: 0 }
  const hasBothTables = own === 2
  const isOwn = isLocal ? application === SQLITE_APPLICATION_ID : hasBothTables
  requireSqliteSchema({ isOwn, isEmpty: application === 0 && tables === 0, version }, name)
  return version
}

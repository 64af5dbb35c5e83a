// Opens stores in Postgres and PGlite.
import type { PGlite } from '@electric-sql/pglite'
import { InvalidInputError } from 'keepsake'
import { type Store, makeSqlStore } from 'keepsake/store'
import { requireSchemaName } from './schema-name.ts'
import { connectPglite, connectServer } from './connections.ts'
import { openDatabase, type DatabaseOptions, type Purge } from './postgres-database.ts'

/** The schema of the tables, and how they are stored. */
export interface PostgresLayoutOptions {
  /** The schema of the database that holds the tables, created when missing. `keepsake` by default. */
  readonly schema?: string
  /** Partitions of each large table by a hash of the user, 0 (default) to 1,024. It applies only to a new schema. */
  readonly partitions?: number
  /** How an erasure frees rows: `vacuum` (default) for reuse, `rewrite` rewrites files and locks each table meanwhile. */
  readonly purge?: Purge
  /** Milliseconds that a write waits for another one of the same user, before it fails with `store-busy`. 30,000 by default. */
  readonly lockTimeoutMs?: number
}

export interface OpenPostgresStoreOptions extends PostgresLayoutOptions {
  /** `postgres://user:password@host:port/database`, with the options that `pg` takes. */
  readonly connectionString: string
  /** Whether to fail when the database has no tables of Keepsake, instead of creating them. */
  readonly mustExist?: boolean
  /** Maximum connections, besides the one that listens for notifications. 10 by default. */
  readonly connections?: number
  /** Milliseconds that a call waits for an unreachable or starting server. 5,000 by default. */
  readonly patienceMs?: number
  /** Whether to use prepared statements (the default). Use `false` behind a pooler in transaction mode. */
  readonly prepare?: boolean
}

/**
 * Opens a store in Postgres (14 or newer), creating or migrating its schema. Any number of processes may have it open.
 *
 * @throws StoreError `store-schema` for a schema of a newer Keepsake or another program, `store-busy` when the server cannot be
 * reached, `store-read-only`, `store-full` or `store-failed`; the message says what to do.
 * @example
 * import { openMemory } from 'keepsake'
 * import { openPostgresStore } from '@keepsake/postgres'
 * const store = await openPostgresStore({ connectionString: 'postgres://localhost/memories' })
 * const keepsake = await openMemory({ store })
 */
export async function openPostgresStore(options: OpenPostgresStoreOptions): Promise<Store> {
  const {
    connectionString,
    connections = 10,
    patienceMs = 5_000,
    prepare = true,
    mustExist = false,
  } = options
  const settings = { ...readSettings(options), mustExist }
  const server = connectServer({ connectionString, connections, patienceMs, prepare })
  return makeSqlStore(await openDatabase(server, settings))
}

export interface OpenPgliteStoreOptions extends PostgresLayoutOptions {
  /** An open database of `@electric-sql/pglite`. Closing the store leaves it open. */
  readonly database: PGlite
}

/**
 * Opens a store in PGlite, which is Postgres in this process: for tests, and where there is no server.
 *
 * @example
 * import { PGlite } from '@electric-sql/pglite'
 * const store = await openPgliteStore({ database: await PGlite.create() })
 */
export async function openPgliteStore(options: OpenPgliteStoreOptions): Promise<Store> {
  const database = await openDatabase(connectPglite(options.database), readSettings(options))
  return makeSqlStore(database)
}

/** Checks the options, because the schema's name and the number of partitions become part of SQL statements. */
function readSettings(options: PostgresLayoutOptions): DatabaseOptions {
  const { schema = 'keepsake', partitions = 0, purge = 'vacuum', lockTimeoutMs = 30_000 } = options
  requireSchemaName(schema)
  if (!Number.isInteger(partitions) || partitions < 0 || partitions > 1_024)
    throw new InvalidInputError(`partitions must be a whole number from 0 to 1,024, but it is ${partitions}.`)
  if (!Number.isInteger(lockTimeoutMs) || lockTimeoutMs < 1)
    throw new InvalidInputError(`lockTimeoutMs must be a whole number from 1, but it is ${lockTimeoutMs}.`)
  return { schema, partitions, purge, lockTimeoutMs, mustExist: false }
}

import type { PGlite } from '@electric-sql/pglite'
import { InvalidInputError, type Store } from 'keepsake/store-kit'
import { PgSessions } from './connection/pg-sessions.ts'
import { PgliteSessions } from './connection/pglite-sessions.ts'
import { makePostgresStore, type PostgresStoreOptions } from './postgres-store.ts'
import { requireSchemaName } from './schema-name.ts'
import type { Scrub } from './scrub-rows.ts'

export interface PostgresLayoutOptions {
  /** The schema of the database that holds the tables, made when missing. `keepsake` by default. */
  readonly schema?: string
  /**
   * Into how many parts each table of a new schema is divided, by a hash of the person: 0 (the default) for tables in one piece, up to
   * 1,024. A schema that is there stays as it was made.
   */
  readonly partitions?: number
  /**
   * What an erasure does to the tables' files before its receipt says that it is done. `vacuum` (the default): nothing that
   * Postgres offers reads the rows any more, and their room is used again. `rewrite`: their files are written afresh, which locks each
   * table (or part) for as long as that takes.
   */
  readonly scrub?: Scrub
  /** How long a write waits for another of the same person's, in milliseconds, before it is `store-busy`. 30,000 by default. */
  readonly lockTimeoutMs?: number
  /**
   * Whether people who are too large for a cache are answered from candidates, which takes the extension "vector" (pgvector). `true` turns
   * that on for the schema, once and for every process, and refuses a server without it; `false` leaves it unused here. When absent it is used
   * where it was turned on.
   */
  readonly candidates?: boolean
}

export interface OpenPostgresStoreOptions extends PostgresLayoutOptions {
  /** `postgres://user:password@host:port/database`, with whatever options `pg` takes. */
  readonly connectionString: string
  /** Refuse a database that holds no memory yet, instead of making its tables. */
  readonly mustExist?: boolean
  /** Connections at most, besides the one that listens. 10 by default. */
  readonly connections?: number
  /** How long a call waits for a server that is starting or out of reach, in milliseconds. 5,000 by default. */
  readonly patienceMs?: number
  /** Whether statements are parsed once a connection (the default). Not behind a pooler that hands each transaction another connection. */
  readonly prepare?: boolean
}

/**
 * Opens a store in Postgres (14 or newer): makes or upgrades its schema, and finishes erasures that were under way. Any number of
 * processes may have it open.
 *
 * @throws StoreError `store-schema` for a schema made by a newer Keepsake or another program, `store-busy` when the
 * server cannot be reached, `store-read-only`, `store-full` or `store-failed`; the message says what to do.
 * @example
 * import { openMemory } from 'keepsake'
 * import { openPostgresStore } from '@keepsake/postgres'
 * const store = await openPostgresStore({ connectionString: 'postgres://localhost/memories' })
 * const keepsake = await openMemory({ store })
 */
export async function openPostgresStore(options: OpenPostgresStoreOptions): Promise<Store> {
  const { connectionString, connections = 10, patienceMs = 5_000, prepare = true } = options
  const settings = { ...readSettings(options), mustExist: options.mustExist === true }
  return makePostgresStore(new PgSessions({ connectionString, connections, patienceMs, prepare }), settings)
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
  const settings = readSettings(options)
  return makePostgresStore(new PgliteSessions(options.database), settings)
}

/** The schema's name and the partitions stand in statements' texts. */
function readSettings({
  schema = 'keepsake',
  partitions = 0,
  scrub = 'vacuum',
  lockTimeoutMs = 30_000,
  candidates,
}: PostgresLayoutOptions): PostgresStoreOptions {
  requireSchemaName(schema)
  if (!Number.isInteger(partitions) || partitions < 0 || partitions > 1_024)
    throw new InvalidInputError(`partitions must be a whole number from 0 to 1,024, but it is ${partitions}.`)
  if (!Number.isInteger(lockTimeoutMs) || lockTimeoutMs < 1)
    throw new InvalidInputError(`lockTimeoutMs must be a whole number from 1, but it is ${lockTimeoutMs}.`)
  return { schema, partitions, scrub, lockTimeoutMs, candidates, mustExist: false }
}

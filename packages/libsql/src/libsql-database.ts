// Implements the engine's interface of an SQL database for libSQL.
import { LibsqlError, type Client } from '@libsql/client'
import { StoreError } from 'keepsake'
import {
  isSqliteBusy,
  makeHolder,
  SQLITE_SCHEMA_VERSION,
  stateOfHolder,
  translateSqliteError,
  type SqlDatabase,
  type Tables,
  type Wall,
  type Access,
} from 'keepsake/store'
import { Kysely, sql } from 'kysely'
import { libsqlDialect } from './libsql-dialect.ts'

/** Maximum wait between two attempts while another process writes, in milliseconds. */
const MAX_WAIT_MS = 20

/** Maximum attempts of a transaction whose connection was lost. */
const MAX_ATTEMPTS_AFTER_LOSS = 2
/** Wait before such an attempt, in milliseconds. */
const RECONNECT_WAIT_MS = 5

export interface LibsqlDatabaseOptions {
  /** The address without secrets. */
  readonly name: string
  readonly isLocal: boolean
  readonly busyTimeoutMs: number
}

/** A libSQL database that `@libsql/client` opens: a file or a server. */
export class LibsqlDatabase implements SqlDatabase {
  readonly name: string
  readonly kysely: Kysely<Tables>
  readonly schemaVersion = SQLITE_SCHEMA_VERSION
  readonly isReadOnly = false
  readonly hasRowLocks = false
  /** Absent on a server, which accepts neither `VACUUM` nor a checkpoint from a client. */
  readonly purge?: () => Promise<boolean>
  readonly #holder = makeHolder()
  readonly #options: LibsqlDatabaseOptions

  constructor(client: Client, options: LibsqlDatabaseOptions) {
    this.name = options.name
    this.kysely = new Kysely({ dialect: libsqlDialect(client, options.isLocal) })
    this.#options = options
    if (options.isLocal) this.purge = () => this.#compact()
  }

  get holder(): string {
    return this.#holder.name
  }

  begin(_wall: Wall, access: Access): string {
    return access === 'read' ? 'begin' : 'begin immediate'
  }

  /** SQLite has no row-level security, so there is no user to set. */
  enter(): null {
    return null
  }

  /** Uses the database's clock, because clocks of machines differ. */
  async now(db: Kysely<Tables>): Promise<number> {
    const { rows } = await sql<{
      now: number
    }>`SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now`.execute(db)
    return rows[0]?.now ?? Date.now()
  }

  isGone(holder: string): boolean {
    return stateOfHolder(holder) === 'dead'
  }

  retryAfterMs(error: unknown, tries: number, isUndone: boolean): number | null {
    if (isUndone && isConnectionLost(error)) return tries < MAX_ATTEMPTS_AFTER_LOSS ? RECONNECT_WAIT_MS : null
    const isTimedOut = tries * MAX_WAIT_MS >= this.#options.busyTimeoutMs
    return isSqliteBusy(error) && !isTimedOut ? Math.min(MAX_WAIT_MS, tries + 1) : null
  }

  translateError(error: unknown): Error {
    return translateError(error, this.name)
  }

  /** Rewrites every page, copies the journal into the file and truncates it, as the SQLite store does. */
  async #compact(): Promise<boolean> {
    try {
      await sql`VACUUM`.execute(this.kysely)
      const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(this.kysely)
      return rows[0]?.busy === 0
    } catch (error) {
      if (isSqliteBusy(error)) return false
      throw this.translateError(error)
    }
  }

  async measure(): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`SELECT page_count * page_size AS bytes
      FROM pragma_page_count(), pragma_page_size()`.execute(this.kysely)
    return rows[0]?.bytes ?? 0
  }

  announce(): void {
    // Other processes find changes by polling.
  }

  watch(): () => void {
    return () => undefined
  }

  async close(): Promise<void> {
    await this.kysely
      .deleteFrom('claims')
      .where('holder', '=', this.#holder.name)
      .execute()
      // Otherwise the claims end when their lease expires.
      .catch(() => undefined)
    this.#holder.release()
    await this.kysely.destroy()
  }
}

/** Error codes of the client if no server answered or the answer was lost. */
const LOST_CODES = new Set(['HRANA_CLOSED_ERROR', 'SERVER_ERROR', 'STREAM_EXPIRED', 'TRANSACTION_CLOSED'])

function isConnectionLost(error: unknown): error is Error {
  if (error instanceof TypeError) return error.message === 'fetch failed'
  return error instanceof LibsqlError && LOST_CODES.has(error.code) && !isTokenRefused(error)
}

/** Whether the server refused the token. */
function isTokenRefused(error: unknown): error is Error {
  const cause = error instanceof LibsqlError ? error.cause : undefined
  return cause instanceof Error && 'status' in cause && (cause.status === 401 || cause.status === 403)
}

/** Translates errors of the network; passes others to the SQLite store's translation. */
export function translateError(error: unknown, name: string): Error {
  const details = { database: name }
  if (isTokenRefused(error))
    return new StoreError('store-failed', `The server of ${name} refused the token. Check authToken.`, {
      cause: error,
      details,
    })
  if (isConnectionLost(error))
    return new StoreError(
      'store-busy',
      `The server of ${name} did not answer. What was being written is there whole or not at all. Try again; if it stays so, check that it runs and its address.`,
      { cause: error, details },
    )
  return translateSqliteError(error, name)
}

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

/** Longest wait between two tries while another process writes, in milliseconds. */
const LONGEST_WAIT_MS = 20

/** Tries of a transaction whose connection was cut. */
const MOST_TRIES_OF_A_CUT = 2

export interface LibsqlDatabaseOptions {
  /** The address without what is secret in it. */
  readonly name: string
  readonly isLocal: boolean
  readonly busyTimeoutMs: number
}

/** libSQL by `@libsql/client`: a file in this process, or a server. */
export class LibsqlDatabase implements SqlDatabase {
  readonly name: string
  readonly kysely: Kysely<Tables>
  readonly schemaVersion = SQLITE_SCHEMA_VERSION
  readonly isReadOnly = false
  readonly hasRowLocks = false
  /** Absent on a server, which takes neither `VACUUM` nor a checkpoint from a client. */
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

  enter(): null {
    return null
  }

  /** The database's: machines' clocks differ. */
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
    if (isUndone && isCut(error)) return tries < MOST_TRIES_OF_A_CUT ? 5 : null
    const wait = Math.min(LONGEST_WAIT_MS, tries + 1)
    return isSqliteBusy(error) && tries * LONGEST_WAIT_MS < this.#options.busyTimeoutMs ? wait : null
  }

  translateError(error: unknown): Error {
    return translateError(error, this.name)
  }

  /** As the SQLite store does it: every page is rewritten, and the journal is copied into the file and cut to nothing. */
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
    // Processes that share a database poll it.
  }

  watch(): () => void {
    return () => undefined
  }

  async close(): Promise<void> {
    await this.kysely
      .deleteFrom('claims')
      .where('holder', '=', this.#holder.name)
      .execute()
      // The claims end with their lease.
      .catch(() => undefined)
    this.#holder.release()
    await this.kysely.destroy()
  }
}

/** Codes of the client where no server answered, or the answer was lost. */
const CUT = new Set(['HRANA_CLOSED_ERROR', 'SERVER_ERROR', 'STREAM_EXPIRED', 'TRANSACTION_CLOSED'])

function isCut(error: unknown): error is Error {
  if (error instanceof TypeError) return error.message === 'fetch failed'
  return error instanceof LibsqlError && CUT.has(error.code) && !isRefused(error)
}

/** Whether the server did not let this token in. */
function isRefused(error: unknown): error is Error {
  const cause = error instanceof LibsqlError ? error.cause : undefined
  return cause instanceof Error && 'status' in cause && (cause.status === 401 || cause.status === 403)
}

/** As the SQLite store translates; what a network adds has words of its own. */
export function translateError(error: unknown, name: string): Error {
  const details = { database: name }
  if (isRefused(error))
    return new StoreError('store-failed', `The server of ${name} refused the token. Check authToken.`, {
      cause: error,
      details,
    })
  if (isCut(error))
    return new StoreError(
      'store-busy',
      `The server of ${name} did not answer. What was being written is there whole or not at all. Try again; if it stays so, check that it runs and its address.`,
      { cause: error, details },
    )
  return translateSqliteError(error, name)
}

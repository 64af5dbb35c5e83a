// Connects Kysely to `better-sqlite3`. All transactions run one after another on one connection.
import { statSync } from 'node:fs'
import type { Database, Statement } from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { ClosedError, NotFoundError } from '../../errors/errors.ts'
import { makeHolder, stateOfHolder } from '../process-holder.ts'
import type { Access, SqlDatabase, Wall } from '../sql/sql-database.ts'
import type { Tables } from '../sql/tables.ts'
import { SCHEMA_VERSION } from './migrations.ts'
import { isBusy, translateError } from './translate-error.ts'

export interface SqliteDatabaseOptions {
  readonly name: string
  readonly now: () => number
  readonly busyTimeoutMs: number
  readonly readOnly: boolean
  readonly synchronous: 'full' | 'normal'
}

/** A larger file is not compacted while a caller waits, since SQLite takes about a second for 100 MB. */
const LARGE_BYTES = 32 * 1024 * 1024
/** Maximum delay between two tries while another process writes. */
const MAX_RETRY_DELAY_MS = 20
/** Maximum number of cached statements. Only lists of many lengths need more. */
const MAX_STATEMENTS = 1_000

/** A SQLite file, opened by `better-sqlite3`. Several processes may open the same file. */
export class SqliteDatabase implements SqlDatabase {
  readonly name: string
  readonly kysely: Kysely<Tables>
  readonly schemaVersion = SCHEMA_VERSION
  readonly hasRowLocks = false
  readonly isReadOnly: boolean
  readonly holder: string
  readonly #holder = makeHolder()
  readonly #connection: Database
  readonly #options: SqliteDatabaseOptions
  readonly #revision: Statement<[number], { revision: number }>

  constructor(connection: Database, options: SqliteDatabaseOptions) {
    this.name = options.name
    this.isReadOnly = options.readOnly
    this.holder = this.#holder.name
    this.#connection = connection
    this.#options = options
    this.#revision = connection.prepare('SELECT revision FROM users WHERE user_id = ?')
    const database = { prepare: cachedPrepare(connection), close: () => void connection.close() }
    this.kysely = new Kysely({ dialect: new SqliteDialect({ database }) })
  }

  /** Reads a user's revision without a transaction, since every recall reads it. */
  async readRevision(userId: number): Promise<number> {
    if (!this.#connection.open) throw new ClosedError()
    let row: { readonly revision: number } | undefined
    try {
      row = this.#revision.get(userId)
    } catch (error) {
      throw translateError(error, this.name)
    }
    if (row === undefined) throw new NotFoundError('scope', String(userId))
    return row.revision
  }

  /** Returns the statement that begins a transaction. A file has no row-level security, so the wall does not matter. */
  begin(_wall: Wall, access: Access): string {
    if (access === 'read') return 'begin'
    // In WAL mode a commit at "normal" does not wait for the disk. The next commit at "full" writes both.
    const synchronous = access === 'derived' ? 'normal' : this.#options.synchronous
    if (synchronous !== this.#synchronous) this.#connection.pragma(`synchronous = ${synchronous}`)
    this.#synchronous = synchronous
    return 'begin immediate'
  }

  /** The current setting of the connection. */
  #synchronous: 'full' | 'normal' | null = null

  /** A transaction sees the rows of all users anyway. */
  enter(): null {
    return null
  }

  now(): Promise<number> {
    return Promise.resolve(this.#options.now())
  }

  isGone(holder: string): boolean {
    return stateOfHolder(holder) === 'dead'
  }

  retryAfterMs(error: unknown, tries: number): number | null {
    const isTimedOut = tries * MAX_RETRY_DELAY_MS >= this.#options.busyTimeoutMs
    return isBusy(error) && !isTimedOut ? Math.min(MAX_RETRY_DELAY_MS, tries + 1) : null
  }

  translateError(error: unknown): Error {
    return translateError(error, this.name)
  }

  /** Removes erased bytes that `secure_delete` misses, such as copies in split pages: rewrites the file, and empties the journal. */
  purge(isUrgent: boolean): Promise<boolean> {
    const connection = this.#connection
    if (connection.memory) return Promise.resolve(true)
    // Kysely runs this between the transactions of the connection.
    return this.kysely.connection().execute(() => {
      try {
        const isTooLong = isUrgent && statSync(this.name).size > LARGE_BYTES
        if (!isTooLong) connection.exec('VACUUM')
        const [result] = connection.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[]
        return Promise.resolve(result?.busy === 0 && !isTooLong)
      } catch (error) {
        if (isBusy(error)) return Promise.resolve(false)
        throw translateError(error, this.name)
      }
    })
  }

  measure(): Promise<number> {
    if (this.#connection.memory) {
      const pages = Number(this.#connection.pragma('page_count', { simple: true }))
      return Promise.resolve(pages * Number(this.#connection.pragma('page_size', { simple: true })))
    }
    const sizes = ['', '-wal'].map(
      (end) => statSync(`${this.name}${end}`, { throwIfNoEntry: false })?.size ?? 0,
    )
    return Promise.resolve(sizes.reduce((sum, size) => sum + size, 0))
  }

  announce(): void {
    // Processes that share a file poll it for changes.
  }

  /** Nothing announces changes of a file, so the listener is never called. */
  watch(): () => void {
    return () => undefined
  }

  async close(): Promise<void> {
    try {
      if (!this.#options.readOnly)
        this.#connection.prepare('DELETE FROM claims WHERE holder = ?').run(this.#holder.name)
    } catch {
      // The disk may be full. Other processes see that the holder is gone and ignore its claims.
    }
    this.#holder.release()
    await this.kysely.destroy()
    if (this.#connection.open) this.#connection.close()
  }
}

/** Returns a `prepare` that caches statements. Kysely prepares at each call, which costs more than the call itself. */
function cachedPrepare(connection: Database): (source: string) => Statement {
  const statements = new Map<string, Statement>()
  return (source) => {
    const known = statements.get(source)
    if (known !== undefined) return known
    // With a bare `?`, SQLite plans the statement again for each value. `+?` has the same value and avoids that.
    const statement = connection.prepare(source.replaceAll('?', '+?'))
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    statements.set(source, statement)
    return statement
  }
}

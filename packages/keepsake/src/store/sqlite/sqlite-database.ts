// Connects Kysely to `better-sqlite3`: one connection, with transactions in turn.
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

/** A file larger than this is not compacted while a caller waits: SQLite takes about a second for 100 MB. */
const LARGE_BYTES = 32 * 1024 * 1024
/** Longest wait between two tries while another process writes. */
const LONGEST_WAIT_MS = 20

/** SQLite by `better-sqlite3`, on one connection. Several processes may open one file. */
export class SqliteDatabase implements SqlDatabase {
  readonly name: string
  readonly kysely: Kysely<Tables>
  readonly schemaVersion = SCHEMA_VERSION
  readonly hasRowLocks = false
  readonly #holder = makeHolder()
  readonly #connection: Database
  readonly #options: SqliteDatabaseOptions
  readonly #revision: Statement<[number], { revision: number }>

  constructor(connection: Database, options: SqliteDatabaseOptions) {
    this.name = options.name
    this.#connection = connection
    this.#options = options
    this.#revision = connection.prepare('SELECT revision FROM users WHERE user_id = ?')
    const statements = new Map<string, Statement>()
    const prepare = (source: string) => {
      const known = statements.get(source)
      if (known !== undefined) return known
      // A bare parameter makes SQLite plan joins and orders again whenever a value is bound.
      const made = connection.prepare(source.replaceAll('?', '+?'))
      if (statements.size >= MOST_STATEMENTS) statements.clear()
      statements.set(source, made)
      return made
    }
    this.kysely = new Kysely({
      dialect: new SqliteDialect({
        // Kysely prepares at each call, which costs more than the call.
        database: { prepare, close: () => void connection.close() },
      }),
    })
  }

  get isReadOnly(): boolean {
    return this.#options.readOnly
  }

  get holder(): string {
    return this.#holder.name
  }

  /** Without a transaction: one indexed row, before each recall. */
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

  begin(_wall: Wall, access: Access): string {
    if (access === 'read') return 'begin'
    const needed = access === 'derived' ? 'normal' : this.#options.synchronous
    // In WAL mode a commit at "normal" does not wait for the disk; the next one at "full" takes it along.
    if (needed !== this.#stands) this.#connection.pragma(`synchronous = ${needed}`)
    this.#stands = needed
    return 'begin immediate'
  }

  #stands: 'full' | 'normal' | null = null

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
    const wait = Math.min(LONGEST_WAIT_MS, tries + 1)
    return isBusy(error) && tries * LONGEST_WAIT_MS < this.#options.busyTimeoutMs ? wait : null
  }

  translateError(error: unknown): Error {
    return translateError(error, this.name)
  }

  /**
   * Deleted content is overwritten with zeros at once, but SQLite leaves copies of cells where it splits pages: compacting the
   * file rewrites every page. The journal is then copied into the file and cut to nothing.
   */
  purge(isUrgent: boolean): Promise<boolean> {
    const connection = this.#connection
    if (connection.memory) return Promise.resolve(true)
    // In line with the transactions of this connection.
    return this.kysely.connection().execute(() => {
      try {
        const isLarge = statSync(this.name).size > LARGE_BYTES
        if (!(isLarge && isUrgent)) connection.exec('VACUUM')
        const [result] = connection.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[]
        return Promise.resolve(result?.busy === 0 && !(isLarge && isUrgent))
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
    // Processes that share a file poll it.
  }

  watch(): () => void {
    return () => undefined
  }

  async close(): Promise<void> {
    try {
      if (!this.#options.readOnly)
        this.#connection.prepare('DELETE FROM claims WHERE holder = ?').run(this.#holder.name)
    } catch {
      // On a full disk, for example. The claims end with their process.
    }
    this.#holder.release()
    await this.kysely.destroy()
    if (this.#connection.open) this.#connection.close()
  }
}

/** Statements kept: more are made only by lists of many lengths. */
const MOST_STATEMENTS = 1_000

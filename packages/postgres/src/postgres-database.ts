// Implements the engine's interface of an SQL database for Postgres.
import { setTimeout as sleep } from 'node:timers/promises'
import { USER_TABLES, makeHolder, stateOfHolder } from 'keepsake/store'
import type { Access, ChangeNote, SqlDatabase, Tables, Wall } from 'keepsake/store'
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { codeOf, isConnectionLost } from './postgres-codes.ts'
import { translateError } from './translate-error.ts'
import type { Connections } from './connections.ts'
import { openSchema, SCHEMA_VERSION, type SchemaOptions } from './create-schema.ts'
import { ChangeNotifier } from './notices.ts'

/** What an erasure does to the tables' files: `vacuum` frees the space of erased rows for reuse, `rewrite` writes new files. */
export type Purge = 'vacuum' | 'rewrite'

export interface DatabaseOptions extends SchemaOptions {
  readonly purge: Purge
  /** Maximum wait of a write for another one of the same user, in milliseconds. */
  readonly lockTimeoutMs: number
}

/** Tables with content that an erasure removes. */
const ERASED_TABLES = [...USER_TABLES, 'records']

/** Maximum attempts of a transaction that conflicts with others. */
const MAX_ATTEMPTS = 10
/** Maximum attempts of a transaction whose connection was lost. Each waits for a starting server. */
const MAX_ATTEMPTS_AFTER_LOSS = 2
/** First wait before a retry. It grows with each attempt. */
const RETRY_WAIT_MS = 5
/** First wait before the schema is opened again. It grows with each attempt. */
const CREATION_WAIT_MS = 20
/** Interval in which an erasure checks for older transactions. */
const PURGE_CHECK_MS = 50
/** Maximum wait of an erasure for older transactions, which still see the rows. */
const MAX_PURGE_WAIT_MS = 5_000

/** Creates or migrates the schema and returns the database. */
export async function openDatabase(
  connections: Connections,
  options: DatabaseOptions,
): Promise<PostgresDatabase> {
  const { name, pool } = connections
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    const role = await retryConcurrentCreation(() =>
      kysely.connection().execute((db) => openSchema(db as unknown as Kysely<unknown>, name, options)),
    )
    return new PostgresDatabase(connections, kysely, { ...options, role })
  } catch (error) {
    await kysely.destroy()
    throw translateError(error, name)
  }
}

/** Error codes of a serialization failure and of a deadlock. */
const CONFLICTS = new Set(['40001', '40P01'])
/** Error codes that appear if another process creates the same schema, tables or grants at the same time. */
const CONCURRENT_CREATION = new Set(['23505', '42P06', '42P07', '42710', 'XX000'])

/** Retries when another process creates the same schema at the same time. */
async function retryConcurrentCreation<Result>(open: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open()
    } catch (error) {
      if (tries >= MAX_ATTEMPTS || !CONCURRENT_CREATION.has(codeOf(error) ?? '')) throw error
      await sleep(CREATION_WAIT_MS * tries)
    }
  }
}

export class PostgresDatabase implements SqlDatabase {
  readonly name: string
  readonly kysely: Kysely<Tables>
  readonly schemaVersion = SCHEMA_VERSION
  readonly isReadOnly = false
  readonly hasRowLocks = true
  readonly #holder = makeHolder()
  readonly #options: DatabaseOptions & { readonly role: string | null }
  readonly #notices: ChangeNotifier
  readonly #settings: string

  constructor(
    connections: Connections,
    kysely: Kysely<Tables>,
    options: DatabaseOptions & { readonly role: string | null },
  ) {
    this.name = connections.name
    this.kysely = kysely
    this.#options = options
    const { schema, role, lockTimeoutMs } = options
    this.#notices = new ChangeNotifier(connections, kysely, { schema, sender: this.#holder.name })
    const roleSetting = role === null ? '' : `; SET LOCAL ROLE ${role}`
    this.#settings = `SET LOCAL search_path = ${schema}; SET LOCAL lock_timeout = ${lockTimeoutMs}${roleSetting}`
  }

  get holder(): string {
    return this.#holder.name
  }

  /** Returns the statement that begins a transaction with all settings. They end with the transaction, so a connection pooler may be used. */
  begin(wall: Wall, access: Access): string {
    const begin = access === 'read' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN'
    const visibleRows = typeof wall === 'number' ? this.enter(wall) : `SET LOCAL keepsake.sees = '${wall}'`
    const flushSetting = access === 'derived' ? '; SET LOCAL synchronous_commit = off' : ''
    return `${begin}; ${this.#settings}; ${visibleRows}${flushSetting}`
  }

  enter(userId: number): string {
    return `SET LOCAL keepsake.user_id = '${Math.trunc(userId)}'`
  }

  /** Uses the server's clock, because clocks of machines differ. */
  async now(db: Kysely<Tables>): Promise<number> {
    const { rows } = await db.executeQuery(NOW)
    return (rows[0] as { now: number }).now
  }

  isGone(holder: string): boolean {
    return stateOfHolder(holder) === 'dead'
  }

  retryAfterMs(error: unknown, tries: number, isUndone: boolean): number | null {
    if (isUndone && isConnectionLost(error)) return tries < MAX_ATTEMPTS_AFTER_LOSS ? RETRY_WAIT_MS : null
    const isConflict = CONFLICTS.has(codeOf(error) ?? '')
    return isConflict && tries < MAX_ATTEMPTS ? RETRY_WAIT_MS * (tries + 1) : null
  }

  translateError(error: unknown): Error {
    return translateError(error, this.name)
  }

  /** Removes erased rows from the files by VACUUM, once no older transaction can see them. */
  async purge(): Promise<boolean> {
    const { schema, purge } = this.#options
    if (!(await this.#isInvisibleToAll())) return false
    const command = purge === 'rewrite' ? 'VACUUM (FULL)' : 'VACUUM'
    for (const table of ERASED_TABLES)
      await this.kysely.executeQuery(CompiledQuery.raw(`${command} ${schema}.${table}`))
    return true
  }

  /** Waits until no other transaction can see erased rows. @returns `false` when that takes too long */
  async #isInvisibleToAll(): Promise<boolean> {
    const { rows } = await sql<{ id: string }>`SELECT pg_current_xact_id()::xid::text AS id`.execute(
      this.kysely,
    )
    const last = rows[0]?.id ?? '0'
    const deadline = performance.now() + MAX_PURGE_WAIT_MS
    for (;;) {
      const visibility = await sql<{ is_held: boolean }>`SELECT EXISTS (
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
            AND age(backend_xmin) > age(${last}::xid))
        OR EXISTS (SELECT FROM pg_replication_slots WHERE age(xmin) > age(${last}::xid))
        OR EXISTS (SELECT FROM pg_prepared_xacts WHERE database = current_database()
            AND age(transaction) > age(${last}::xid)) AS is_held`.execute(this.kysely)
      if (visibility.rows[0]?.is_held !== true) return true
      if (performance.now() > deadline) return false
      await sleep(PURGE_CHECK_MS)
    }
  }

  async measure(): Promise<number> {
    const { rows } = await sql<{
      bytes: number
    }>`SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS bytes
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = ${this.#options.schema} AND c.relkind = 'r'`.execute(this.kysely)
    return rows[0]?.bytes ?? 0
  }

  announce(note: ChangeNote): void {
    this.#notices.announce(note)
  }

  watch(listener: (note: ChangeNote | null) => void): () => void {
    return this.#notices.watch(listener)
  }

  async close(): Promise<void> {
    const { holder } = this
    const release = async (db: Kysely<Tables>): Promise<void> => {
      await db.executeQuery(CompiledQuery.raw(this.begin('users', 'derived')))
      await db.deleteFrom('claims').where('holder', '=', holder).execute()
      await db.executeQuery(CompiledQuery.raw('COMMIT'))
    }
    // If the server is unreachable, the claims end when their lease expires.
    await this.kysely
      .connection()
      .execute(release)
      .catch(() => undefined)
    await this.#notices.close()
    this.#holder.release()
    await this.kysely.destroy()
  }
}

const NOW = CompiledQuery.raw('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now')

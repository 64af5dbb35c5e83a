import { setTimeout as sleep } from 'node:timers/promises'
import { USER_TABLES, makeHolder, stateOfHolder } from 'keepsake/store'
import type { Access, ChangeNote, SqlDatabase, Tables, Wall } from 'keepsake/store'
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { codeOf, isConnectionLost } from './postgres-codes.ts'
import { translateError } from './translate-error.ts'
import type { Connections } from './connections.ts'
import { openSchema, SCHEMA_VERSION, type SchemaOptions } from './create-schema.ts'
import { Notices } from './notices.ts'

/** What an erasure does to the tables' files: makes the space of erased rows free for others, or rewrites the files. */
export type Purge = 'vacuum' | 'rewrite'

export interface DatabaseOptions extends SchemaOptions {
  readonly purge: Purge
  /** How long a write waits for another of the same user, in milliseconds. */
  readonly lockTimeoutMs: number
}

/** Tables that erasing removes content from. */
const ERASED_TABLES = [...USER_TABLES, 'records']

/** Tries of a transaction that met another one. */
const MOST_TRIES = 10
/** Tries of one whose connection was cut. Each waits for a server that starts. */
const MOST_TRIES_OF_A_CUT = 2
/** How long an erasure waits for older transactions, which still see the rows. */
const PURGE_PATIENCE_MS = 5_000

/** Opens the schema and makes the store's database of it. */
export async function openDatabase(
  connections: Connections,
  options: DatabaseOptions,
): Promise<PostgresDatabase> {
  const { name, pool } = connections
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    const role = await openTogether(() =>
      kysely.connection().execute((db) => openSchema(db as unknown as Kysely<unknown>, name, options)),
    )
    return new PostgresDatabase(connections, kysely, { ...options, role })
  } catch (error) {
    await kysely.destroy()
    throw translateError(error, name)
  }
}

/** Codes of statements that met another process's which creates the same schema, tables or grants. */
const CREATED_MEANWHILE = new Set(['23505', '42P06', '42P07', '42710', 'XX000'])

/** Opens again where another process created the same schema at the same moment. */
async function openTogether<Result>(open: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open()
    } catch (error) {
      if (tries >= MOST_TRIES || !CREATED_MEANWHILE.has(codeOf(error) ?? '')) throw error
      await sleep(20 * tries)
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
  readonly #notices: Notices
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
    this.#notices = new Notices(connections, kysely, { schema, sender: this.#holder.name })
    const underRole = role === null ? '' : `; SET LOCAL ROLE ${role}`
    this.#settings = `SET LOCAL search_path = ${schema}; SET LOCAL lock_timeout = ${lockTimeoutMs}${underRole}`
  }

  get holder(): string {
    return this.#holder.name
  }

  /** One message to the server: settings hold until the transaction ends, also behind a pooler. */
  begin(wall: Wall, access: Access): string {
    const begin = access === 'read' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN'
    const seen = typeof wall === 'number' ? this.enter(wall) : `SET LOCAL keepsake.sees = '${wall}'`
    const flush = access === 'derived' ? '; SET LOCAL synchronous_commit = off' : ''
    return `${begin}; ${this.#settings}; ${seen}${flush}`
  }

  enter(userId: number): string {
    return `SET LOCAL keepsake.user_id = '${Math.trunc(userId)}'`
  }

  /** The server's: machines' clocks differ. */
  async now(db: Kysely<Tables>): Promise<number> {
    const { rows } = await db.executeQuery(NOW)
    return (rows[0] as { now: number }).now
  }

  isGone(holder: string): boolean {
    return stateOfHolder(holder) === 'dead'
  }

  retryAfterMs(error: unknown, tries: number, isUndone: boolean): number | null {
    const code = codeOf(error)
    if (isUndone && isConnectionLost(error)) return tries < MOST_TRIES_OF_A_CUT ? 5 : null
    return (code === '40001' || code === '40P01') && tries < MOST_TRIES ? 5 * (tries + 1) : null
  }

  translateError(error: unknown): Error {
    return translateError(error, this.name)
  }

  /** Erased rows lie in the files until they are vacuumed, and cannot be while an older transaction may see them. */
  async purge(): Promise<boolean> {
    const { schema, purge } = this.#options
    if (!(await this.#isOutOfSight())) return false
    const how = purge === 'rewrite' ? 'VACUUM (FULL)' : 'VACUUM'
    for (const table of ERASED_TABLES)
      await this.kysely.executeQuery(CompiledQuery.raw(`${how} ${schema}.${table}`))
    return true
  }

  async #isOutOfSight(): Promise<boolean> {
    const { rows } = await sql<{ id: string }>`SELECT pg_current_xact_id()::xid::text AS id`.execute(
      this.kysely,
    )
    const last = rows[0]?.id ?? '0'
    const deadline = performance.now() + PURGE_PATIENCE_MS
    for (;;) {
      const held = await sql<{ is_held: boolean }>`SELECT EXISTS (
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
            AND age(backend_xmin) > age(${last}::xid))
        OR EXISTS (SELECT FROM pg_replication_slots WHERE age(xmin) > age(${last}::xid))
        OR EXISTS (SELECT FROM pg_prepared_xacts WHERE database = current_database()
            AND age(transaction) > age(${last}::xid)) AS is_held`.execute(this.kysely)
      if (held.rows[0]?.is_held !== true) return true
      if (performance.now() > deadline) return false
      await sleep(50)
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
    // Without the server the claims end with their lease.
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

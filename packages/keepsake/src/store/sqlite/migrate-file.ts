// Prepares a SQLite file and migrates it to the newest schema. Called when a file is opened.
import type { Database } from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { StoreError } from '../../errors/store-error.ts'
import { createTables, createTurns, type TableDialect } from '../sql/tables.ts'
import { adoptSchema7 } from './adopt-schema-7.ts'

/** `KEEP` in the file's header distinguishes a Keepsake file from every other program's database. */
export const APPLICATION_ID = 0x4b454550
/** In the header of a file whose schema is migrated by Kysely. Earlier versions counted to 7, and refuse it as newer. */
export const SCHEMA_VERSION = 9
/** The last schema of earlier versions: it is migrated when opened. */
const ADOPTED_VERSION = 7

/** A write of one turn touches some eight pages, and each goes to the journal whole. */
const PAGE_SIZE = 8_192

const SQLITE: TableDialect = {
  integer: 'INTEGER',
  ordering: 'TEXT',
  blob: 'BLOB',
  generated: (column) => `${column} INTEGER PRIMARY KEY`,
  key: (columns) => `UNIQUE (${columns})`,
  small: ' STRICT',
  large: ' STRICT',
  ordered: ' STRICT, WITHOUT ROWID',
  appendOnly: (table, columns) => [
    `CREATE TRIGGER ${table}_cannot_change BEFORE UPDATE OF ${columns.join(', ')} ON ${table}
      BEGIN SELECT RAISE(ABORT, 'the operation log is append-only'); END`,
    `CREATE TRIGGER ${table}_cannot_go BEFORE DELETE ON ${table}
      BEGIN SELECT RAISE(ABORT, 'the operation log is append-only'); END`,
  ],
}

/** The columns of turns, in order, with the role `agent` as `assistant`. */
const TURNS = `user_id, scope_id, position, id, session, at, CASE role WHEN 'agent' THEN 'assistant' ELSE role END,
  speaker, time_zone, text, metadata, revision`

/** By name, in order. Never edited once released. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-tables': {
    up: async (db) => {
      const old = await sql<{
        name: string
      }>`SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'owners'`.execute(db)
      const create = async (): Promise<void> => {
        for (const statement of createTables(SQLITE)) await sql.raw(statement).execute(db)
      }
      await (old.rows.length === 0 ? create() : adoptSchema7(db, create))
    },
  },
  // SQLite cannot change the constraint of a column: the table is copied.
  '0002-role-assistant': {
    up: async (db) => {
      const run = async (statement: string): Promise<void> => void (await sql.raw(statement).execute(db))
      const checked = await sql<{
        name: string
      }>`SELECT name FROM sqlite_schema WHERE name = 'turns' AND sql LIKE '%''agent''%'`.execute(db)
      if (checked.rows.length === 0) return
      await run('DROP INDEX turns_by_revision')
      await run('ALTER TABLE turns RENAME TO old_turns')
      for (const statement of createTurns(SQLITE)) await run(statement)
      await run(`INSERT INTO turns SELECT ${TURNS} FROM old_turns`)
      await run('DROP TABLE old_turns')
    },
  },
}

/** Sets a new file up, and refuses another program's. Reads only until it is known whose it is. */
export function prepareFile(connection: Database, path: string, readOnly: boolean): void {
  const version = checkSchema(connection, path)
  if (readOnly && version !== SCHEMA_VERSION) {
    const problem = version === 0 ? 'holds no memory yet' : `has the older schema ${version}`
    throw new StoreError(
      'store-schema',
      `"${path}" ${problem}, and was opened for reading only. Open it once without readOnly.`,
    )
  }
  if (readOnly) return
  if (version === 0) connection.pragma(`page_size = ${PAGE_SIZE}`)
  connection.pragma('journal_mode = WAL')
}

/** The file's schema, 0 when it is empty. */
function checkSchema(connection: Database, path: string): number {
  const read = (source: string): number => Number(connection.prepare(source).pluck().get())
  const application = read('PRAGMA application_id')
  const version = read('PRAGMA user_version')
  const tables = read('SELECT count(*) FROM sqlite_schema')
  requireSchema(
    { isOwn: application === APPLICATION_ID, isEmpty: application === 0 && tables === 0, version },
    path,
  )
  return version
}

/** Refuses another program's database, and schemas that cannot be migrated. @throws StoreError */
export function requireSchema(
  {
    isOwn,
    isEmpty,
    version,
  }: { readonly isOwn: boolean; readonly isEmpty: boolean; readonly version: number },
  path: string,
): void {
  if (!isOwn && !isEmpty)
    throw new StoreError(
      'store-schema',
      `"${path}" is another program's database. It was not changed. Give another path.`,
    )
  if (version > SCHEMA_VERSION)
    throw new StoreError(
      'store-schema',
      `"${path}" was made by a newer Keepsake (schema ${version}; this one knows up to ${SCHEMA_VERSION}). It was not changed. Update the package "keepsake".`,
      { details: { file: path, schema: version, known: SCHEMA_VERSION } },
    )
  if (version !== 0 && version < ADOPTED_VERSION)
    throw new StoreError(
      'store-schema',
      `"${path}" has schema ${version}, of a preview of Keepsake that this version cannot read. It was not changed. Export it with the version that made it, and import that.`,
      { details: { file: path, schema: version, known: SCHEMA_VERSION } },
    )
}

/** The statements of the newest schema, kept by the first database of a process: migrations take several times as long. */
let newest: string | null = null

/** Takes the file to the newest schema. Of two processes one does it, and the other waits and finds it done. */
export async function migrateFile(connection: Database, path: string): Promise<void> {
  if (checkSchema(connection, path) === SCHEMA_VERSION) return
  connection.exec('BEGIN IMMEDIATE')
  try {
    // Read again under the lock.
    const version = checkSchema(connection, path)
    if (version === 0 && newest !== null) connection.exec(newest)
    else if (version !== SCHEMA_VERSION) await migrate(connection)
    connection.pragma(`application_id = ${APPLICATION_ID}`)
    connection.pragma(`user_version = ${SCHEMA_VERSION}`)
    connection.exec('COMMIT')
    if (version === 0) newest ??= statementsOf(connection)
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK')
    throw error
  }
}

async function migrate(connection: Database): Promise<void> {
  // The connection stays open when Kysely's is closed.
  const database = {
    prepare: (source: string) => connection.prepare(source) as never,
    close: () => undefined,
  }
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) } })
  const { error } = await migrator.migrateToLatest()
  if (error instanceof Error) throw error
}

function statementsOf(connection: Database): string {
  const list = (source: string): string[] => connection.prepare(source).pluck().all() as string[]
  const tables = list('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid')
  const done = list('SELECT name FROM kysely_migration').map(
    (name) =>
      `INSERT INTO kysely_migration (name, timestamp) VALUES ('${name}', '${new Date().toISOString()}')`,
  )
  return [
    ...tables,
    ...done,
    `INSERT INTO kysely_migration_lock (id, is_locked) VALUES ('migration_lock', 0)`,
  ].join(';\n')
}

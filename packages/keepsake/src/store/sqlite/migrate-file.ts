// Prepares a SQLite file and migrates it to the newest schema. Called when a file is opened.
import type { Database } from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { StoreError } from '../../errors/store-error.ts'
import { APPLICATION_ID, MIGRATIONS, requireSchema, SCHEMA_VERSION } from './migrations.ts'

/** A write of one turn touches some eight pages, and each goes to the journal whole. */
const PAGE_SIZE = 8_192

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

// Opens connections to SQLite files, set up and migrated.
import { constants } from 'node:fs'
import { access, open, readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Database } from 'better-sqlite3'
import { StoreError } from '../../errors/errors.ts'
import type { OpenSqliteStoreOptions } from './sqlite-store.ts'
import { isBusy, translateError } from './translate-error.ts'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { APPLICATION_ID, MIGRATIONS, requireSchema, SCHEMA_VERSION } from './migrations.ts'

/** How long an opening waits for other processes where nothing is said. */
export const PATIENCE_MS = 5_000

/** A connection to a file of the newest schema. @throws StoreError as `openSqliteStore` */
export async function openConnection(options: OpenSqliteStoreOptions): Promise<Database> {
  const { path, synchronous = 'full', busyTimeoutMs = PATIENCE_MS, readOnly = false } = options
  if (path !== ':memory:') await checkPlace(path, readOnly)
  const connection = await connectTo(options, { readonly: readOnly, fileMustExist: readOnly })
  try {
    await retryWhileBusy(busyTimeoutMs, () => prepareFile(connection, path, readOnly))
    if (!readOnly) await retryWhileBusy(busyTimeoutMs, () => migrateFile(connection, path))
    setUp(connection, readOnly, synchronous)
    return connection
  } catch (error) {
    connection.close()
    throw translateError(error, path)
  }
}

/** A connection as the driver makes it. @throws StoreError */
export async function connectTo(
  { path, connect: given }: Pick<OpenSqliteStoreOptions, 'path' | 'connect'>,
  mode: { readonly readonly: boolean; readonly fileMustExist: boolean },
): Promise<Database> {
  // SQLite's own waiting would block the whole process: calls wait by a timer.
  const options = { ...mode, timeout: 0 }
  try {
    if (given !== undefined) return given(path, options) as Database
    const { default: Connection } = await import('better-sqlite3')
    if (mode.readonly && !(await canWriteTo(dirname(resolve(path))))) {
      const bytes = await readAtRest(path)
      if (bytes !== null) return new Connection(bytes, options)
    }
    return new Connection(path, options)
  } catch (error) {
    throw translateError(error, path)
  }
}

const canWriteTo = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  )

/**
 * The bytes of a file without a journal. SQLite writes files beside one in WAL mode that it reads, so where it cannot, the file is read
 * into memory. With a journal SQLite reads the files that are there.
 */
async function readAtRest(path: string): Promise<Buffer | null> {
  const hasJournal = async (): Promise<boolean> =>
    ((await stat(`${path}-wal`).catch(() => null))?.size ?? 0) > 0
  if (await hasJournal()) return null
  const bytes = await readFile(path)
  if (await hasJournal()) return null
  // Bytes 18 and 19 name the journal's mode: a database in memory has no WAL.
  bytes.fill(ROLLBACK_JOURNAL, 18, 20)
  return bytes
}

const ROLLBACK_JOURNAL = 1

/** SQLite reports "unable to open" for all of these. */
async function checkPlace(path: string, readOnly: boolean): Promise<void> {
  const fail = (
    code: 'store-failed' | 'store-read-only' | 'store-corrupt',
    message: string,
    cause?: unknown,
  ): never => {
    throw new StoreError(code, message, { cause, details: { file: path } })
  }
  if (typeof path !== 'string' || path.includes('\0'))
    fail('store-failed', 'A path must be a string without NUL characters.')
  if (path === '') fail('store-failed', 'No path was given. Give the path of a file, or ":memory:".')
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory())
    fail('store-failed', `"${path}" is a folder. Give the path of a file in it, e.g. "${path}/memory.db".`)
  if (found === null && readOnly)
    fail('store-failed', `There is no file "${path}" to read. Open it once without readOnly to create it.`)
  const folder = dirname(resolve(path))
  if ((await stat(folder).catch(() => null)) === null)
    fail('store-failed', `The folder "${folder}" does not exist. Create it first, or give another path.`)
  // SQLite would take it for a new database, and begin again over what may be all that is left of a memory.
  const isCutOff = found !== null && found.size < LEAST_BYTES && (readOnly || !isBeingCreated(found))
  if (isCutOff) fail('store-corrupt', tooSmall(path, found.size))
  if (readOnly) return
  for (const place of found === null ? [folder] : [folder, resolve(path)])
    if (!(await canWriteTo(place)))
      fail(
        'store-read-only',
        `"${place}" cannot be written, and a memory needs its file and the journal beside it. Give write access. Without it, commands that only read and openMemory({ path, readOnly: true }) work.`,
      )
  // SQLite would make it readable for every account on the machine.
  const create = async (): Promise<void> => (await open(path, 'a', 0o600)).close()
  if (found === null)
    await create().catch((cause: unknown) =>
      fail('store-failed', `"${path}" cannot be created: ${String(cause)}.`, cause),
    )
}

/** The smallest file SQLite writes. */
export const LEAST_BYTES = 512

/** A new file is empty for a moment, while another process creates it. */
function isBeingCreated({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }): boolean {
  return size === 0 && Date.now() - mtimeMs < BEING_CREATED_MS
}

const BEING_CREATED_MS = 2_000

function tooSmall(path: string, bytes: number): string {
  return `"${path}" holds ${bytes === 1 ? '1 byte' : `${bytes} bytes`}: no memory is that small. It was created empty or cut off by another program. Nothing was written: restore a backup. To begin a new memory there, remove the file first.`
}

async function retryWhileBusy(busyTimeoutMs: number, work: () => void | Promise<void>): Promise<void> {
  const deadline = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

function setUp(connection: Database, readOnly: boolean, synchronous: 'full' | 'normal'): void {
  connection.pragma('foreign_keys = ON')
  connection.pragma('temp_store = MEMORY')
  connection.pragma('cache_size = -16000')
  if (readOnly) return
  connection.pragma(`synchronous = ${synchronous}`)
  connection.pragma(`journal_size_limit = ${JOURNAL_BYTES_KEPT}`)
  // Deleted content is overwritten with zeros.
  connection.pragma('secure_delete = ON')
}

/** After a large write the journal shrinks back to this at the next checkpoint. */
const JOURNAL_BYTES_KEPT = 8 * 1024 * 1024

/** A write of one turn touches some eight pages, and each goes to the journal whole. */
const PAGE_SIZE = 8_192

/** Sets a new file up, and refuses another program's. Reads only until it is known whose it is. */
function prepareFile(connection: Database, path: string, readOnly: boolean): void {
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
async function migrateFile(connection: Database, path: string): Promise<void> {
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

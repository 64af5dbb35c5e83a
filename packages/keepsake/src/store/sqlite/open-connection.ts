// Opens connections to SQLite files: checks the file, migrates it and sets pragmas.
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

/** How long a call waits for other processes by default. */
export const BUSY_TIMEOUT_MS = 5_000

/** Opens a connection and migrates the file to the newest schema. @throws StoreError as `openSqliteStore` */
export async function openConnection(options: OpenSqliteStoreOptions): Promise<Database> {
  const { path, synchronous = 'full', busyTimeoutMs = BUSY_TIMEOUT_MS, readOnly = false } = options
  if (path !== ':memory:') await checkPath(path, readOnly)
  const connection = await connectTo(options, { readonly: readOnly, fileMustExist: readOnly })
  try {
    await retryWhileBusy(busyTimeoutMs, () => prepareFile(connection, path, readOnly))
    if (!readOnly) await retryWhileBusy(busyTimeoutMs, () => migrateFile(connection, path))
    setPragmas(connection, readOnly, synchronous)
    return connection
  } catch (error) {
    connection.close()
    throw translateError(error, path)
  }
}

/** Opens a connection without checks or pragmas. @throws StoreError */
export async function connectTo(
  { path, connect }: Pick<OpenSqliteStoreOptions, 'path' | 'connect'>,
  mode: { readonly readonly: boolean; readonly fileMustExist: boolean },
): Promise<Database> {
  // No timeout: SQLite's own waiting would block the whole process, so calls wait with a timer.
  const options = { ...mode, timeout: 0 }
  try {
    if (connect !== undefined) return connect(path, options) as Database
    const { default: Connection } = await import('better-sqlite3')
    if (mode.readonly && !(await canWriteTo(dirname(resolve(path))))) {
      const bytes = await readWithoutJournal(path)
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

/** Reads a database file into memory, which needs no files next to it in a read-only folder; `null` if it has a journal. */
async function readWithoutJournal(path: string): Promise<Buffer | null> {
  const hasJournal = async (): Promise<boolean> =>
    ((await stat(`${path}-wal`).catch(() => null))?.size ?? 0) > 0
  if (await hasJournal()) return null
  const bytes = await readFile(path)
  if (await hasJournal()) return null
  // Bytes 18 and 19 of the header name the journal mode. A database in memory cannot have mode WAL.
  bytes.fill(ROLLBACK_JOURNAL, 18, 20)
  return bytes
}

const ROLLBACK_JOURNAL = 1

/** Refuses a path that cannot be opened and says why: SQLite would only say "unable to open". Creates a missing file. */
async function checkPath(path: string, readOnly: boolean): Promise<void> {
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
  // SQLite would treat a truncated file as a new database and overwrite its remaining bytes.
  const isCutOff = found !== null && found.size < MIN_FILE_BYTES && (readOnly || !isBeingCreated(found))
  if (isCutOff) fail('store-corrupt', tooSmall(path, found.size))
  if (readOnly) return
  for (const place of found === null ? [folder] : [folder, resolve(path)])
    if (!(await canWriteTo(place)))
      fail(
        'store-read-only',
        `"${place}" cannot be written, and a memory needs its file and the journal beside it. Give write access. Without it, commands that only read and openMemory({ path, readOnly: true }) work.`,
      )
  // Created here, since SQLite would let every account on the machine read the file.
  const create = async (): Promise<void> => (await open(path, 'a', 0o600)).close()
  if (found === null)
    await create().catch((cause: unknown) =>
      fail('store-failed', `"${path}" cannot be created: ${String(cause)}.`, cause),
    )
}

/** Size of the smallest file that SQLite writes. */
export const MIN_FILE_BYTES = 512

/** Whether another process may be creating the file: it is empty and new. */
function isBeingCreated({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }): boolean {
  return size === 0 && Date.now() - mtimeMs < BEING_CREATED_MS
}

const BEING_CREATED_MS = 2_000

function tooSmall(path: string, bytes: number): string {
  return `"${path}" holds ${bytes === 1 ? '1 byte' : `${bytes} bytes`}: no memory is that small. It was created empty or cut off by another program. Nothing was written: restore a backup. To begin a new memory there, remove the file first.`
}

/** Delay between two tries while another process writes. */
const BUSY_RETRY_MS = 5

async function retryWhileBusy(busyTimeoutMs: number, work: () => void | Promise<void>): Promise<void> {
  const deadline = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, BUSY_RETRY_MS))
    }
  }
}

function setPragmas(connection: Database, readOnly: boolean, synchronous: 'full' | 'normal'): void {
  connection.pragma('foreign_keys = ON')
  connection.pragma('temp_store = MEMORY')
  connection.pragma('cache_size = -16000')
  if (readOnly) return
  connection.pragma(`synchronous = ${synchronous}`)
  connection.pragma(`journal_size_limit = ${MAX_JOURNAL_BYTES}`)
  // Deleted content is overwritten with zeros.
  connection.pragma('secure_delete = ON')
}

/** Size to which a checkpoint shrinks the journal after a large write. */
const MAX_JOURNAL_BYTES = 8 * 1024 * 1024

/** Bytes of a page. A write of one turn copies about eight whole pages to the journal, so larger pages would cost more. */
const PAGE_SIZE = 8_192

/** Checks the schema, and sets the modes of a file that is open for writing. Changes no file of another program. */
function prepareFile(connection: Database, path: string, readOnly: boolean): void {
  const version = checkSchema(connection, path)
  if (readOnly && version === 0)
    throw new StoreError(
      'store-schema',
      `"${path}" holds no memory yet, and was opened for reading only. Open it once without readOnly.`,
    )
  if (readOnly) return
  if (version === 0) connection.pragma(`page_size = ${PAGE_SIZE}`)
  connection.pragma('journal_mode = WAL')
}

/** Returns the file's schema version; 0 for an empty file. */
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

/** Cached statements of the newest schema. Running them takes a fraction of the time of all migrations. */
let newestSchema: string | null = null

/** Migrates the file to the newest schema. If two processes open it, the second waits and finds it migrated. */
async function migrateFile(connection: Database, path: string): Promise<void> {
  if (checkSchema(connection, path) === SCHEMA_VERSION) return
  connection.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have migrated the file before this one got the lock.
    const version = checkSchema(connection, path)
    if (version === 0 && newestSchema !== null) connection.exec(newestSchema)
    else if (version !== SCHEMA_VERSION) await migrate(connection)
    connection.pragma(`application_id = ${APPLICATION_ID}`)
    connection.pragma(`user_version = ${SCHEMA_VERSION}`)
    connection.exec('COMMIT')
    if (version === 0) newestSchema ??= readSchema(connection)
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK')
    throw error
  }
}

async function migrate(connection: Database): Promise<void> {
  // `close` does nothing, so that the connection stays open when Kysely closes.
  const database = {
    prepare: (source: string) => connection.prepare(source) as never,
    close: () => undefined,
  }
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) } })
  const { error } = await migrator.migrateToLatest()
  if (error instanceof Error) throw error
}

/** Returns statements that create the schema of this database and mark its migrations as done. */
function readSchema(connection: Database): string {
  const list = (source: string): string[] => connection.prepare(source).pluck().all() as string[]
  const tables = list('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid')
  const migrations = list('SELECT name FROM kysely_migration').map(
    (name) =>
      `INSERT INTO kysely_migration (name, timestamp) VALUES ('${name}', '${new Date().toISOString()}')`,
  )
  return [
    ...tables,
    ...migrations,
    `INSERT INTO kysely_migration_lock (id, is_locked) VALUES ('migration_lock', 0)`,
  ].join(';\n')
}

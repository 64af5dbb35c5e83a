import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { StoreError } from '../../errors/store-error.ts'
import type { ConnectSqlite } from './connect-sqlite.ts'
import { LEAST_BYTES, makeFile } from './make-file.ts'
import { migrations } from './migrations/index.ts'
import { fillNew, writeNew } from './new-database.ts'
import { tellTornJournal } from './tell-torn-journal.ts'
import { sqliteCode, translateError } from './translate-error.ts'

/** `KEEP` in the file's header: tells a Keepsake file from every other program's database. */
export const APPLICATION_ID = 0x4b454550

/** The schema this code reads and writes. */
export const SCHEMA_VERSION = migrations.length

/** A write of one turn touches some eight pages, and each goes to the journal whole. */
const PAGE_SIZE = 8_192

/** As much as SQLite lets a journal grow in ordinary use (1,000 pages). */
const JOURNAL_KEPT_BYTES = 1000 * PAGE_SIZE

export interface OpenDatabaseOptions {
  readonly path: string
  readonly synchronous: 'full' | 'normal'
  readonly busyTimeoutMs: number
  readonly readOnly: boolean
  /** Opens the file in SQLite's stead, with a key for example; `better-sqlite3` when absent. */
  readonly connect?: ConnectSqlite | undefined
}

/** What it gives is taken for what it has to work as. */
type Connect = (...given: Parameters<ConnectSqlite>) => Database

/**
 * Opens the file, makes or upgrades its schema, and sets the connection up.
 *
 * @throws StoreError when it is no Keepsake file, is newer than this code, or cannot be opened.
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const connect = await connectWith(options.connect)
  if (options.path !== ':memory:' && (await checkPlace(options)) === 'missing')
    await makeEmpty(options, connect)
  let database: Database | undefined
  try {
    database = connect(options.path, {
      readonly: options.readOnly,
      fileMustExist: options.readOnly,
      // SQLite's own waiting would hold up this whole process.
      timeout: 0,
    })
    await retryWhileBusy(database, options, prepareFile)
    setUpConnection(database, options)
    return database
  } catch (error) {
    database?.close()
    throw translateError(error, options.path)
  }
}

/** Opens with what was handed over, or as `better-sqlite3` does. */
export async function connectWith(connect: ConnectSqlite | undefined): Promise<Connect> {
  if (connect !== undefined) return connect as Connect
  const { default: Connection } = await import('better-sqlite3')
  return (path, options) => new Connection(path, options)
}

/** SQLite says "unable to open" for all of these; the caller deserves to know which. */
async function checkPlace({ path, readOnly, connect }: OpenDatabaseOptions): Promise<'there' | 'missing'> {
  const fail = (
    code: 'store-failed' | 'store-read-only' | 'store-corrupt',
    message: string,
    cause?: unknown,
  ): never => {
    throw new StoreError(code, message, { cause, details: { file: path } })
  }
  if (path === '') fail('store-failed', 'No path was given. Give the path of a file, or ":memory:".')
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory())
    fail('store-failed', `"${path}" is a folder. Give the path of a file in it, e.g. "${path}/memory.db".`)
  if (found === null && readOnly)
    fail('store-failed', `There is no file "${path}" to read. Open it once without readOnly to make it.`)
  const folder = dirname(resolve(path))
  const parent = await stat(folder).catch(() => null)
  if (parent === null)
    fail('store-failed', `The folder "${folder}" does not exist. Create it first, or give another path.`)
  if (found !== null) {
    if (found.size < LEAST_BYTES) fail('store-corrupt', tooSmall(path, found.size))
    if (connect === undefined) await tellTornJournal(path)
  }
  if (readOnly) return 'there'
  const cannotWrite = (cause: unknown): never =>
    fail(
      'store-read-only',
      `The folder "${folder}" cannot be written, and the journal of "${path}" belongs there. Give write access, or open it with readOnly.`,
      cause,
    )
  await access(folder, constants.W_OK).catch(cannotWrite)
  return found === null ? 'missing' : 'there'
}

/** SQLite would take it for a new database, and begin anew over what may be all that is left of a memory. */
function tooSmall(path: string, bytes: number): string {
  return `"${path}" holds ${bytes === 1 ? '1 byte' : `${bytes} bytes`}: no memory is that small. It was made empty or cut off by something else. Nothing was written: restore a backup. To begin a new memory there, remove the file and "${path}-wal" first.`
}

async function makeEmpty({ path, connect: given }: OpenDatabaseOptions, connect: Connect): Promise<void> {
  const make = (part: string): void => {
    const database = connect(part, { readonly: false, fileMustExist: false, timeout: 0 })
    try {
      database.pragma(`page_size = ${PAGE_SIZE}`)
      database.pragma('journal_mode = WAL')
      fillNew(database, () => migrate(database, path))
    } finally {
      database.close()
    }
  }
  try {
    // What somebody else's connection makes of a file, with a key for example, is of that file alone.
    await makeFile(path, given === undefined ? (part) => writeNew(part, () => make(part)) : make)
  } catch (error) {
    throw translateError(error, path)
  }
}

/** Two processes that open a new file at once: the second waits here (a change of journal mode ignores the busy timeout). */
async function retryWhileBusy(
  database: Database,
  options: OpenDatabaseOptions,
  work: (database: Database, options: OpenDatabaseOptions) => void,
): Promise<void> {
  const deadline = performance.now() + options.busyTimeoutMs
  for (;;) {
    try {
      return work(database, options)
    } catch (error) {
      const busy = sqliteCode(error)?.startsWith('SQLITE_BUSY') ?? false
      if (!busy || performance.now() > deadline) throw error
      await sleep(5)
    }
  }
}

function readNumber(database: Database, source: string): number {
  return Number(database.prepare(source).pluck().get())
}

function prepareFile(database: Database, options: OpenDatabaseOptions): void {
  const version = checkSchema(database, options.path)
  if (version === SCHEMA_VERSION && readNumber(database, 'PRAGMA application_id') === APPLICATION_ID) {
    if (!options.readOnly) database.pragma('journal_mode = WAL')
    return
  }
  if (options.readOnly) {
    const problem = version === 0 ? 'holds no memory yet' : `has the older schema ${version}`
    throw new StoreError(
      'store-schema',
      `"${options.path}" ${problem}, and was opened for reading only. Open it once without readOnly.`,
    )
  }
  if (version === 0) database.pragma(`page_size = ${PAGE_SIZE}`)
  database.pragma('journal_mode = WAL')
  if (options.path === ':memory:') fillNew(database, () => migrate(database, options.path))
  else migrate(database, options.path)
}

/** The file's schema, 0 when it is empty. Reads only: another program's file must not be touched. */
function checkSchema(database: Database, path: string): number {
  const application = readNumber(database, 'PRAGMA application_id')
  const version = readNumber(database, 'PRAGMA user_version')
  const tables = readNumber(database, 'SELECT count(*) FROM sqlite_schema')
  if (application !== APPLICATION_ID && (application !== 0 || tables > 0)) {
    throw new StoreError(
      'store-schema',
      `"${path}" is another program's database. It was not changed. Give another path.`,
    )
  }
  if (version > SCHEMA_VERSION) {
    throw new StoreError(
      'store-schema',
      `"${path}" was made by a newer Keepsake (schema ${version}; this one knows up to ${SCHEMA_VERSION}). It was not changed. Update the package "keepsake".`,
      { details: { file: path, schema: version, known: SCHEMA_VERSION } },
    )
  }
  return version
}

/**
 * Takes the file to the newest schema, each step with its number in one transaction. The number is read
 * again under the lock: of two processes, one migrates and the other finds it done.
 */
export function migrate(database: Database, path: string, upTo = SCHEMA_VERSION): void {
  const step = database.transaction((): boolean => {
    const version = checkSchema(database, path)
    const next = migrations[version]
    if (next === undefined || version >= upTo) return false
    database.exec(next)
    database.pragma(`application_id = ${APPLICATION_ID}`)
    database.pragma(`user_version = ${version + 1}`)
    return true
  })
  while (step.exclusive());
}

function setUpConnection(database: Database, options: OpenDatabaseOptions): void {
  database.pragma('foreign_keys = ON')
  database.pragma('temp_store = MEMORY')
  database.pragma('cache_size = -16000')
  if (options.readOnly) return
  database.pragma(`synchronous = ${options.synchronous}`)
  // After a large write the journal shrinks back to this at the next checkpoint.
  database.pragma(`journal_size_limit = ${JOURNAL_KEPT_BYTES}`)
  // Erasing must leave nothing behind; deleted cells are zeroed at once, and a scrub clears the stale copies.
  database.pragma('secure_delete = ON')
}

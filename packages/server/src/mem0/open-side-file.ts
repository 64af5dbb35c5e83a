import { closeSync, existsSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Connection, { type Database } from 'better-sqlite3'
import { InvalidInputError, StoreError } from 'keepsake'

export interface SideFile {
  /** A path, or `:memory:`. */
  readonly path: string
  /** What it is called in errors: "the keys". */
  readonly what: string
  /** Four letters in the file's header that tell it from every other program's database. */
  readonly application: number
  /** SQL that makes the tables of a new file. */
  readonly schema: string
  /** `full` survives a power cut with everything acknowledged; `normal` a kill. */
  readonly synchronous: 'full' | 'normal'
  /** Never makes the file. */
  readonly mustExist?: boolean
}

const SCHEMA_VERSION = 1
const BUSY_TIMEOUT_MS = 5_000

/**
 * Opens one of the small files that a server keeps beside the memory: its keys, the requests it answered. Only the owner of the
 * file may read it.
 *
 * @throws InvalidInputError when there is no such folder or file; StoreError when it is another program's or cannot be opened.
 */
export function openSideFile(file: SideFile): Database {
  if (file.path !== ':memory:') prepare(file)
  let database: Database | undefined
  try {
    database = new Connection(file.path, { timeout: BUSY_TIMEOUT_MS })
    setUp(database, file)
    return database
  } catch (error) {
    database?.close()
    if (error instanceof StoreError) throw error
    throw new StoreError('store-failed', `"${file.path}" (${file.what}) cannot be used: ${say(error)}.`, {
      cause: error,
      details: { file: file.path },
    })
  }
}

/** SQLite would make the file readable for everybody. */
function prepare({ path, what, mustExist = false }: SideFile): void {
  const folder = dirname(resolve(path))
  if (!existsSync(folder)) {
    throw new InvalidInputError(
      `There is no folder ${folder} to keep ${what} in. Make it, or choose another file.`,
    )
  }
  if (existsSync(path)) return
  if (mustExist) throw new InvalidInputError(`There is no file ${path} with ${what}.`)
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw new StoreError('store-read-only', `"${path}" (${what}) cannot be made: ${say(error)}.`, {
      cause: error,
      details: { file: path },
    })
  }
}

function setUp(database: Database, file: SideFile): void {
  const number = (source: string): number => Number(database.prepare(source).pluck().get())
  const application = number('PRAGMA application_id')
  const isEmpty = number('SELECT count(*) FROM sqlite_schema') === 0
  if (application !== file.application && !(isEmpty && application === 0)) {
    throw new StoreError(
      'store-schema',
      `"${file.path}" is another program's database, or another file of Keepsake's: ${file.what} cannot be kept in it. It was not changed. Choose another file.`,
    )
  }
  const version = number('PRAGMA user_version')
  if (version > SCHEMA_VERSION) {
    throw new StoreError(
      'store-schema',
      `"${file.path}" was made by a newer Keepsake. It was not changed. Update it.`,
    )
  }
  database.pragma('journal_mode = WAL')
  database.pragma(`synchronous = ${file.synchronous}`)
  database.pragma('secure_delete = ON')
  if (version === SCHEMA_VERSION) return
  // Two processes may be making it at once: the second finds it made.
  database
    .transaction(() => {
      if (number('PRAGMA user_version') === SCHEMA_VERSION) return
      database.exec(file.schema)
      database.pragma(`application_id = ${file.application}`)
      database.pragma(`user_version = ${SCHEMA_VERSION}`)
    })
    .immediate()
}

function say(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

// Opens stores in SQLite files, with their backups.
import { makeSqlStore } from '../sql/sql-store.ts'
import { openConnection, BUSY_TIMEOUT_MS } from './open-connection.ts'
import { SqliteDatabase } from './sqlite-database.ts'
import type { OpenSqliteStoreOptions, SqliteStore, BackupNote } from './sqlite-store.ts'
import { link, rm, stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Database } from 'better-sqlite3'
import { ClosedError, NotPossibleError, StoreError } from '../../errors/errors.ts'
import type { Store } from '../store.ts'
import { sqliteCode, translateError } from './translate-error.ts'

/**
 * Opens a store in a SQLite file, creating or migrating it.
 *
 * @throws StoreError `store-schema` for a file of a newer Keepsake or another program, `store-corrupt` for a damaged one,
 * `store-read-only`, `store-busy`, `store-full` or `store-failed`; the message says what to do.
 * @example
 * const store = await openSqliteStore({ path: 'memory.db' })
 * const scope = await store.ensureScope({ tenant: 'default', user: 'ada', agent: null, app: null })
 */
export async function openSqliteStore(options: OpenSqliteStoreOptions): Promise<SqliteStore> {
  const { synchronous = 'full', busyTimeoutMs = BUSY_TIMEOUT_MS, readOnly = false, now = Date.now } = options
  const connection = await openConnection(options)
  const database = new SqliteDatabase(connection, {
    name: options.path,
    now,
    busyTimeoutMs,
    readOnly,
    synchronous,
  })
  const store = makeSqlStore(database)
  const backups = makeBackups({ connection, store, now, isPlain: options.connect === undefined })
  return { ...store, revision: (userId) => database.readRevision(userId), ...backups }
}

/** Collection of the records of backups. */
const COLLECTION = 'backups'

interface BackupOptions {
  readonly connection: Database
  readonly store: Store
  readonly now: () => number
  /** Whether the default driver opens the file. Copied pages of a driver that encrypts might not be encrypted. */
  readonly isPlain: boolean
}

/** Makes the methods that back up a file in use. */
function makeBackups({ connection, store, now, isPlain }: BackupOptions) {
  const requireOpen = (): void => {
    if (!connection.open) throw new ClosedError()
  }
  return {
    backup: async (target: string): Promise<void> => {
      requireOpen()
      if (!isPlain)
        throw new NotPossibleError(
          'A file that another driver opens is not copied page by page: the copy might not be encrypted. Close the memory and copy the file.',
        )
      const path = resolve(target)
      if ((await stat(path).catch(() => null)) !== null) throw alreadyThere(path)
      const time = now()
      await copyTo(connection, path)
      if (!connection.readonly)
        await store.putRecord({ collection: COLLECTION, key: path, value: { at: time } })
    },
    listBackups: async (): Promise<BackupNote[]> => {
      requireOpen()
      const records = await store.listRecords({ collection: COLLECTION })
      const countErasures = connection.prepare('SELECT count(*) FROM erasures WHERE at >= ?').pluck()
      return records
        .map(({ key, value }) => {
          const time = Number(value['at'])
          return { path: key, at: time, erasedSince: Number(countErasures.get(time)) }
        })
        .toSorted((a, b) => a.at - b.at)
    },
  }
}

/** Copies a database to a new file, linked when complete, so that no file is replaced and no half copy is a backup. */
async function copyTo(connection: Database, path: string): Promise<void> {
  const part = `${path}.part-${process.pid}`
  try {
    // Created here, since SQLite would let every account on the machine read the file.
    await writeFile(part, '', { mode: 0o600 })
    await connection.backup(part)
    await link(part, path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw alreadyThere(path, error)
    if (sqliteCode(error) !== null) throw translateError(error, connection.name)
    const message = error instanceof Error ? error.message : String(error)
    throw new StoreError(
      'store-failed',
      `The backup "${path}" could not be written: ${message}. Check that its folder exists and can be written.`,
      { cause: error, details: { file: path } },
    )
  } finally {
    await rm(part, { force: true })
  }
}

function alreadyThere(path: string, cause?: unknown): StoreError {
  const message = `"${path}" exists already, and a backup replaces nothing. Give another path.`
  return new StoreError('store-failed', message, { cause, details: { file: path } })
}

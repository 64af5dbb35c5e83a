// Puts a backup in place of a database file, and applies later erasures again.
import { chmod, constants, copyFile, link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Database } from 'better-sqlite3'
import { InvalidInputError } from '@keepsake/text'
import { NotPossibleError, StoreError, type StoreErrorCode } from '../../errors/errors.ts'
import { connectTo, MIN_FILE_BYTES, openConnection } from './open-connection.ts'
import type { ConnectSqlite } from './sqlite-store.ts'
import { sqliteCode, translateError } from './translate-error.ts'

export interface RestoreBackupOptions {
  /** The memory's file. It need not exist. */
  readonly path: string
  /** The backup that replaces it. The backup itself is not changed. */
  readonly backup: string
  /** Time in the new name of the replaced file; milliseconds since 1970. Now when absent. */
  readonly now?: number
  /** The caller's assurance that no process has the memory open; needed only if the file is too damaged to check. */
  readonly isStopped?: boolean
  readonly connect?: ConnectSqlite
}

export interface RestoredBackup {
  readonly path: string
  /** New path of the replaced file; `null` if there was none. */
  readonly replaced: string | null
  /** Size of the restored file. */
  readonly bytes: number
}

/** Suffixes of the files that SQLite writes next to a database. */
const JOURNAL_SUFFIXES = ['-wal', '-shm', '-journal'] as const

/**
 * Restores a backup in place of a memory's file. The replaced file stays next to it under another name. The backup is copied and
 * checked first. One atomic rename replaces the file, so an interrupted call can be repeated. Content erased since the backup is present
 * again: `Keepsake.erasuresSinceBackup` lists it.
 *
 * @throws StoreError `store-busy` while any process has the memory open; `store-corrupt` or `store-schema` for a
 * backup that is damaged, is newer than this code, or is no memory; `store-full`
 * @throws NotPossibleError without `isStopped`, if the file is too damaged to find out whether a process has it open
 * @example
 * const { replaced } = await restoreBackup({ path: 'memory.db', backup: 'copies/monday.db' })
 */
export async function restoreBackup(options: RestoreBackupOptions): Promise<RestoredBackup> {
  const { path, backup } = options
  const backupFile = await stat(backup).catch(() => null)
  if (backupFile === null || !backupFile.isFile())
    throw new InvalidInputError(`There is no backup at "${backup}".`)
  if (backupFile.size < MIN_FILE_BYTES)
    throw new StoreError('store-corrupt', `"${backup}" is too small to be a backup. Nothing was changed.`)
  const currentFile = await stat(path).catch(() => null)
  if (currentFile !== null && currentFile.ino === backupFile.ino && currentFile.dev === backupFile.dev)
    throw new InvalidInputError(`"${backup}" is the memory itself. Give the file of a backup.`)
  // Fails early if the file is in use, since copying may take long. `putInPlace` checks again.
  if (currentFile !== null) (await connectExclusively(options))?.close()
  const copy = `${path}.restore-backup`
  await removeDatabase(copy)
  try {
    await copyDatabase(backup, copy)
    await requireSound(options, copy)
    const replaced = await putInPlace(options, copy)
    return { path, replaced, bytes: (await stat(path)).size }
  } catch (error) {
    throw describeFailure(error, options, copy)
  } finally {
    await removeDatabase(copy)
  }
}

/** Removes a database file and the files next to it. */
async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ['', ...JOURNAL_SUFFIXES]) await rm(`${path}${suffix}`, { force: true })
}

/** Copies a backup. If the backup is a snapshot of a volume, its journal is copied too. */
async function copyDatabase(backup: string, copy: string): Promise<void> {
  for (const suffix of ['', '-wal']) {
    if ((await stat(`${backup}${suffix}`).catch(() => null)) === null) continue
    await copyFile(`${backup}${suffix}`, `${copy}${suffix}`, constants.COPYFILE_FICLONE)
    await chmod(`${copy}${suffix}`, 0o600)
  }
}

/** Migrates the copy, checks all of its pages, and writes its journal into the file. */
async function requireSound({ connect }: RestoreBackupOptions, copy: string): Promise<void> {
  const database = await openConnection({ path: copy, connect })
  try {
    const problem = database.prepare('PRAGMA integrity_check(1)').pluck().get()
    if (problem !== 'ok') throw new StoreError('store-corrupt', `"${copy}" is damaged: ${String(problem)}.`)
    database.pragma('journal_mode = DELETE')
  } finally {
    database.close()
  }
  await syncToDisk(copy)
}

async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Replaces the memory's file by the checked copy. @returns the new path of the replaced file */
async function putInPlace(options: RestoreBackupOptions, copy: string): Promise<string | null> {
  const { path } = options
  const exists = (await stat(path).catch(() => null)) !== null
  const connection = exists ? await connectExclusively(options) : null
  // Windows cannot rename a file over one that is open.
  if (process.platform === 'win32') connection?.close()
  try {
    const newName = await findFreeName(path, options.now ?? Date.now())
    // SQLite would read an old journal as the journal of the restored file.
    for (const suffix of JOURNAL_SUFFIXES)
      await rename(`${path}${suffix}`, `${newName}${suffix}`).catch((error: unknown) => ignoreMissing(error))
    if (exists) await linkOrRename(path, newName)
    await rename(copy, path)
    if (process.platform !== 'win32') await syncToDisk(dirname(resolve(path)))
    return exists ? newName : null
  } finally {
    connection?.close()
  }
}

/** Gives a file a second name, so that the path always has a file. Renames it if the file system has no links. */
async function linkOrRename(path: string, newName: string): Promise<void> {
  await link(path, newName).catch(async (error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error
    await rename(path, newName)
  })
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

/** Finds an unused name for the replaced file, such as `memory.db.replaced-20261130T104700`. */
async function findFreeName(path: string, now: number): Promise<string> {
  const moment = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  for (let number = 1; ; number++) {
    const name = `${path}.replaced-${moment}${number === 1 ? '' : `-${number}`}`
    if ((await stat(name).catch(() => null)) === null) return name
  }
}

/** Opens a file alone: changing the journal mode needs the exclusive lock. `null` for a file too damaged to lock. */
async function connectExclusively(options: RestoreBackupOptions): Promise<Database | null> {
  const { path, connect, isStopped } = options
  let database: Database | undefined
  try {
    database = await connectTo({ path, connect }, { readonly: false, fileMustExist: true })
    database.pragma('journal_mode = DELETE')
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database?.close()
    const code = sqliteCode(error) ?? ''
    if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) throw inUse(path, error)
    if (isStopped === true && /^SQLITE_(?:CORRUPT|NOTADB|IOERR)/.test(code)) return null
    if (!/^SQLITE_(?:CORRUPT|NOTADB)/.test(code)) throw translateError(error, path)
    throw new NotPossibleError(
      `"${path}" is too damaged to tell whether a process has it open. Nothing was changed. Stop whatever uses it and say so: "--stopped", or \`isStopped: true\`.`,
      { file: path },
    )
  }
}

const inUse = (path: string, cause: unknown): StoreError =>
  new StoreError(
    'store-busy',
    `"${path}" is open in a process, which would go on with the file that is replaced. Nothing was changed. Stop it, and try again.`,
    { cause, details: { file: path } },
  )

/** Translates an error. Its message names the backup, never the temporary copy, which the caller does not know. */
function describeFailure(error: unknown, { path, backup }: RestoreBackupOptions, copy: string): Error {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') {
    const message = `There is no room beside "${path}" for a copy of "${backup}". Nothing was changed.`
    return new StoreError('store-full', message, { cause: error, details: { file: path } })
  }
  const translated = translateError(error, path)
  if (!translated.message.includes(copy) || !(translated instanceof StoreError)) return translated
  const message = `${translated.message.replaceAll(copy, backup)} It was not put in the place of "${path}".`
  return new StoreError(translated.code as StoreErrorCode, message, { cause: error })
}

// Puts a backup in place of a database file, and applies later erasures again.
import { chmod, constants, copyFile, link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Database } from 'better-sqlite3'
import { InvalidInputError } from '@keepsake/text'
import { NotPossibleError, StoreError, type StoreErrorCode } from '../../errors/errors.ts'
import { connectTo, LEAST_BYTES, openConnection } from './open-connection.ts'
import type { ConnectSqlite } from './sqlite-store.ts'
import { sqliteCode, translateError } from './translate-error.ts'

export interface RestoreBackupOptions {
  /** The memory's file. It need not be there. */
  readonly path: string
  /** What is put in its place. It is only read. */
  readonly backup: string
  /** Names the file that is replaced; milliseconds since 1970. Now when absent. */
  readonly now?: number
  /** The caller's assurance that no process has the memory open; needed only if the file is too damaged to check. */
  readonly isStopped?: boolean
  readonly connect?: ConnectSqlite
}

export interface RestoredBackup {
  readonly path: string
  /** Where the file that stood there is kept, with all that it held; `null` where none did. */
  readonly replaced: string | null
  /** Of the file that stands there now. */
  readonly bytes: number
}

/** The files that SQLite keeps beside a database. */
const BESIDE = ['-wal', '-shm', '-journal'] as const

/**
 * Restores a backup in place of a memory's file, which is kept beside it. The backup is copied and checked first; one
 * atomic rename replaces the file, so an interrupted call can be repeated. Content erased since the backup is present
 * again: `missedErasures` lists it.
 *
 * @throws StoreError `store-busy` while any process has the memory open; `store-corrupt` or `store-schema` for a
 * backup that is damaged, is newer than this code, or is no memory; `store-full`
 * @throws NotPossibleError where the file is too damaged to tell whether it is open, without `isStopped`
 * @example
 * const { replaced } = await restoreBackup({ path: 'memory.db', backup: 'copies/monday.db' })
 */
export async function restoreBackup(options: RestoreBackupOptions): Promise<RestoredBackup> {
  const { path, backup } = options
  const given = await stat(backup).catch(() => null)
  if (given === null || !given.isFile()) throw new InvalidInputError(`There is no backup at "${backup}".`)
  if (given.size < LEAST_BYTES)
    throw new StoreError('store-corrupt', `"${backup}" is too small to be a backup. Nothing was changed.`)
  const standing = await stat(path).catch(() => null)
  if (standing !== null && standing.ino === given.ino && standing.dev === given.dev)
    throw new InvalidInputError(`"${backup}" is the memory itself. Give the file of a backup.`)
  // Before anything is copied, which may take long; again when it is put in place.
  if (standing !== null) (await takeAlone(options))?.close()
  const part = `${path}.restore-backup`
  await removeAll(part)
  try {
    await copyWhole(backup, part)
    await requireSound(options, part)
    const replaced = await putInPlace(options, part)
    return { path, replaced, bytes: (await stat(path)).size }
  } catch (error) {
    throw tellOf(error, options, part)
  } finally {
    await removeAll(part)
  }
}

async function removeAll(path: string): Promise<void> {
  for (const end of ['', ...BESIDE]) await rm(`${path}${end}`, { force: true })
}

/** With its journal, which a snapshot of a volume has beside it. */
async function copyWhole(backup: string, part: string): Promise<void> {
  for (const end of ['', '-wal']) {
    if ((await stat(`${backup}${end}`).catch(() => null)) === null) continue
    await copyFile(`${backup}${end}`, `${part}${end}`, constants.COPYFILE_FICLONE)
    await chmod(`${part}${end}`, 0o600)
  }
}

/** Brings the copy up to date and into one file, and looks at all of its pages. */
async function requireSound({ connect }: RestoreBackupOptions, part: string): Promise<void> {
  const database = await openConnection({ path: part, ...(connect === undefined ? {} : { connect }) })
  try {
    const found = database.prepare('PRAGMA integrity_check(1)').pluck().get()
    if (found !== 'ok') throw new StoreError('store-corrupt', `"${part}" is damaged: ${String(found)}.`)
    database.pragma('journal_mode = DELETE')
  } finally {
    database.close()
  }
  await sync(part)
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function putInPlace(options: RestoreBackupOptions, part: string): Promise<string | null> {
  const { path } = options
  const isThere = (await stat(path).catch(() => null)) !== null
  const alone = isThere ? await takeAlone(options) : null
  // Windows renames nothing over a file that is open.
  if (process.platform === 'win32') alone?.close()
  try {
    const kept = await freeName(path, options.now ?? Date.now())
    // The journal of a file that is gone, or too damaged to be opened, would be read as that of the one put there.
    for (const end of BESIDE)
      await rename(`${path}${end}`, `${kept}${end}`).catch((error: unknown) => ignoreMissing(error))
    if (isThere) await keep(path, kept)
    await rename(part, path)
    if (process.platform !== 'win32') await sync(dirname(resolve(path)))
    return isThere ? kept : null
  } finally {
    alone?.close()
  }
}

/** Under a second name, so that the first is never without a file; where the file system has no links, it is for a moment. */
async function keep(path: string, kept: string): Promise<void> {
  await link(path, kept).catch(async (error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error
    await rename(path, kept)
  })
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

async function freeName(path: string, now: number): Promise<string> {
  const moment = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  for (let number = 1; ; number++) {
    const name = `${path}.replaced-${moment}${number === 1 ? '' : `-${number}`}`
    if ((await stat(name).catch(() => null)) === null) return name
  }
}

/**
 * The only connection to a file, which excludes all others. Leaving the journal takes SQLite's exclusive lock, and every process
 * that has the file open holds a shared one; it also brings all that the journal holds into the file.
 *
 * @returns `null` for a file that is too damaged to be locked, where the caller answers for it
 */
async function takeAlone({ path, connect, isStopped }: RestoreBackupOptions): Promise<Database | null> {
  let database: Database | undefined
  try {
    const driver = connect === undefined ? {} : { connect }
    database = await connectTo({ path, ...driver }, { readonly: false, fileMustExist: true })
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

/** Of the backup, not of its copy. */
function tellOf(error: unknown, { path, backup }: RestoreBackupOptions, part: string): Error {
  const translated =
    error instanceof Error && 'code' in error && error.code === 'ENOSPC'
      ? new StoreError(
          'store-full',
          `There is no room beside "${path}" for a copy of "${backup}". Nothing was changed.`,
          { cause: error, details: { file: path } },
        )
      : translateError(error, path)
  if (!translated.message.includes(part) || !(translated instanceof StoreError)) return translated
  const message = `${translated.message.replaceAll(part, backup)} It was not put in the place of "${path}".`
  return new StoreError(translated.code as StoreErrorCode, message, { cause: error })
}

import { link, rm, stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { StoreError } from '../../errors/store-error.ts'
import type { BackupNote } from '../store.ts'
import { putRecord, readRecords, removeRecord } from './keep-records.ts'
import { isRunning } from './make-file.ts'
import type { Sql } from './sql.ts'
import { sqliteCode } from './translate-error.ts'

/** A backup that was made, or begun. */
export interface KnownBackup {
  readonly path: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** The newest erasure that it has heard of; 0 for none. */
  readonly upTo: number
  /** Process that writes it; `null` once it is whole. */
  readonly writer: number | null
}

const COLLECTION = 'backups'

/**
 * A consistent copy while the store is in use. Written beside its place and linked there when whole, so that
 * a kill leaves no half of a backup under its name, and a file that is there is never replaced. What a kill leaves beside it goes at the
 * next open.
 *
 * A backup is out of reach of later erasures: whoever keeps backups has to make them anew or let them expire. `readBackups` tells which.
 *
 * @throws StoreError when the file exists or cannot be written.
 */
export async function backUp(sql: Sql, given: string, now: number): Promise<void> {
  const path = resolve(given)
  if ((await stat(path).catch(() => null)) !== null) throw alreadyThere(path)
  const upTo = sql.value<number | null>`SELECT max(erasure) FROM erasures` ?? 0
  const part = partOf(path, process.pid)
  const note = (writer: number | null): void => {
    if (sql.database.readonly) return
    const value = { at: now, upTo, writer }
    putRecord(sql, { collection: COLLECTION, key: path, value }, now)
  }
  try {
    note(process.pid)
    // SQLite would make it readable for everybody on the machine.
    await writeFile(part, '', { mode: 0o600 })
    await sql.database.backup(part)
    await link(part, path)
    note(null)
  } catch (error) {
    if (!sql.database.readonly) removeRecord(sql, COLLECTION, path)
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw alreadyThere(path, error)
    if (sqliteCode(error) !== null) throw error
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

function partOf(path: string, pid: number): string {
  return `${path}.part-${pid}`
}

function alreadyThere(path: string, cause?: unknown): StoreError {
  const message = `"${path}" exists already, and a backup replaces nothing. Give another path.`
  return new StoreError('store-failed', message, { cause, details: { file: path } })
}

/** Backups that were made, oldest first, with how many erasures each has not heard of. */
export function readBackups(sql: Sql, now: number): BackupNote[] {
  return known(sql, now)
    .filter(({ writer }) => writer === null)
    .map(({ path, at, upTo }) => {
      const erasedSince = sql.value<number>`SELECT count(*) FROM erasures WHERE erasure > ${upTo}` ?? 0
      return { path, at, erasedSince }
    })
    .toSorted((one, other) => one.at - other.at)
}

function known(sql: Sql, now: number): KnownBackup[] {
  return readRecords(sql, { collection: COLLECTION }, now).map(({ key, value }) => ({
    ...(value as unknown as Omit<KnownBackup, 'path'>),
    path: key,
  }))
}

/** Takes away what backups left that were killed. */
export async function removeHalfBackups(sql: Sql, now: number): Promise<void> {
  for (const { path, writer } of known(sql, now)) {
    if (writer === null || isRunning(writer)) continue
    await rm(partOf(path, writer), { force: true })
    removeRecord(sql, COLLECTION, path)
  }
}

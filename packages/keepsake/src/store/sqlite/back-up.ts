// Copies an open SQLite file and notes the copy, for stores in a file.
import { link, rm, stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Database } from 'better-sqlite3'
import { ClosedError } from '../../errors/closed-error.ts'
import { NotPossibleError } from '../../errors/not-possible-error.ts'
import { StoreError } from '../../errors/store-error.ts'
import type { Store } from '../store.ts'
import type { BackupNote } from './sqlite-store.ts'
import { sqliteCode, translateError } from './translate-error.ts'

const COLLECTION = 'backups'

interface BackUpOptions {
  readonly connection: Database
  readonly store: Store
  readonly now: () => number
  /** Whether SQLite itself reads the file: the copy of another driver's pages might not be encrypted. */
  readonly isPlain: boolean
}

/**
 * Backups of a file in use. A copy is written beside its place and linked there when whole, so that a kill leaves no half of
 * a backup under its name, and an existing file is never replaced.
 */
export function backUp({ connection, store, now, isPlain }: BackUpOptions) {
  const requireOpen = (): void => {
    if (!connection.open) throw new ClosedError()
  }
  return {
    backup: async (given: string): Promise<void> => {
      requireOpen()
      if (!isPlain)
        throw new NotPossibleError(
          'A file that another driver opens is not copied page by page: the copy might not be encrypted. Close the memory and copy the file.',
        )
      const path = resolve(given)
      if ((await stat(path).catch(() => null)) !== null) throw alreadyThere(path)
      const time = now()
      await copyTo(connection, path)
      if (!connection.readonly)
        await store.putRecord({ collection: COLLECTION, key: path, value: { at: time } })
    },
    listBackups: async (): Promise<BackupNote[]> => {
      requireOpen()
      const known = await store.listRecords({ collection: COLLECTION })
      const count = connection.prepare('SELECT count(*) FROM erasures WHERE at >= ?').pluck()
      return known
        .map(({ key, value }) => {
          const time = Number(value['at'])
          return { path: key, at: time, erasedSince: Number(count.get(time)) }
        })
        .toSorted((a, b) => a.at - b.at)
    },
  }
}

async function copyTo(connection: Database, path: string): Promise<void> {
  const part = `${path}.part-${process.pid}`
  try {
    // SQLite would make it readable for every account on the machine.
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

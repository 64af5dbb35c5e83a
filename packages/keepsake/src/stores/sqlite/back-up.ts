import { link, rm, stat } from 'node:fs/promises'
import { StoreError } from '../../errors/store-error.ts'
import type { Sql } from './sql.ts'
import { sqliteCode } from './translate-error.ts'

/**
 * A consistent copy while the store is in use. Written beside its place and linked there when whole, so that
 * a kill leaves no half of a backup under its name, and a file that is there is never replaced.
 *
 * A backup is out of reach of later erasures: whoever keeps backups has to make them anew or let them expire.
 *
 * @throws StoreError when the file exists or cannot be written.
 */
export async function backUp(sql: Sql, path: string): Promise<void> {
  const exists = (cause?: unknown): StoreError =>
    new StoreError(
      'store-failed',
      `"${path}" exists already, and a backup replaces nothing. Give another path.`,
      {
        cause,
        details: { file: path },
      },
    )
  if ((await stat(path).catch(() => null)) !== null) throw exists()
  const part = `${path}.part-${process.pid}`
  try {
    await sql.database.backup(part)
    await link(part, path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw exists(error)
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

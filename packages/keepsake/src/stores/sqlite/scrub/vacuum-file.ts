import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../sql.ts'
import { sqliteCode } from '../translate-error.ts'

const BUSY_REST_MS = 10

/**
 * Clears a file of what was erased by writing it afresh, live rows only, and emptying the journal. It holds up this process, keeps
 * writers out and needs room for a second file: for files whose pages cannot be cleaned one by one.
 *
 * @returns whether it is done; `false` when it was stopped
 */
export async function vacuumFile(sql: Sql, isStopped: () => boolean): Promise<boolean> {
  for (const step of [vacuum, emptyJournal]) {
    while (!step(sql)) {
      if (isStopped()) return false
      await sleep(BUSY_REST_MS)
    }
  }
  return true
}

function vacuum(sql: Sql): boolean {
  // The copy is made in a temporary file: in memory it would take as much as the whole database.
  sql.database.pragma('temp_store = FILE')
  try {
    sql.database.exec('VACUUM')
    return true
  } catch (error) {
    if (sqliteCode(error)?.startsWith('SQLITE_BUSY')) return false
    throw error
  } finally {
    sql.database.pragma('temp_store = MEMORY')
  }
}

function emptyJournal(sql: Sql): boolean {
  try {
    const [result] = sql.database.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[]
    return result?.busy === 0
  } catch (error) {
    if (sqliteCode(error)?.match(/^SQLITE_(BUSY|LOCKED)/)) return false
    throw error
  }
}

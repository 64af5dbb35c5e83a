import { setTimeout as sleep } from 'node:timers/promises'
import { lastUnscrubbed, markScrubbed } from './keep-receipts.ts'
import type { Sql } from './sql.ts'
import { sqliteCode } from './translate-error.ts'

/**
 * Clears the file of what was erased. `secure_delete` zeroes deleted cells, yet copies that pages left behind
 * when they were rebalanced stay, and the journal holds old pages whole. So the database is written afresh
 * (VACUUM, live rows only) and the journal emptied. Killed anywhere, the receipt still says it is to do.
 *
 * @param patienceMs how long to wait for other processes that read or write.
 * @returns whether it is done; `false` when others held the file all the time.
 */
export async function scrubFile(sql: Sql, now: () => number, patienceMs: number): Promise<boolean> {
  const upTo = lastUnscrubbed(sql)
  if (upTo === 0) return true
  const deadline = performance.now() + patienceMs
  const steps = sql.database.memory ? [] : [vacuum, emptyJournal]
  for (const step of steps) {
    while (!tryWithoutWaiting(sql, step)) {
      if (performance.now() >= deadline) return false
      await sleep(10)
    }
  }
  markScrubbed(sql, upTo, now())
  return true
}

/** Waiting for other processes is done by a timer: SQLite's own waiting would hold up this whole process. */
function tryWithoutWaiting(sql: Sql, step: (sql: Sql) => boolean): boolean {
  const timeout = Number(sql.database.pragma('busy_timeout', { simple: true }))
  sql.database.pragma('busy_timeout = 0')
  try {
    return step(sql)
  } finally {
    sql.database.pragma(`busy_timeout = ${timeout}`)
  }
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
    const [result] = sql.database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    return result?.busy === 0
  } catch (error) {
    if (sqliteCode(error)?.match(/^SQLITE_(BUSY|LOCKED)/)) return false
    throw error
  }
}

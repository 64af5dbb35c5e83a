import type { Database } from 'better-sqlite3'

/**
 * Writes the file afresh and empties its journal: copies that pages left behind when they were rebalanced, and the
 * journal's old pages, would keep the bytes of what was removed. While another process holds the file it stays due.
 */
export function scrubFile(database: Database): void {
  try {
    database.exec('VACUUM')
    database.exec('DELETE FROM scrubs')
    database.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
    if (typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code)) return
    throw error
  }
}

import type { Database } from 'better-sqlite3'
import type { Store } from '../store.ts'
import { CheckpointThread, PAGES_LEFT_BEHIND } from './checkpoint-thread.ts'
import { Connection } from './connection.ts'
import { defineFunctions } from './define-functions.ts'
import { removeHalfBackups } from './back-up.ts'
import { JournalFlush } from './journal-flush.ts'
import type { ConnectSqlite } from './connect-sqlite.ts'
import { LongReader } from './long-reader.ts'
import { LongWriter } from './long-writer.ts'
import { openDatabase } from './open-database.ts'
import { keepStatements } from './sql.ts'
import { makeSqliteStore } from './sqlite-store.ts'
import { sqliteCode } from './translate-error.ts'

export interface OpenSqliteStoreOptions {
  /** A file, made when missing (its folder must be there), or `:memory:`. */
  readonly path: string
  /**
   * `full` (the default): what was acknowledged survives a loss of power. `normal`: it survives the end of the
   * process, and a loss of power may take the last few writes; about twice as fast.
   */
  readonly synchronous?: 'full' | 'normal'
  /** How long a call waits for another process's write, in milliseconds. Only that call waits. 5,000 by default. */
  readonly busyTimeoutMs?: number
  /** Open an existing file for reading: every change is refused. */
  readonly readOnly?: boolean
  /**
   * Opens the file in SQLite's stead: a driver that encrypts it, with its key. Erasing then writes the whole file afresh, and backups are made
   * of the closed file.
   */
  readonly connect?: ConnectSqlite
  /** The clock for receipts' `scrubbedAt`. */
  readonly now?: () => number
}

/**
 * Opens a store in a SQLite file: makes or upgrades it. Erasures that were under way are finished in the background.
 *
 * @throws StoreError `store-schema` for a file made by a newer Keepsake or another program, `store-corrupt` for a
 * damaged one, `store-read-only`, `store-busy`, `store-full` or `store-failed`; the message says what to do.
 * @example
 * const store = await openSqliteStore({ path: 'memory.db' })
 * const scope = await store.ensureScope({ tenant: 'default', user: 'ada', agent: null, app: null })
 */
export async function openSqliteStore(options: OpenSqliteStoreOptions): Promise<Store> {
  const readOnly = options.readOnly ?? false
  const busyTimeoutMs = options.busyTimeoutMs ?? 5_000
  const file = { path: options.path, synchronous: options.synchronous ?? 'full', busyTimeoutMs }
  const database = await openDatabase({ ...file, readOnly, connect: options.connect })
  const hasJournal = isJournaled(database, options)
  const checkpoints = hasJournal ? new CheckpointThread(database) : null
  const sql = keepStatements(database, () => checkpoints?.wrote())
  defineFunctions(sql)
  const journal = hasJournal && file.synchronous === 'full' ? new JournalFlush(database.name) : null
  const connection = new Connection(sql, busyTimeoutMs, journal, checkpoints)
  if (!readOnly) await tidy(connection, options.now ?? Date.now)
  const long = hasJournal ? new LongWriter(() => openBeside(file)) : null
  if (long !== null) connection.waitFor(long)
  const reader = hasJournal ? new LongReader(() => openBeside(file)) : null
  if (reader !== null) connection.closesAfter(reader)
  return makeSqliteStore(connection, {
    readOnly,
    now: options.now ?? Date.now,
    isPlain: options.connect === undefined,
    apart: options.connect === undefined && !database.memory ? file : null,
    long,
    reader,
    wroteRows: (rows) => checkpoints?.wrote(rows),
  })
}

/** Another connection to a file that is open, for what is written or read in steps. */
async function openBeside(
  file: Pick<Required<OpenSqliteStoreOptions>, 'path' | 'synchronous' | 'busyTimeoutMs'>,
): Promise<Connection> {
  const database = await openDatabase({ ...file, readOnly: false })
  // What is much would have whoever writes it copy the journal back at its end: the thread does that.
  database.pragma(`wal_autocheckpoint = ${PAGES_LEFT_BEHIND}`)
  const sql = keepStatements(database)
  defineFunctions(sql)
  return new Connection(sql, file.busyTimeoutMs)
}

/** Who cannot write now, on a full disk or beside a writer, opens all the same, and tidies up another time. */
async function tidy(connection: Connection, now: () => number): Promise<void> {
  try {
    await removeHalfBackups(connection.sql, now())
  } catch (error) {
    if (sqliteCode(error) === null) throw error
  }
}

/** Whether changes go to a journal beside the file. Only of a file that SQLite itself writes is it known where that stands. */
function isJournaled(
  database: Database,
  { readOnly = false, connect }: Pick<OpenSqliteStoreOptions, 'readOnly' | 'connect'>,
): boolean {
  if (connect !== undefined || database.memory || readOnly) return false
  return database.pragma('journal_mode', { simple: true }) === 'wal'
}

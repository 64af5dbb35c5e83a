import { fdatasyncSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Connection, { type Database } from 'better-sqlite3'
import { sqliteCode } from '../translate-error.ts'
import { cleanPages, type Cleaned, type CleanedFile } from './clean-pages.ts'

/** A file to be cleaned. */
export interface ScrubRequest {
  readonly path: string
  /** Open for reading and writing. It stays open: see `RawFiles`. */
  readonly fd: number
}

/** `impossible`: it is not written as this code knows, and needs a VACUUM. `stopped`: asked to. */
export type ScrubOutcome = 'clean' | 'stopped' | 'impossible'

/** 2 MB a turn with pages of 8 kB: read in a millisecond or two, while writers wait. */
const PAGES_AT_A_TIME = 256
/** Others write for at least twice as long as they had to wait. */
const REST_SHARE = 2
const LEAST_REST_MS = 2
const BUSY_REST_MS = 10
/** From here on the number of a page could be taken for the kind of one: 256 GB with pages of 8 kB. */
const MOST_PAGES = 2 ** 25

/**
 * Goes through a file once and leaves no byte of what was erased before: its pages, a few at a time, then the journal. Writers wait
 * some milliseconds at a time, readers never. Needs no room on the disk.
 *
 * @throws what SQLite or the disk says, such as that it is full; it may be tried again
 */
export async function scrubPass({ path, fd }: ScrubRequest, isStopped: () => boolean): Promise<ScrubOutcome> {
  const writer = connect(path)
  const checkpointer = connect(path)
  try {
    const file = describeFile(writer, checkpointer, fd)
    if (file === null) return 'impossible'
    const isWhole = await cleanAll(file, isStopped)
    if (!isWhole) return 'stopped'
    fdatasyncSync(fd)
    return (await emptyJournal(checkpointer, isStopped)) ? 'clean' : 'stopped'
  } finally {
    checkpointer.close()
    writer.close()
  }
}

function connect(path: string): Database {
  const database = new Connection(path, { fileMustExist: true, timeout: 0 })
  database.pragma('secure_delete = ON')
  // Nothing here is acknowledged to anybody before the file itself is flushed.
  database.pragma('synchronous = NORMAL')
  database.pragma('cache_size = -256')
  return database
}

function describeFile(writer: Database, checkpointer: Database, fd: number): CleanedFile | null {
  const read = (name: string): unknown => writer.pragma(name, { simple: true })
  if (read('journal_mode') !== 'wal' || Number(read('page_count')) >= MOST_PAGES) return null
  return { writer, checkpointer, fd, pageSize: Number(read('page_size')) }
}

async function cleanAll(file: CleanedFile, isStopped: () => boolean): Promise<boolean> {
  let first = 1
  for (;;) {
    if (isStopped()) return false
    // Most of what a checkpoint flushes is flushed before anybody waits for it.
    file.checkpointer.pragma('wal_checkpoint(PASSIVE)')
    const began = performance.now()
    const done = unlessBusy(() => cleanPages(file, first, PAGES_AT_A_TIME))
    if (done === 'end') return true
    if (done === 'cleaned') first += PAGES_AT_A_TIME
    const rest = Math.max(LEAST_REST_MS, REST_SHARE * (performance.now() - began))
    await sleep(done === 'busy' ? BUSY_REST_MS : rest)
  }
}

function unlessBusy(work: () => Cleaned): Cleaned {
  try {
    return work()
  } catch (error) {
    if (isBusy(error)) return 'busy'
    throw error
  }
}

async function emptyJournal(database: Database, isStopped: () => boolean): Promise<boolean> {
  while (!isStopped()) {
    try {
      const [result] = database.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[]
      if (result?.busy === 0) return true
    } catch (error) {
      if (!isBusy(error)) throw error
    }
    await sleep(BUSY_REST_MS)
  }
  return false
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error) ?? '')
}

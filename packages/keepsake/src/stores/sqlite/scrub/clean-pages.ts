import { readSync, writeSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { findLeftovers, isBlank, ZEROS, type Span } from './find-leftovers.ts'

/** A file of SQLite's as its pages are cleaned: two connections of their own, and the file itself. */
export interface CleanedFile {
  /** Holds the write lock while pages are cleaned. */
  readonly writer: Database
  /** Brings the journal into the file meanwhile, which a connection cannot do within its own transaction. */
  readonly checkpointer: Database
  readonly fd: number
  readonly pageSize: number
}

/** `busy`: others hold the file, nothing was done. `cleaned`: go on after these. `end`: the file has no such pages. */
export type Cleaned = 'busy' | 'cleaned' | 'end'

/**
 * Zeroes, in a run of pages, every byte that no longer belongs to anything: copies of cells that moved to other pages, and free
 * pages. SQLite has no statement for that but VACUUM, which writes everybody's pages anew and keeps writers out all the while.
 *
 * What makes it safe: the write lock is held, and the whole journal stands in the file, so that neither writer nor checkpoint touches a
 * page meanwhile; SQLite reads none of these bytes. The transaction ends with a write, upon which every connection reads its
 * pages anew: none brings an old copy back.
 *
 * @param first the first page, from 1
 */
export function cleanPages(file: CleanedFile, first: number, count: number): Cleaned {
  const { writer } = file
  // Pages that this connection has kept since its last transaction would be written back as they were.
  writer.pragma('shrink_memory')
  writer.exec('BEGIN IMMEDIATE')
  let isChanged = false
  try {
    if (!isAllInFile(file.checkpointer)) return 'busy'
    const pages = Number(writer.pragma('page_count', { simple: true }))
    if (first > pages) return 'end'
    isChanged = cleanRun(file, first, Math.min(count, pages - first + 1))
    if (isChanged) touch(writer)
    return 'cleaned'
  } finally {
    writer.exec(isChanged ? 'COMMIT' : 'ROLLBACK')
  }
}

function isAllInFile(checkpointer: Database): boolean {
  const [state] = checkpointer.pragma('wal_checkpoint(PASSIVE)') as {
    readonly busy: number
    readonly log: number
    readonly checkpointed: number
  }[]
  return state?.busy === 0 && state.log === state.checkpointed
}

/** Two changes that undo each other: a statement that changes nothing would write nothing. */
function touch(writer: Database): void {
  const last = 'WHERE erasure = (SELECT max(erasure) FROM erasures)'
  writer.exec(`UPDATE erasures SET at = at + 1 ${last}; UPDATE erasures SET at = at - 1 ${last}`)
}

function cleanRun(file: CleanedFile, first: number, count: number): boolean {
  const { fd, pageSize } = file
  const run = Buffer.alloc(count * pageSize)
  const length = readSync(fd, run, 0, run.length, (first - 1) * pageSize)
  const free = readFreeList(file)
  let isChanged = false
  for (let place = 0; (place + 1) * pageSize <= length; place++) {
    const page = run.subarray(place * pageSize, (place + 1) * pageSize)
    const number = first + place
    const known = free.get(number)
    const spans = known === undefined ? findLeftovers(page, number === 1) : [known]
    for (const span of spans) {
      if (isBlank(page, span)) continue
      writeSync(fd, ZEROS, 0, span.to - span.from, (number - 1) * pageSize + span.from)
      isChanged = true
    }
  }
  return isChanged
}

/** Free pages, with what of them holds nothing: of one that lists others, what follows the list. */
function readFreeList({ writer, fd, pageSize }: CleanedFile): Map<number, Span> {
  const free = new Map<number, Span>()
  if (Number(writer.pragma('freelist_count', { simple: true })) === 0) return free
  const page = Buffer.alloc(pageSize)
  readSync(fd, page, 0, pageSize, 0)
  let trunk = page.readUInt32BE(32)
  while (trunk !== 0 && !free.has(trunk)) {
    if (readSync(fd, page, 0, pageSize, (trunk - 1) * pageSize) < pageSize) return free
    const leaves = page.readUInt32BE(4)
    if (8 + 4 * leaves > pageSize) return free
    free.set(trunk, { from: 8 + 4 * leaves, to: pageSize })
    for (let leaf = 0; leaf < leaves; leaf++)
      free.set(page.readUInt32BE(8 + 4 * leaf), { from: 0, to: pageSize })
    trunk = page.readUInt32BE(0)
  }
  return free
}

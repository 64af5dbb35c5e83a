import { Mutex } from 'async-mutex'
import { ClosedError } from '../../errors/closed-error.ts'
import { NotPossibleError } from '../../errors/not-possible-error.ts'
import { makeHolder } from '../process-holder.ts'
import type * as port from '../store.ts'
import { appendInSteps, appendTurns, isMuch } from './append-turns.ts'
import { backUp, readBackups } from './back-up.ts'
import { commitOperations } from './commit-operations.ts'
import type { Connection } from './connection.ts'
import { eraseContent } from './erase-content.ts'
import { exportRows } from './export-rows.ts'
import { importApart, isWorthAThread } from './import-apart.ts'
import { importRows } from './import-rows.ts'
import type { ImportWork } from './import-worker.ts'
import type { LongReader } from './long-reader.ts'
import type { LongWriter } from './long-writer.ts'
import { claimWork, releaseAll, releaseClaim, renewClaim, turnOverWork } from './keep-claims.ts'
import { gatherOperations } from './gather-operations.ts'
import { putImagePart, readImagePart } from './keep-images.ts'
import { readJobs, updateJob } from './keep-jobs.ts'
import { readReceipts } from './keep-receipts.ts'
import { putRecord, readRecord, readRecords, removeRecord } from './keep-records.ts'
import { readVersion } from './keep-scopes.ts'
import { KnownScopes } from './known-scopes.ts'
import { countScopes, measureStore } from './measure-store.ts'
import { areManyNewer, readIndexInSteps, readIndexRows, readVectors } from './read-index.ts'
import { countMemories, readMemories } from './read-memories.ts'
import { readOperations } from './read-operations.ts'
import { readProgress, readSessions, readTurns } from './read-turns.ts'
import { Scrubber } from './scrub/scrubber.ts'
import type { Sql } from './sql.ts'
import { sqliteCode } from './translate-error.ts'
import { reindexDocuments } from './write-documents.ts'

export interface SqliteStoreOptions {
  readonly readOnly: boolean
  readonly now: () => number
  /** Whether the file is as plain SQLite writes it; `true` when absent. */
  readonly isPlain?: boolean
  /** By what a thread opens the same file; large imports are done here when absent. */
  readonly apart?: ImportWork | null
  /** Writes in steps what is much; it is written in one go when absent. */
  readonly long?: LongWriter | null
  /** Reads in steps what is much; it is read in one go when absent. */
  readonly reader?: LongReader | null
  /** Told how many rows were written that this thread did not write in one go. */
  readonly wroteRows?: (rows: number) => void
}

function appending(
  connection: Connection,
  home: string,
  { long = null, wroteRows }: SqliteStoreOptions,
): port.Rows['append'] {
  return async (request) => {
    const { onWritten } = request
    const append = (sql: Sql) => appendTurns(sql, request, home)
    if (long === null || !isMuch(request.turns))
      return connection.callDurably((sql) => {
        const result = append(sql)
        onWritten?.(result)
        return result
      })
    const written = long.write(
      (sql) => appendInSteps(sql, request, home),
      () => connection.callWithoutFlush(append),
    )
    void written.then(onWritten, () => undefined)
    const result = await connection.whenFlushed(written)
    wroteRows?.(request.turns.length)
    return result
  }
}

function readingIndex(connection: Connection, { reader = null }: SqliteStoreOptions): port.Rows['indexRows'] {
  return async (owner, after) => {
    const here = () => connection.read((sql) => readIndexRows(sql, owner, after))
    if (reader === null || !(await connection.read((sql) => areManyNewer(sql, owner, after)))) return here()
    return reader.read((sql) => readIndexInSteps(sql, owner, after), here)
  }
}

function makeRows(
  connection: Connection,
  scopes: KnownScopes,
  home: string,
  options: SqliteStoreOptions,
): port.Rows {
  return {
    findScope: (key) => scopes.find(key),
    findSeen: (key) => scopes.seen(key),
    ensureScope: (key) => scopes.ensure(key),
    listScopes: (filter) => scopes.list(filter),
    append: appending(connection, home, options),
    turns: connection.reading(readTurns),
    sessions: connection.reading(readSessions),
    counts: connection.reading(countScopes),
    progress: connection.reading(readProgress),
    commit: async (request) =>
      request.flush === false
        ? connection.callWithoutFlush((sql) => commitOperations(sql, request, home))
        : connection.callDurably((sql) => commitOperations(sql, request, home)),
    commitAll: async (requests) => {
      const flushes = requests.some(({ flush = true }) => flush)
      const commit = (sql: Sql) => sql.write(() => requests.map((one) => commitOperations(sql, one, home)))
      return flushes ? connection.callDurably(commit) : connection.callWithoutFlush(commit)
    },
    memories: connection.reading(readMemories),
    countMemories: connection.reading(countMemories),
    operations: connection.reading(readOperations),
    gatherOperations: async (request) => connection.callWithoutFlush((sql) => gatherOperations(sql, request)),
    version: connection.reading(readVersion),
    indexRows: readingIndex(connection, options),
    vectors: connection.reading(readVectors),
    reindex: async (owner, documents) =>
      connection.callWithoutFlush((sql) => reindexDocuments(sql, owner, documents)),
  }
}

/** Derived, so no flush waits for them. */
function makeImages(connection: Connection, readOnly: boolean): port.Images {
  const imagePart = connection.reading(readImagePart)
  if (readOnly) return { imagePart }
  return {
    imagePart,
    putImagePart: async (owner, part, epoch) =>
      connection.callWithoutFlush((sql) => putImagePart(sql, owner, part, epoch)),
  }
}

/** Claims go with their process at the latest, and so need not outlive a failure of power. */
function makeJobs(connection: Connection, holder: string, { readOnly, now }: SqliteStoreOptions): port.Jobs {
  return {
    jobs: connection.reading(readJobs),
    updateJob: connection.method((sql, job: string, change: port.JobChange) =>
      updateJob(sql, job, change, now()),
    ),
    claim: async (request) => {
      // Nothing can be worked on, so nothing is taken from others.
      if (readOnly && request.owner === undefined) return { outcome: 'nothing' }
      return connection.callWithoutFlush((sql) => claimWork(sql, { holder, now: now() }, request))
    },
    turnOver: async (ended, request) => {
      if (readOnly && request.owner === undefined) return { outcome: 'nothing' }
      return connection.callWithoutFlush((sql) => turnOverWork(sql, { holder, now: now() }, ended, request))
    },
    renew: async (claim, leaseMs) =>
      connection.callWithoutFlush((sql) => renewClaim(sql, claim, now() + leaseMs)),
    endsClaims: true,
    release: async (claim) => connection.callWithoutFlush((sql) => releaseClaim(sql, claim)),
  }
}

function makeRecords(connection: Connection, now: () => number): port.Records {
  return {
    record: connection.reading((sql, collection: string, key: string) =>
      readRecord(sql, collection, key, now()),
    ),
    records: connection.reading((sql, query: port.RecordQuery) => readRecords(sql, query, now())),
    putRecord: async (record) =>
      record.flush === false
        ? connection.callWithoutFlush((sql) => putRecord(sql, record, now()))
        : connection.callDurably((sql) => putRecord(sql, record, now())),
    removeRecord: connection.method(removeRecord),
  }
}

/**
 * The `Store` over one SQLite file. Backups and scrubs take turns, since a scrub rewrites what a backup reads.
 */
export function makeSqliteStore(connection: Connection, options: SqliteStoreOptions): port.Store {
  const holder = makeHolder()
  const scopes = new KnownScopes(connection)
  const wholeFile = new Mutex()
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> => wholeFile.runExclusive(work)
  const { now, isPlain = true } = options
  const scrubber = new Scrubber(connection, { now, isPlain, alone })
  if (!options.readOnly) scrubber.start()
  return {
    name: connection.name,
    ...makeRows(connection, scopes, holder.name, options),
    ...makeImages(connection, options.readOnly),
    ...makeJobs(connection, holder.name, options),
    ...makeRecords(connection, options.now),
    ...makeErasing(connection, scopes, scrubber),
    backup: async (path) => {
      if (!isPlain)
        throw new NotPossibleError(
          'A file that another driver opens is not copied page by page: the copy might not be encrypted. Close the memory and copy the file.',
        )
      // A copy of the pages would carry what was erased and still stands between the cells.
      await scrubber.settled()
      await alone(() => connection.wait((sql) => backUp(sql, path, now())))
    },
    backups: connection.reading((sql) => readBackups(sql, now())),
    stats: connection.reading(measureStore),
    exportRows: (owner) => exportFrom(connection, owner),
    importRows: async (rows) => {
      const all: port.ExportRow[] = []
      for await (const row of rows) all.push(row)
      const { apart = null } = options
      const imported = await (apart !== null && isWorthAThread(all.length)
        ? alone(() => {
            if (!connection.isOpen) throw new ClosedError()
            return importApart(apart, all)
          })
        : connection.call((sql) => importRows(sql, all)))
      scopes.forget()
      options.wroteRows?.(all.length)
      return imported
    },
    close: async () => {
      await scrubber.stop()
      await alone(async () => {
        if (!connection.isOpen) return
        await closeFile(connection, holder.name, options)
        scrubber.release()
      })
      holder.release()
    },
  }
}

function makeErasing(
  connection: Connection,
  scopes: KnownScopes,
  scrubber: Scrubber,
): Pick<port.Maintenance, 'erase' | 'receipts' | 'proven' | 'watchErasures'> {
  return {
    erase: async (request) => {
      const receipt = await connection.call((sql) => eraseContent(sql, request))
      scopes.forget()
      if (receipt.scrubbedAt === null) scrubber.start()
      return receipt
    },
    receipts: connection.reading(readReceipts),
    proven: (id, patienceMs) => scrubber.proven(id, patienceMs),
    watchErasures: (listener) => scrubber.watch(listener),
  }
}

async function* exportFrom(connection: Connection, owner: number): AsyncGenerator<port.ExportRow> {
  const rows = connection.run((sql) => exportRows(sql, owner))
  for (;;) {
    const next = connection.run(() => rows.next())
    if (next.done) return
    yield next.value
  }
}

async function closeFile(
  connection: Connection,
  holder: string,
  { readOnly }: SqliteStoreOptions,
): Promise<void> {
  try {
    if (!readOnly) releaseAll(connection.sql, holder)
  } catch (error) {
    // On a full disk, for example: claims that cannot be given back end with their process.
    if (sqliteCode(error) === null) throw error
  } finally {
    await connection.close()
  }
}

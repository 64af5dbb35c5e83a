import { Mutex } from 'async-mutex'
import { makeHolder } from '../process-holder.ts'
import type * as port from '../store.ts'
import { appendTurns } from './append-turns.ts'
import { backUp } from './back-up.ts'
import { commitOperations } from './commit-operations.ts'
import type { Connection } from './connection.ts'
import { eraseContent } from './erase-content.ts'
import { exportRows } from './export-rows.ts'
import { importRows } from './import-rows.ts'
import { claimWork, releaseAll, releaseClaim, renewClaim } from './keep-claims.ts'
import { gatherOperations } from './gather-operations.ts'
import { putImagePart, readImagePart } from './keep-images.ts'
import { readJobs, updateJob } from './keep-jobs.ts'
import { readReceipt, readReceipts } from './keep-receipts.ts'
import { putRecord, readRecord, readRecords, removeRecord } from './keep-records.ts'
import { readVersion } from './keep-scopes.ts'
import { KnownScopes } from './known-scopes.ts'
import { measureStore } from './measure-store.ts'
import { readIndexRows, readVectors } from './read-index.ts'
import { readMemories } from './read-memories.ts'
import { readOperations } from './read-operations.ts'
import { readProgress, readSessions, readTurns } from './read-turns.ts'
import { scrubFile } from './scrub-file.ts'
import type { Sql } from './sql.ts'
import { translateError } from './translate-error.ts'
import { reindexDocuments } from './write-documents.ts'

export interface SqliteStoreOptions {
  readonly readOnly: boolean
  /** How long `erase` waits for other processes to let go of the journal before it leaves the scrub for later. */
  readonly scrubPatienceMs: number
  readonly now: () => number
}

function makeRows(connection: Connection, scopes: KnownScopes): port.Rows {
  return {
    findScope: (key) => scopes.find(key),
    ensureScope: (key) => scopes.ensure(key),
    listScopes: (filter) => scopes.list(filter),
    append: connection.method(appendTurns),
    turns: connection.method(readTurns),
    sessions: connection.method(readSessions),
    progress: connection.method(readProgress),
    commit: async (request) =>
      request.flush === false
        ? connection.runWithoutFlush((sql) => commitOperations(sql, request))
        : connection.run((sql) => commitOperations(sql, request)),
    commitAll: async (requests) => {
      const flushes = requests.some(({ flush = true }) => flush)
      const commit = (sql: Sql) => sql.write(() => requests.map((one) => commitOperations(sql, one)))
      return flushes ? connection.run(commit) : connection.runWithoutFlush(commit)
    },
    memories: connection.method(readMemories),
    operations: connection.method(readOperations),
    gatherOperations: async (request) => connection.runWithoutFlush((sql) => gatherOperations(sql, request)),
    version: connection.method(readVersion),
    indexRows: connection.method(readIndexRows),
    vectors: connection.method(readVectors),
    reindex: connection.method(reindexDocuments),
  }
}

/** Derived, so no flush waits for them. */
function makeImages(connection: Connection, readOnly: boolean): port.Images {
  const imagePart = connection.method(readImagePart)
  if (readOnly) return { imagePart }
  return {
    imagePart,
    putImagePart: async (owner, part, epoch) =>
      connection.runWithoutFlush((sql) => putImagePart(sql, owner, part, epoch)),
  }
}

/** Claims go with their process at the latest, and so need not outlive a failure of power. */
function makeJobs(connection: Connection, holder: string, { readOnly, now }: SqliteStoreOptions): port.Jobs {
  return {
    jobs: connection.method(readJobs),
    updateJob: connection.method((sql, job: string, change: port.JobChange) =>
      updateJob(sql, job, change, now()),
    ),
    claim: async (request) => {
      // Nothing can be worked on, so nothing is taken from others.
      if (readOnly && request.owner === undefined) return { outcome: 'nothing' }
      return connection.runWithoutFlush((sql) => claimWork(sql, { holder, now: now() }, request))
    },
    renew: async (claim, leaseMs) =>
      connection.runWithoutFlush((sql) => renewClaim(sql, claim, now() + leaseMs)),
    release: async (claim) => connection.runWithoutFlush((sql) => releaseClaim(sql, claim)),
  }
}

function makeRecords(connection: Connection, now: () => number): port.Records {
  return {
    record: connection.method((sql, collection: string, key: string) =>
      readRecord(sql, collection, key, now()),
    ),
    records: connection.method((sql, query: port.RecordQuery) => readRecords(sql, query, now())),
    putRecord: async (record) =>
      record.flush === false
        ? connection.runWithoutFlush((sql) => putRecord(sql, record, now()))
        : connection.run((sql) => putRecord(sql, record, now())),
    removeRecord: connection.method(removeRecord),
  }
}

/**
 * The `Store` over one SQLite file. Only `erase`, `backup`, `close` and the reading of an import wait in between; all but the last take
 * turns, since a scrub rewrites what a backup reads.
 */
export async function makeSqliteStore(
  connection: Connection,
  options: SqliteStoreOptions,
): Promise<port.Store> {
  const holder = makeHolder()
  const scopes = new KnownScopes(connection)
  const wholeFile = new Mutex()
  const scrub = (patienceMs: number): Promise<boolean> =>
    wholeFile.runExclusive(() => connection.wait((sql) => scrubFile(sql, options.now, patienceMs)))
  // One try: whoever holds the file now may be scrubbing it, and the receipt stays until someone has.
  if (!options.readOnly) await scrub(0)
  return {
    name: connection.name,
    ...makeRows(connection, scopes),
    ...makeImages(connection, options.readOnly),
    ...makeJobs(connection, holder.name, options),
    ...makeRecords(connection, options.now),
    erase: async (request) => {
      scopes.forget()
      const receipt = connection.run((sql) => eraseContent(sql, request))
      if (receipt.scrubbedAt !== null) return receipt
      await scrub(options.scrubPatienceMs)
      return connection.run((sql) => readReceipt(sql, request.id)) ?? receipt
    },
    receipts: connection.method(readReceipts),
    backup: (path) => wholeFile.runExclusive(() => connection.wait((sql) => backUp(sql, path))),
    stats: connection.method(measureStore),
    exportRows: (owner) => exportFrom(connection, owner),
    importRows: async (rows) => {
      const all: port.ExportRow[] = []
      for await (const row of rows) all.push(row)
      scopes.forget()
      return connection.run((sql) => importRows(sql, all))
    },
    close: () =>
      wholeFile.runExclusive(async () => {
        if (connection.isOpen) await closeFile(connection, holder.name, options)
        holder.release()
      }),
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
  { sql, name }: Connection,
  holder: string,
  { readOnly, now }: SqliteStoreOptions,
): Promise<void> {
  try {
    if (readOnly) return
    releaseAll(sql, holder)
    await scrubFile(sql, now, 0)
  } catch (error) {
    throw translateError(error, name)
  } finally {
    sql.database.close()
  }
}

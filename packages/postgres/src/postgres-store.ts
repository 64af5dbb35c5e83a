import {
  makeHolder,
  NotPossibleError,
  StoreError,
  type Candidates,
  type ExportRow,
  type Images,
  type Jobs,
  type Maintenance,
  type Records,
  type Rows,
  type Store,
} from 'keepsake/store-kit'
import { appendTurns } from './append-turns.ts'
import { findCandidates } from './candidates/find-candidates.ts'
import { isLarge } from './candidates/is-large.ts'
import { keepCandidates } from './candidates/keep-candidates.ts'
import { findVectors, type VectorExtension } from './candidates/vector-extension.ts'
import { commitAll, commitOperations } from './commit-operations.ts'
import type { Sessions } from './connection/session.ts'
import { Transactions } from './connection/transactions.ts'
import type { Database } from './database.ts'
import { eraseContent } from './erase-content.ts'
import { exportRows } from './export-rows.ts'
import { gatherOperations } from './gather-operations.ts'
import { importRows } from './import-rows.ts'
import { ClaimKeeper, releaseAll, releaseClaim, renewClaim } from './keep-claims.ts'
import { putImagePart, readImagePart } from './keep-images.ts'
import { readJobs, updateJob } from './keep-jobs.ts'
import { readReceipts } from './keep-receipts.ts'
import { putRecord, readRecord, readRecords, removeRecord } from './keep-records.ts'
import { listScopes, readVersion, ScopeFinder } from './keep-scopes.ts'
import { countScopes, measureStore } from './measure-store.ts'
import { chooseRole, migrate } from './migrate.ts'
import { Names } from './names.ts'
import { readIndexRows, readVectors } from './read-index.ts'
import { countMemories, readMemories } from './read-memories.ts'
import { readOperations } from './read-operations.ts'
import { readProgress, readSessions, readTurns } from './read-turns.ts'
import type { Scrub } from './scrub-rows.ts'
import { Scrubber } from './scrubber.ts'
import { translateError } from './translate-error.ts'
import { WorkWatch } from './watch-work.ts'
import { reindexDocuments } from './write-documents.ts'

export interface PostgresStoreOptions {
  readonly schema: string
  readonly partitions: number
  readonly scrub: Scrub
  readonly mustExist: boolean
  readonly lockTimeoutMs: number
  /** Absent: as the schema has it. */
  readonly candidates?: boolean | undefined
}

/** The `Store` over one schema of a database. */
export async function makePostgresStore(sessions: Sessions, options: PostgresStoreOptions): Promise<Store> {
  const { schema } = options
  try {
    await migrate(sessions, options)
    const vectors = await findVectors(sessions, schema, options.candidates)
    const role = await chooseRole(sessions, schema)
    const transactions = new Transactions(sessions, { schema, role, lockTimeoutMs: options.lockTimeoutMs })
    const holder = makeHolder()
    const watch = new WorkWatch(sessions, schema, holder.name)
    const names = new Names(transactions)
    const database = {
      transactions,
      names,
      schema,
      holder: holder.name,
      tellOfWork: watch.tell,
      tellOfChanges: watch.tellChanges,
    }
    const scrubber = new Scrubber(database, sessions, options.scrub)
    scrubber.start()
    return {
      name: sessions.name,
      ...makeRows(database, watch),
      onLoss: (listener) => sessions.onNewLife?.(listener),
      ...makeJobs(database, watch),
      ...makeImages(database),
      ...(vectors === null ? {} : { candidates: makeCandidates(database, sessions, vectors) }),
      ...makeRecords(database),
      ...makeMaintenance(database, scrubber),
      close: closer(async () => {
        holder.release()
        await scrubber.stop()
        await watch.close()
        // Claims that cannot be given back, where the server is gone for example, lapse.
        await releaseAll(database).catch(unlessOurs)
        await sessions.close()
      }),
    }
  } catch (error) {
    await sessions.close()
    throw translateError(error, sessions.name)
  }
}

function makeRows(database: Database, watch: WorkWatch): Rows {
  const scopes = new ScopeFinder()
  return {
    isRemote: true,
    findScope: (key) => scopes.find(database, key),
    findSeen: (key) => scopes.seen(database, key),
    ensureScope: (key) => scopes.ensure(database, key),
    listScopes: (filter) => listScopes(database, filter),
    append: (request) => appendTurns(database, request),
    turns: (query) => readTurns(database, query),
    sessions: (owner, of, page) => readSessions(database, owner, of, page),
    counts: (owner, of) => countScopes(database, owner, of),
    progress: (owner, scope) => readProgress(database, owner, scope),
    commit: (request) => commitOperations(database, request),
    commitAll: (requests) => commitAll(database, requests),
    memories: (query) => readMemories(database, query),
    countMemories: (query) => countMemories(database, query),
    operations: (query) => readOperations(database, query),
    gatherOperations: (request) => gatherOperations(database, request),
    version: (owner) => readVersion(database, owner),
    indexRows: (owner, after) => readIndexRows(database, owner, after),
    vectors: (owner, documents, embedder) => readVectors(database, owner, documents, embedder),
    watchChanges: (listener) => watch.watchChanges(listener),
    reindex: (owner, documents) => reindexDocuments(database, owner, documents),
  }
}

function makeImages(database: Database): Images {
  return {
    imagePart: (owner, part) => readImagePart(database, owner, part),
    putImagePart: (owner, part, epoch) => putImagePart(database, owner, part, epoch),
  }
}

/** Tables that candidates are found and read in. */
const SEARCHED = [
  'candidates',
  'candidate_words',
  'turns',
  'sessions',
  'memories',
  'memory_documents',
  'evidence',
]

function makeCandidates(database: Database, sessions: Sessions, vectors: VectorExtension): Candidates {
  const tables = SEARCHED.map((table) => `${database.schema}.${table}`)
  const countRows = (): Promise<void> =>
    sessions.use((session) => session.command(`ANALYZE ${tables.join(', ')}`))
  return {
    isLarge: (owner, documents) => isLarge(database, owner, documents),
    keep: (kept) => keepCandidates(database, { vectors, countRows }, kept),
    find: (question) => findCandidates(database, vectors, question),
  }
}

function makeJobs(database: Database, watch: WorkWatch): Jobs {
  const claims = new ClaimKeeper(database)
  return {
    jobs: (filter) => readJobs(database, filter),
    updateJob: (job, change) => updateJob(database, job, change),
    claim: (request) => claims.claim(request),
    renew: (claim, leaseMs) => renewClaim(database, claim, leaseMs),
    endsClaims: true,
    release: (claim) => releaseClaim(database, claim),
    watch: (listener) => watch.watch(listener),
  }
}

function makeRecords(database: Database): Records {
  return {
    record: (collection, key) => readRecord(database, collection, key),
    records: (query) => readRecords(database, query),
    putRecord: (record) => putRecord(database, record),
    removeRecord: (collection, key, version) => removeRecord(database, collection, key, version),
  }
}

function makeMaintenance(database: Database, scrubber: Scrubber): Omit<Maintenance, 'name' | 'close'> {
  const { transactions } = database
  return {
    erase: async (request) => {
      const receipt = await eraseContent(database, request)
      database.tellOfChanges([
        { owner: request.owner, sequence: Number.MAX_SAFE_INTEGER, turns: [], erasures: 1 },
      ])
      if (receipt.scrubbedAt === null) scrubber.start()
      return receipt
    },
    proven: (id, patienceMs) => scrubber.proven(id, patienceMs),
    watchErasures: (listener) => scrubber.watch(listener),
    receipts: (owner) => readReceipts(database, owner),
    backup: async () => {
      // Closed is closed, whatever is asked.
      await transactions.read('all', (sql) => sql.value`SELECT 1`)
      throw new NotPossibleError(
        'A store in Postgres is backed up by Postgres: pg_dump for one database, or a base backup with its WAL for any point in time (docs/operations.md). A person is copied by an export.',
      )
    },
    stats: (owner) => measureStore(database, owner),
    exportRows: (owner) => exportRows(database, owner),
    importRows: async (rows) => {
      const all: ExportRow[] = []
      for await (const row of rows) all.push(row)
      return importRows(database, all)
    },
  }
}

/** What the server did is no reason not to close. */
function unlessOurs(error: unknown): void {
  if (!(error instanceof StoreError)) throw error
}

/** Closing twice does it once. */
function closer(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | null = null
  return () => (closing ??= close())
}

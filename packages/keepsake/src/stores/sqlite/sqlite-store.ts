import { Mutex } from 'async-mutex'
import { ClosedError } from '../../errors/closed-error.ts'
import type { Operation } from '../../memories/operation.ts'
import type { ScopeRow, StoredScopeKey } from '../../scopes/scope.ts'
import type { Turn } from '../../turns/turn.ts'
import { makeHolder } from '../process-holder.ts'
import type * as port from '../store.ts'
import { appendTurns } from './append-turns.ts'
import { backUp } from './back-up.ts'
import { commitOperations } from './commit-operations.ts'
import { eraseContent } from './erase-content.ts'
import { exportRows } from './export-rows.ts'
import { importRows } from './import-rows.ts'
import { defineFunctions } from './define-functions.ts'
import { claimWork, releaseAll, releaseClaim, renewClaim } from './keep-claims.ts'
import { readJobs, updateJob } from './keep-jobs.ts'
import { putRecord, readRecord, readRecords, removeRecord } from './keep-records.ts'
import { readReceipt, readReceipts } from './keep-receipts.ts'
import { ensureScope, findScope, listScopes, readVersion } from './keep-scopes.ts'
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

/** Look-ups of scopes kept before they are all forgotten: some 300 bytes each. */
const MOST_SCOPES = 10_000

/** In WAL mode a commit then does not wait for the disk; the next that does takes it along. */
function withoutFlush<Result>({ database }: Sql, work: () => Result): Result {
  const before = String(database.pragma('synchronous', { simple: true }))
  database.pragma('synchronous = NORMAL')
  try {
    return work()
  } finally {
    database.pragma(`synchronous = ${before}`)
  }
}

/**
 * The `Store` over one SQLite file. SQLite answers at once, on this thread: each method does its whole work
 * before it gives its promise, so calls never interleave within a transaction. Only `erase`, `backup` and the
 * reading of an import wait in between; the first two take turns, since a scrub rewrites what a backup reads.
 */
export class SqliteStore implements port.Store {
  readonly name: string
  readonly #sql: Sql
  readonly #options: SqliteStoreOptions
  readonly #holder = makeHolder()
  readonly #wholeFile = new Mutex()
  readonly #scopes = new Map<string, readonly ScopeRow[]>()
  #dataVersion = -1

  constructor(sql: Sql, options: SqliteStoreOptions) {
    this.name = sql.database.name
    this.#sql = sql
    this.#options = options
    defineFunctions(sql)
  }

  async findScope(key: StoredScopeKey): Promise<ScopeRow | null> {
    const [row] = this.#lookUp(['one', key.tenant, key.user, key.agent, key.app], (sql) => {
      const found = findScope(sql, key)
      return found === null ? [] : [found]
    })
    return row ?? null
  }

  async ensureScope(key: StoredScopeKey): Promise<ScopeRow> {
    const known = await this.findScope(key)
    if (known !== null) return known
    this.#scopes.clear()
    return this.#run((sql) => ensureScope(sql, key))
  }

  async listScopes(filter: { tenant?: string; user?: string } = {}): Promise<ScopeRow[]> {
    const { tenant, user } = filter
    if (tenant === undefined || user === undefined) return this.#run((sql) => listScopes(sql, filter))
    return [...this.#lookUp(['all', tenant, user], (sql) => listScopes(sql, filter))]
  }

  /** A person's scopes, read once: every call asks for them, and they change only when one is made, erased or imported. */
  #lookUp(key: readonly (string | null)[], read: (sql: Sql) => readonly ScopeRow[]): readonly ScopeRow[] {
    return this.#run((sql) => {
      // Changes with every commit of another connection, and with none of this one.
      const version = sql.value<number>('PRAGMA data_version') ?? 0
      if (version !== this.#dataVersion || this.#scopes.size >= MOST_SCOPES) this.#scopes.clear()
      this.#dataVersion = version
      const name = JSON.stringify(key)
      const known = this.#scopes.get(name)
      if (known !== undefined) return known
      const rows = read(sql)
      this.#scopes.set(name, rows)
      return rows
    })
  }

  async append(request: port.AppendRequest): Promise<port.AppendResult> {
    return this.#run((sql) => appendTurns(sql, request))
  }

  async turns(query: port.TurnQuery): Promise<Turn[]> {
    return this.#run((sql) => readTurns(sql, query))
  }

  async sessions(owner: number, scopes: readonly number[]): Promise<port.SessionRow[]> {
    return this.#run((sql) => readSessions(sql, owner, scopes))
  }

  async progress(owner: number, scope: number): Promise<port.ScopeProgress> {
    return this.#run((sql) => readProgress(sql, owner, scope))
  }

  async commit(request: port.CommitRequest): Promise<port.CommitResult> {
    const commit = (sql: Sql): port.CommitResult => commitOperations(sql, request)
    return request.flush === false ? this.#runWithoutFlush(commit) : this.#run(commit)
  }

  async memories(query: port.MemoryQuery): Promise<port.StoredMemory[]> {
    return this.#run((sql) => readMemories(sql, query))
  }

  async operations(query: port.OperationQuery): Promise<Operation[]> {
    return this.#run((sql) => readOperations(sql, query))
  }

  async version(owner: number): Promise<port.OwnerVersion> {
    return this.#run((sql) => readVersion(sql, owner))
  }

  async indexRows(owner: number, after: number): Promise<port.IndexRows> {
    return this.#run((sql) => readIndexRows(sql, owner, after))
  }

  async vectors(
    owner: number,
    documents: readonly string[],
    embedder: string,
  ): Promise<Map<string, Float32Array>> {
    return this.#run((sql) => readVectors(sql, owner, documents, embedder))
  }

  async reindex(owner: number, documents: readonly port.NewDocument[]): Promise<void> {
    return this.#run((sql) => reindexDocuments(sql, owner, documents))
  }

  async jobs(filter?: { owner?: number; state?: port.JobState }): Promise<port.JobRow[]> {
    return this.#run((sql) => readJobs(sql, filter))
  }

  async updateJob(job: string, change: port.JobChange): Promise<void> {
    return this.#run((sql) => updateJob(sql, job, change, this.#options.now()))
  }

  async claim(request: port.ClaimRequest): Promise<port.ClaimResult> {
    const claimant = { holder: this.#holder.name, now: this.#options.now() }
    // Nothing can be worked on, so nothing is taken from others.
    if (this.#options.readOnly && request.owner === undefined) return { outcome: 'nothing' }
    return this.#runWithoutFlush((sql) => claimWork(sql, claimant, request))
  }

  async renew(claim: string, leaseMs: number): Promise<boolean> {
    return this.#runWithoutFlush((sql) => renewClaim(sql, claim, this.#options.now() + leaseMs))
  }

  async release(claim: string): Promise<void> {
    return this.#runWithoutFlush((sql) => releaseClaim(sql, claim))
  }

  async record(collection: string, key: string): Promise<port.StoredRecord | null> {
    return this.#run((sql) => readRecord(sql, collection, key, this.#options.now()))
  }

  async records(query: port.RecordQuery): Promise<port.StoredRecord[]> {
    return this.#run((sql) => readRecords(sql, query, this.#options.now()))
  }

  async putRecord(record: port.NewRecord): Promise<port.StoredRecord | null> {
    const put = (sql: Sql): port.StoredRecord | null => putRecord(sql, record, this.#options.now())
    return record.flush === false ? this.#runWithoutFlush(put) : this.#run(put)
  }

  async removeRecord(collection: string, key: string, version?: string): Promise<boolean> {
    return this.#run((sql) => removeRecord(sql, collection, key, version))
  }

  async erase(request: port.EraseRequest): Promise<port.EraseReceipt> {
    this.#scopes.clear()
    const receipt = this.#run((sql) => eraseContent(sql, request))
    if (receipt.scrubbedAt !== null) return receipt
    await this.scrub(this.#options.scrubPatienceMs)
    return this.#run((sql) => readReceipt(sql, request.id)) ?? receipt
  }

  /** Finishes erasures whose words may still stand in the file; whether none is left. */
  async scrub(patienceMs: number): Promise<boolean> {
    return this.#wholeFile.runExclusive(() =>
      this.#wait((sql) => scrubFile(sql, this.#options.now, patienceMs)),
    )
  }

  async receipts(owner: number): Promise<port.EraseReceipt[]> {
    return this.#run((sql) => readReceipts(sql, owner))
  }

  async backup(path: string): Promise<void> {
    return this.#wholeFile.runExclusive(() => this.#wait((sql) => backUp(sql, path)))
  }

  async stats(owner?: number): Promise<port.StoreStats> {
    return this.#run((sql) => measureStore(sql, owner))
  }

  async *exportRows(owner: number): AsyncGenerator<port.ExportRow> {
    const rows = this.#run((sql) => exportRows(sql, owner))
    for (;;) {
      const next = this.#run(() => rows.next())
      if (next.done) return
      yield next.value
    }
  }

  async importRows(rows: AsyncIterable<port.ExportRow> | Iterable<port.ExportRow>): Promise<ScopeRow[]> {
    const all: port.ExportRow[] = []
    for await (const row of rows) all.push(row)
    this.#scopes.clear()
    return this.#run((sql) => importRows(sql, all))
  }

  async close(): Promise<void> {
    if (!this.#sql.database.open) return
    await this.#wholeFile.runExclusive(async () => {
      if (!this.#sql.database.open) return
      try {
        if (this.#options.readOnly) return
        releaseAll(this.#sql, this.#holder.name)
        await scrubFile(this.#sql, this.#options.now, 0)
      } catch (error) {
        throw translateError(error, this.name)
      } finally {
        this.#holder.release()
        this.#sql.database.close()
      }
    })
  }

  #run<Result>(work: (sql: Sql) => Result): Result {
    if (!this.#sql.database.open) throw new ClosedError()
    try {
      return work(this.#sql)
    } catch (error) {
      throw translateError(error, this.name)
    }
  }

  /** A claim that a failure of power takes was its process's, which went with it. */
  #runWithoutFlush<Result>(work: (sql: Sql) => Result): Result {
    return this.#run((sql) => withoutFlush(sql, () => work(sql)))
  }

  async #wait<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    if (!this.#sql.database.open) throw new ClosedError()
    try {
      return await work(this.#sql)
    } catch (error) {
      throw translateError(error, this.name)
    }
  }
}

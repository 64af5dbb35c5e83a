// Makes a store for any SQL database from the functions of this folder.
import { sql, type RawBuilder } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  MEMORY_STATUSES,
  type MemoryForm,
  type MemoryStatus,
  type MemoryType,
} from '../../memories/memory.ts'
import type {
  AppendResult,
  ChangeNote,
  EraseReceipt,
  ExportRow,
  MemoryCount,
  StatsFilter,
  Store,
  StoreStats,
} from '../store.ts'
import { appendTurns } from './append-turns.ts'
import { addUsage, commitChange, saveDocuments } from './commit-change.ts'
import { eraseContent, listErasures, markPurged, listUnpurged } from './erase-content.ts'
import { exportUser, importUser } from './export-user.ts'
import { claimUser, findWork, listJobs, releaseClaim, renewClaim, updateJob } from './jobs.ts'
import { listMemories, listOperations, listSessions, listTurns } from './list-rows.ts'
import { loadUser } from './load-user.ts'
import { getRecord, listRecords, putRecord, removeRecord } from './records.ts'
import { createScope, findScope, listScopes, readCounters } from './scopes.ts'
import { SqlClient, type SqlDatabase, type Transaction } from './sql-database.ts'

/** Delay between two tries to remove the bytes of erased rows. */
const PURGE_RETRY_MS = 2_000

/** Makes a store on a SQL database. */
export function makeSqlStore(database: SqlDatabase): Store {
  const client = new SqlClient(database)
  const purger = new Purger(client)
  if (!database.isReadOnly) purger.resume()
  const announce = (note: Partial<ChangeNote> & Pick<ChangeNote, 'userId' | 'sequence'>): void =>
    database.announce({ turns: [], erasures: 0, hasJobs: false, ...note })
  // Lost writes of a file do no harm after a crash: its caches are lost as well. Caches of a database server stay, so a lost
  // revision could be given twice.
  const writeDerived: SqlClient['write'] = (userId, work) =>
    database.hasRowLocks ? client.write(userId, work) : client.writeDerived(userId, work)
  return {
    name: database.name,
    findScope: (key) => client.readOnce('users', (tx) => findScope(tx, key)),
    ensureScope: async (key) =>
      (await client.readOnce('users', (tx) => findScope(tx, key))) ??
      client.write('users', (tx) => createScope(tx, key)),
    listScopes: (filter) => client.readOnce('users', (tx) => listScopes(tx, filter)),
    revision: async (userId) => (await client.read(userId, (tx) => readCounters(tx, userId))).revision,
    loadUser: (request) => client.read(request.userId, (tx) => loadUser(tx, request)),
    append: async (request) => {
      const { userId } = request
      const result = await client.write(userId, (tx) => appendTurns(tx, request))
      announce({
        userId,
        sequence: result.sequence,
        turns: positionsBefore(result),
        hasJobs: request.jobs.length > 0,
      })
      return result
    },
    commit: async (change, expectedRevision) => {
      const { userId } = change
      const commit = (tx: Transaction) => commitChange(tx, change, expectedRevision)
      const result = await (change.isDerived === true
        ? writeDerived(userId, commit)
        : client.write(userId, commit))
      const [first] = result.outcome === 'committed' ? result.operations : []
      const hasJobs = change.queueJobs.length > 0
      if (result.outcome === 'committed' && (first !== undefined || hasJobs))
        announce({ userId, sequence: (first?.sequence ?? Infinity) - 1, hasJobs })
      return result
    },
    addUsage: (userId, counts) => client.writeDerived(userId, (tx) => addUsage(tx, userId, counts)),
    saveDocuments: (userId, documents) => writeDerived(userId, (tx) => saveDocuments(tx, userId, documents)),
    listTurns: (query) => client.read(query.userId, (tx) => listTurns(tx, query)),
    listSessions: (query) => client.readOnce(query.userId, (tx) => listSessions(tx, query)),
    listMemories: (query) => client.read(query.userId, (tx) => listMemories(tx, query)),
    listOperations: (query) => client.read(query.userId, (tx) => listOperations(tx, query)),
    listJobs: (filter) => client.readOnce(filter?.owner ?? 'users', (tx) => listJobs(tx, filter)),
    updateJob: (userId, job, change) => client.write(userId, (tx) => updateJob(tx, userId, job, change)),
    claimJobs: async (request) => {
      for (;;) {
        // Usually no work waits, so a read comes first: a write would lock the database.
        const found = request.userId ?? (await client.read('users', (tx) => findWork(tx)))
        if (typeof found === 'string') return { outcome: found }
        const claim = await client.writeDerived(found, (tx) => claimUser(tx, found, request))
        if (claim !== null) return { outcome: 'claimed', claim }
        if (request.userId !== undefined) return { outcome: 'held' }
      }
    },
    renewClaim: (claim, leaseMs) => client.writeDerived('users', (tx) => renewClaim(tx, claim, leaseMs)),
    releaseClaim: (claim) => client.writeDerived('users', (tx) => releaseClaim(tx, claim)),
    getRecord: (collection, key) => client.readOnce('users', (tx) => getRecord(tx, collection, key)),
    listRecords: (query) => client.read('users', (tx) => listRecords(tx, query)),
    putRecord: (record) =>
      record.isDerived === true
        ? client.writeDerived('users', (tx) => putRecord(tx, record))
        : client.write('users', (tx) => putRecord(tx, record)),
    removeRecord: (collection, key, version) =>
      client.write('users', (tx) => removeRecord(tx, collection, key, version)),
    erase: async (request) => {
      const { userId } = request
      const receipt = await client.write(userId, (tx) => eraseContent(tx, request))
      if (receipt.purgedAt !== null) return receipt
      announce({ userId, sequence: Infinity, erasures: 1 })
      await purger.purge()
      return (await purger.receiptOf(userId, receipt.id)) ?? receipt
    },
    listErasures: (userId) => client.read(userId, (tx) => listErasures(tx, userId)),
    exportUser: (userId) => exportUser(client, userId),
    importUser: async (rows) => {
      const exportRows: ExportRow[] = []
      for await (const row of rows) exportRows.push(row)
      return client.write('users', (tx) => importUser(tx, exportRows))
    },
    stats: async (filter = {}) => {
      const counts = await client.read(filter.userId ?? 'counts', (tx) => countRows(tx, filter))
      return { ...counts, bytes: await database.measure(), schema: database.schemaVersion }
    },
    watch: (listener) => database.watch(listener),
    close: async () => {
      if (!(await client.stop())) return
      await purger.stop()
      await database.close()
    },
  }
}

/** Returns the position before the added turns; an empty list if none were added. */
function positionsBefore({ added: [first] }: AppendResult): ChangeNote['turns'] {
  return first === undefined ? [] : [{ scope: first.scope, position: first.position - 1 }]
}

/** Removes the bytes of erased rows from the files, and records that they are removed. Failures are retried. */
class Purger {
  readonly #client: SqlClient
  readonly #stopping = new AbortController()
  #running: Promise<void> | null = null

  constructor(client: SqlClient) {
    this.#client = client
  }

  /** Tries once. If that fails, further tries follow in the background. */
  async purge(): Promise<void> {
    if (!(await this.#tryOnce(true).catch(() => false))) this.resume()
  }

  /** Finishes the purges of earlier processes in the background. */
  resume(): void {
    this.#running ??= this.#retry()
  }

  async receiptOf(userId: number, id: string): Promise<EraseReceipt | undefined> {
    const receipts = await this.#client.read(userId, (tx) => listErasures(tx, userId))
    return receipts.find((receipt) => receipt.id === id)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #retry(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await sleep(PURGE_RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined)
      // If the store is closed, the next process that opens it continues.
      if (signal.aborted || (await this.#tryOnce(false).catch(() => false))) break
    }
    this.#running = null
  }

  async #tryOnce(isUrgent: boolean): Promise<boolean> {
    const { database } = this.#client
    if (database.purge === undefined) return true
    // The list is read before the purge, since later erasures need a purge of their own.
    const unpurged = await this.#client.read('users', (tx) => listUnpurged(tx))
    if (unpurged.length === 0) return true
    if (!(await database.purge(isUrgent))) return false
    await this.#client.writeDerived('users', (tx) => markPurged(tx, unpurged))
    return true
  }
}

async function countRows(
  tx: Transaction,
  filter: StatsFilter,
): Promise<Omit<StoreStats, 'bytes' | 'schema'>> {
  const { userId, scopes } = filter
  const namesNoScope = scopes?.length === 0
  const count = async (table: CountedTable, condition?: RawBuilder<boolean>): Promise<number> => {
    if (namesNoScope) return 0
    let select = tx.db
      .selectFrom(table as 'turns')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
    if (userId !== undefined) select = select.where('user_id', '=', userId)
    if (scopes !== undefined && table !== 'users') select = select.where('scope_id', 'in', scopes)
    if (condition !== undefined) select = select.where(condition)
    return Number((await select.executeTakeFirst())?.count ?? 0)
  }
  const kinds = namesNoScope ? [] : await countKinds(tx, filter)
  const countStatus = (status: MemoryStatus): number =>
    kinds.reduce((sum, kind) => sum + (kind.status === status ? kind.count : 0), 0)
  return {
    users: await count('users', sql<boolean>`tenant IS NOT NULL`),
    scopes: await count('scopes', sql<boolean>`is_erased = 0`),
    sessions: await count('sessions'),
    turns: await count('turns', sql<boolean>`text IS NOT NULL`),
    operations: await count('operations'),
    memories: Object.fromEntries(
      MEMORY_STATUSES.map((status) => [status, countStatus(status)]),
    ) as StoreStats['memories'],
    kinds,
    jobs: await count('jobs'),
  }
}

type CountedTable = 'users' | 'scopes' | 'sessions' | 'turns' | 'operations' | 'jobs'

async function countKinds({ db }: Transaction, { userId, scopes }: StatsFilter): Promise<MemoryCount[]> {
  const rows = await db
    .selectFrom('memories')
    .select(['status', 'form', 'type'])
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .$if(userId !== undefined, (select) => select.where('user_id', '=', userId ?? 0))
    .$if(scopes !== undefined, (select) => select.where('scope_id', 'in', scopes ?? []))
    .groupBy(['status', 'form', 'type'])
    .orderBy('status')
    .orderBy('form')
    .orderBy('type')
    .execute()
  return rows.map(({ status, form, type, count }) => ({
    status: status as MemoryStatus,
    form: form as MemoryForm,
    type: type as MemoryType,
    count: Number(count),
  }))
}

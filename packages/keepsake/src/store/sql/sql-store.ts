// Makes a store for any SQL database from the functions of this folder.
import type { AppendResult, ChangeNote, ExportRow, Store } from '../store.ts'
import { appendTurns } from './append-turns.ts'
import { addUsage, commitChange, saveDocuments } from './commit-change.ts'
import { countRows } from './count-rows.ts'
import { eraseContent, listErasures } from './erase-content.ts'
import { exportUser, importUser } from './export-user.ts'
import { claimUser, findWork, listJobs, releaseClaim, renewClaim, updateJob } from './jobs.ts'
import { listMemories, listOperations, listSessions, listTurns } from './list-rows.ts'
import { loadUser } from './load-user.ts'
import { Purger } from './purger.ts'
import { getRecord, listRecords, putRecord, removeRecord } from './records.ts'
import { createScope, findScope, listScopes, readCounters } from './scopes.ts'
import { SqlClient, type SqlDatabase, type Transaction } from './sql-database.ts'

export function makeSqlStore(database: SqlDatabase): Store {
  const client = new SqlClient(database)
  const purger = new Purger(client)
  if (!database.isReadOnly) purger.resume()
  const announce = (note: Partial<ChangeNote> & Pick<ChangeNote, 'userId' | 'sequence'>): void =>
    database.announce({ turns: [], erasures: 0, hasJobs: false, ...note })
  // After a power failure a file may lose derived writes. This does no harm, since all caches are lost too. A database server's
  // clients keep their caches, and could then see one revision for two states.
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
        const found = request.userId ?? (await client.readOnce('users', (tx) => findWork(tx)))
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

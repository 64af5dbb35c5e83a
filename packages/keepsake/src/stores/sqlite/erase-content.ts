import { randomBytes, scryptSync } from 'node:crypto'
import { InvalidInputError } from '../../errors/invalid-input-error.ts'
import { StoreError } from '../../errors/store-error.ts'
import { applyOperation } from '../../memories/apply-operation.ts'
import type { EraseReceipt, EraseRequest } from '../store.ts'
import { raiseRevision } from './keep-scopes.ts'
import { readReceipt } from './keep-receipts.ts'
import type { Sql } from './sql.ts'
import { deleteDocument, findRow } from './write-documents.ts'
import { writeLog } from './write-log.ts'

interface Removed {
  readonly turns: number
  readonly memories: number
  readonly payloads: number
  readonly documents: number
}

/**
 * Takes content out of every table, in one transaction with the receipt that says the file is still to be
 * scrubbed. An id used before answers with its receipt and removes nothing more.
 */
export function eraseContent(sql: Sql, request: EraseRequest): EraseReceipt {
  return sql.write(() => {
    const known = readReceipt(sql, request.id)
    if (known !== undefined) return known
    const revision = raiseRevision(sql, request.owner)
    const removed =
      request.target === 'person'
        ? erasePerson(sql, request.owner, revision)
        : eraseNamed(sql, request, revision)
    sql.run('UPDATE owners SET epoch = epoch + 1 WHERE owner = ?', request.owner)
    // A failed job keeps the model's raw answer, and the reason may quote it.
    sql.run('UPDATE jobs SET reason = NULL, answer = NULL WHERE owner = ?', request.owner)
    sql.run(
      'INSERT INTO erasures (id, owner, at, turns, memories, payloads, documents) VALUES (?, ?, ?, ?, ?, ?, ?)',
      request.id,
      request.owner,
      request.at,
      removed.turns,
      removed.memories,
      removed.payloads,
      removed.documents,
    )
    return { id: request.id, at: request.at, ...removed, scrubbedAt: null }
  })
}

/**
 * Removes all of a person. What stays: the log's rows (kinds, times and random ids), tombstones of memories,
 * and the key's digest. Turns and sessions go whole, since their ids are the caller's and may name someone.
 */
function erasePerson(sql: Sql, owner: number, revision: number): Removed {
  const key = sql.get<{ tenant: string | null; user: string | null }>(
    'SELECT tenant, user FROM owners WHERE owner = ?',
    owner,
  )
  const inScopes = 'scope IN (SELECT scope FROM scopes WHERE owner = ?)'
  sql.run('DELETE FROM evidence WHERE memory IN (SELECT memory FROM memories WHERE owner = ?)', owner)
  const documents = countDocuments(sql, owner)
  sql.run('DELETE FROM turn_documents WHERE owner = ?', owner)
  sql.run('DELETE FROM memory_documents WHERE owner = ?', owner)
  const payloads = sql.run(
    'DELETE FROM payloads WHERE operation IN (SELECT operation FROM operations WHERE owner = ?)',
    owner,
  )
  const memories = sql.run(
    `UPDATE memories SET status = 'erased', form = 'fact', name = NULL, session = NULL, payload = NULL, state = ?, revision = ?
     WHERE owner = ? AND status <> 'erased'`,
    TOMBSTONE,
    revision,
    owner,
  )
  const turns =
    sql.value<number>('SELECT count(*) FROM turns WHERE owner = ? AND text IS NOT NULL', owner) ?? 0
  sql.run('DELETE FROM turns WHERE owner = ?', owner)
  sql.run(`DELETE FROM sessions WHERE ${inScopes}`, owner)
  sql.run(`DELETE FROM progress WHERE ${inScopes}`, owner)
  sql.run('DELETE FROM jobs WHERE owner = ?', owner)
  sql.run('DELETE FROM records WHERE owner = ?', owner)
  sql.run('UPDATE scopes SET erased = 1, agent = NULL, app = NULL WHERE owner = ?', owner)
  const digest =
    key === undefined || key.tenant === null || key.user === null ? null : digestKey(key.tenant, key.user)
  sql.run(
    'UPDATE owners SET tenant = NULL, user = NULL, digest = coalesce(?, digest) WHERE owner = ?',
    digest,
    owner,
  )
  return { turns, memories, payloads, documents }
}

/** What `changeFromBlank` gives for the tombstone that the log yields. */
const TOMBSTONE = '{"status":"erased"}'

function countDocuments(sql: Sql, owner: number): number {
  const count = (table: string): number =>
    sql.value<number>(`SELECT count(*) FROM ${table} WHERE owner = ?`, owner) ?? 0
  return count('turn_documents') + count('memory_documents')
}

/** Slow on purpose, salted afresh: who has the file cannot try out a list of user ids cheaply. */
function digestKey(tenant: string, user: string): string {
  const salt = randomBytes(16)
  return `scrypt:${salt.toString('hex')}:${scryptSync(JSON.stringify([tenant, user]), salt, 32).toString('hex')}`
}

function eraseNamed(sql: Sql, request: EraseRequest, revision: number): Removed {
  if (request.target === 'person') return { turns: 0, memories: 0, payloads: 0, documents: 0 }
  const { owner } = request
  const named = new Set(request.target.memories)
  refuseWhenMoreRest(sql, owner, request.target.turns, named)
  const memories = [...named].filter((id) => findRow(sql, 'memory', owner, id) !== undefined)
  let documents = 0
  let payloads = 0
  for (const id of memories) {
    const row = findRow(sql, 'memory', owner, id) ?? 0
    documents += deleteDocument(sql, 'memory', row)
    payloads += sql.run(
      'DELETE FROM payloads WHERE operation IN (SELECT operation FROM operations WHERE memory = ?)',
      row,
    )
    sql.run('DELETE FROM evidence WHERE memory = ?', row)
  }
  writeTombstones(sql, request, revision, memories)
  let turns = 0
  for (const id of new Set(request.target.turns)) {
    const row = findRow(sql, 'turn', owner, id)
    if (row === undefined) continue
    documents += deleteDocument(sql, 'turn', row)
    turns += sql.run(
      'UPDATE turns SET text = NULL, speaker = NULL, time_zone = NULL, metadata = NULL WHERE turn = ?',
      row,
    )
  }
  return { turns, memories: memories.length, payloads, documents }
}

/** A memory made from these turns since the caller looked would keep their words. */
function refuseWhenMoreRest(
  sql: Sql,
  owner: number,
  turns: readonly string[],
  named: ReadonlySet<string>,
): void {
  const resting = sql.all<{ id: string }>(
    `SELECT DISTINCT m.id FROM turns t JOIN evidence e ON e.turn = t.turn JOIN memories m ON m.memory = e.memory
     WHERE t.owner = ? AND t.id IN (SELECT value FROM json_each(?)) AND m.status <> 'erased'`,
    owner,
    JSON.stringify(turns),
  )
  const missed = resting.find(({ id }) => !named.has(id))
  if (missed === undefined) return
  throw new StoreError(
    'store-busy',
    `Memory "${missed.id}" rests on a turn to be erased and was not named. Nothing was erased: read the memories that rest on the turns again, and try again.`,
    { details: { memory: missed.id } },
  )
}

function writeTombstones(
  sql: Sql,
  request: EraseRequest,
  revision: number,
  memories: readonly string[],
): void {
  const wanted = new Set(memories)
  const operations = request.operations.filter(({ memory }) => memory !== null && wanted.has(memory))
  const tombstones = operations.flatMap((operation) => {
    const tombstone =
      operation.memory === null ? undefined : applyOperation(undefined, operation, operation.memory)
    return tombstone === undefined ? [] : [tombstone]
  })
  if (tombstones.length !== wanted.size || tombstones.some(({ status }) => status !== 'erased')) {
    throw new InvalidInputError('Erasing memories needs one erase operation for each of them.')
  }
  writeLog(sql, request.owner, revision, operations, tombstones)
}

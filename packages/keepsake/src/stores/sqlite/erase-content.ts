import { randomBytes, scryptSync } from 'node:crypto'
import { InvalidInputError } from '@keepsake/text'
import { StoreError } from '../../errors/store-error.ts'
import { projectLog } from '../../memories/apply-operation.ts'
import type { EraseReceipt, EraseRequest } from '../store.ts'
import { deleteImage } from './keep-images.ts'
import { insertRecord } from './keep-records.ts'
import { hideNames } from './hide-names.ts'
import { raiseRevision } from './keep-scopes.ts'
import { readReceipt } from './keep-receipts.ts'
import { amongList, part, type Sql } from './sql.ts'
import { deleteDocument, findRow } from './write-documents.ts'
import { writeLog } from './write-log.ts'

type Removed = Pick<EraseReceipt, 'turns' | 'memories' | 'payloads' | 'documents'>

/**
 * Takes content out of every table, in one transaction with the receipt that says the file is still to be
 * scrubbed. An id used before answers with its receipt and removes nothing more.
 */
export function eraseContent(sql: Sql, request: EraseRequest): EraseReceipt {
  return sql.write(() => {
    const { id, owner, at, target } = request
    const known = readReceipt(sql, id)
    if (known !== undefined) return known
    const revision = raiseRevision(sql, owner)
    const removed =
      target === 'person' ? erasePerson(sql, owner, revision) : eraseNamed(sql, request, target, revision)
    sql.run`UPDATE owners SET epoch = epoch + 1 WHERE owner = ${owner}`
    // A failed job keeps the model's raw answer, and the reason may quote it.
    sql.run`UPDATE jobs SET reason = NULL, answer = NULL WHERE owner = ${owner}`
    deleteImage(sql, owner)
    sql.insert('erasures', { id, owner, at, ...removed })
    if (request.record !== undefined) insertRecord(sql, request.record)
    return { id, at, ...removed, scrubbedAt: null }
  })
}

/**
 * Removes all of a person. What stays: the log's rows (kinds, times and random ids), tombstones of memories,
 * and the key's digest. Turns and sessions go whole, since their ids are the caller's and may name someone.
 */
function erasePerson(sql: Sql, owner: number, revision: number): Removed {
  const key = sql.get<{ tenant: string | null; user: string | null }>`SELECT tenant, user FROM owners
    WHERE owner = ${owner}`
  const inScopes = part`scope IN (SELECT scope FROM scopes WHERE owner = ${owner})`
  sql.run`DELETE FROM evidence WHERE memory IN (SELECT memory FROM memories WHERE owner = ${owner})`
  const documents =
    sql.run`DELETE FROM turn_documents WHERE owner = ${owner}` +
    sql.run`DELETE FROM memory_documents WHERE owner = ${owner}`
  const payloads = sql.run`DELETE FROM payloads
    WHERE operation IN (SELECT operation FROM operations WHERE owner = ${owner})`
  const memories = sql.run`UPDATE memories SET status = 'erased', form = 'fact', name = NULL, session = NULL,
    payload = NULL, state = ${TOMBSTONE}, revision = ${revision} WHERE owner = ${owner} AND status <> 'erased'`
  const turns = sql.value<number>`SELECT count(*) FROM turns WHERE owner = ${owner} AND text IS NOT NULL` ?? 0
  sql.run`DELETE FROM turns WHERE owner = ${owner}`
  sql.run`DELETE FROM sessions WHERE ${inScopes}`
  sql.run`DELETE FROM progress WHERE ${inScopes}`
  sql.run`DELETE FROM jobs WHERE owner = ${owner}`
  sql.run`DELETE FROM records WHERE owner = ${owner}`
  sql.run`UPDATE scopes SET erased = 1, agent = NULL, app = NULL WHERE owner = ${owner}`
  const { tenant = null, user = null } = key ?? {}
  const digest = tenant === null || user === null ? null : digestKey(tenant, user)
  sql.run`UPDATE owners SET tenant = NULL, user = NULL, digest = coalesce(${digest}, digest) WHERE owner = ${owner}`
  return { turns, memories, payloads, documents }
}

/** What `changeFromBlank` gives for the tombstone that the log yields. */
const TOMBSTONE = '{"status":"erased"}'

/** Slow on purpose, salted afresh: who has the file cannot try out a list of user ids cheaply. */
function digestKey(tenant: string, user: string): string {
  const salt = randomBytes(16)
  return `scrypt:${salt.toString('hex')}:${scryptSync(JSON.stringify([tenant, user]), salt, 32).toString('hex')}`
}

function eraseNamed(
  sql: Sql,
  request: EraseRequest,
  target: Exclude<EraseRequest['target'], 'person'>,
  revision: number,
): Removed {
  const { owner } = request
  const named = new Set(target.memories)
  refuseWhenMoreRest(sql, owner, target.turns, named)
  const memories = [...named].filter((id) => findRow(sql, 'memory', owner, id) !== undefined)
  let documents = 0
  let payloads = 0
  for (const id of memories) {
    const row = findRow(sql, 'memory', owner, id) ?? 0
    documents += deleteDocument(sql, 'memory', row)
    payloads += sql.run`DELETE FROM payloads
      WHERE operation IN (SELECT operation FROM operations WHERE memory = ${row})`
    sql.run`DELETE FROM evidence WHERE memory = ${row}`
  }
  writeTombstones(sql, request, revision, memories)
  let turns = 0
  for (const id of new Set(target.turns)) {
    const row = findRow(sql, 'turn', owner, id)
    if (row === undefined) continue
    documents += deleteDocument(sql, 'turn', row)
    turns += sql.run`UPDATE turns SET text = NULL, speaker = NULL, time_zone = NULL, metadata = NULL
      WHERE turn = ${row}`
  }
  hideNames(sql, owner, target.turns)
  return { turns, memories: memories.length, payloads, documents }
}

/** A memory made from these turns since the caller looked would keep their words. */
function refuseWhenMoreRest(
  sql: Sql,
  owner: number,
  turns: readonly string[],
  named: ReadonlySet<string>,
): void {
  const resting = sql.all<{ id: string }>`SELECT DISTINCT m.id
    FROM turns t JOIN evidence e ON e.turn = t.turn JOIN memories m ON m.memory = e.memory
    WHERE t.owner = ${owner} AND t.id ${amongList(turns)} AND m.status <> 'erased'`
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
  const wanted = new Set<string | null>(memories)
  const operations = request.operations.filter(({ memory }) => wanted.has(memory))
  const tombstones = [...projectLog(operations).values()]
  const isWhole = operations.length === wanted.size && tombstones.length === wanted.size
  if (!isWhole || tombstones.some(({ status }) => status !== 'erased'))
    throw new InvalidInputError('Erasing memories needs one erase operation for each of them.')
  writeLog(sql, { owner: request.owner, revision }, operations, tombstones)
}

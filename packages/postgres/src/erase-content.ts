import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import {
  InvalidInputError,
  projectLog,
  StoreError,
  type EraseReceipt,
  type EraseRequest,
} from 'keepsake/store-kit'
import { dropCandidates, dropCandidatesOf } from './candidates/drop-candidates.ts'
import type { Sql } from './connection/sql.ts'
import type { Database } from './database.ts'
import { insertRecord } from './keep-records.ts'
import { hideNames } from './hide-names.ts'
import { readReceipt } from './keep-receipts.ts'
import { lockPerson, writePerson, type Person } from './keep-scopes.ts'
import { originsOf, readLogStanding, writeLog } from './write-log.ts'

type Removed = Pick<EraseReceipt, 'turns' | 'memories' | 'payloads' | 'documents'>

/**
 * Takes content out of every table, in one transaction with the receipt that says the database is still to be
 * scrubbed. An id used before answers with its receipt and removes nothing more.
 */
export async function eraseContent(database: Database, request: EraseRequest): Promise<EraseReceipt> {
  const { id, owner, at, target } = request
  await database.names.know(originsOf(request.operations))
  // Who is erased is no longer to be found by name either, and a record is nobody's.
  const sight =
    target === 'person' || request.record !== undefined ? ({ owner, sees: 'all' } as const) : { owner }
  return database.transactions.write(sight, async (sql) => {
    const person = await lockPerson(sql, owner)
    const known = await readReceipt(sql, owner, id)
    if (known !== undefined) return known
    const next = { ...person, revision: person.revision + 1, epoch: person.epoch + 1 }
    const removed =
      target === 'person' ? await erasePerson(sql, next) : await eraseNamed(sql, database, request, next)
    // A failed job keeps the model's raw answer, and the reason may quote it.
    sql.send`UPDATE jobs SET reason = NULL, answer = NULL WHERE owner = ${owner}`
    // Answers kept for a while may say what was erased, and so may what the cache was made into.
    sql.send`DELETE FROM records WHERE owner = ${owner} AND expires_at IS NOT NULL`
    sql.send`DELETE FROM images WHERE owner = ${owner}`
    sql.send`INSERT INTO erasures (owner, id, at, turns, memories, payloads, documents, written_by)
      VALUES (${owner}, ${id}, ${at}, ${removed.turns}, ${removed.memories}, ${removed.payloads}, ${removed.documents},
        pg_current_xact_id()::text::bigint)`
    if (request.record !== undefined) insertRecord(sql, request.record)
    return { id, at, ...removed, scrubbedAt: null }
  })
}

/**
 * Removes all of a person. What stays: the log's rows (kinds, times and random ids), tombstones of memories,
 * and the key's digest. Turns and sessions go whole, since their ids are the caller's and may name someone.
 */
async function erasePerson(sql: Sql, person: Person): Promise<Removed> {
  const { owner, revision } = person
  const key = await sql.get<{
    tenant: string | null
    person: string | null
  }>`SELECT tenant, person FROM owners
    WHERE owner = ${owner}`
  const { tenant = null, person: name = null } = key ?? {}
  const digest = tenant === null || name === null ? null : await digestKey(tenant, name)
  const [turns, turnDocuments, documents, payloads, memories] = await Promise.all([
    sql.value<number>`SELECT count(*) FROM turns WHERE owner = ${owner} AND text IS NOT NULL`,
    sql.value<number>`SELECT count(*) FROM turns WHERE owner = ${owner} AND terms IS NOT NULL`,
    sql.run`DELETE FROM memory_documents WHERE owner = ${owner}`,
    sql.run`DELETE FROM payloads WHERE owner = ${owner}`,
    sql.run`UPDATE memories SET status = 'erased', form = 'fact', type = 'event', name = NULL, session = NULL, said = NULL,
      state = ${TOMBSTONE}, revision = ${revision} WHERE owner = ${owner} AND status <> 'erased'`,
  ])
  dropCandidatesOf(sql, owner)
  sql.send`DELETE FROM evidence WHERE owner = ${owner}`
  sql.send`DELETE FROM turns WHERE owner = ${owner}`
  sql.send`DELETE FROM sessions WHERE owner = ${owner}`
  sql.send`DELETE FROM progress WHERE owner = ${owner}`
  sql.send`DELETE FROM jobs WHERE owner = ${owner}`
  sql.send`DELETE FROM records WHERE owner = ${owner}`
  sql.send`DELETE FROM people WHERE owner = ${owner}`
  sql.send`UPDATE scopes SET erased = true, agent = NULL, app = NULL WHERE owner = ${owner}`
  sql.send`UPDATE owners SET tenant = NULL, person = NULL, digest = coalesce(${digest}, digest) WHERE owner = ${owner}`
  writePerson(sql, person)
  return { turns: turns ?? 0, memories, payloads, documents: (turnDocuments ?? 0) + documents }
}

/** What `changeFromBlank` gives for the tombstone that the log yields. */
const TOMBSTONE = '{"status":"erased"}'

const scryptLater = promisify(scrypt) as (secret: string, salt: Buffer, length: number) => Promise<Buffer>

/** Slow on purpose, salted afresh: who has the rows cannot try out a list of user ids cheaply. */
async function digestKey(tenant: string, user: string): Promise<string> {
  const salt = randomBytes(16)
  const digest = await scryptLater(JSON.stringify([tenant, user]), salt, 32)
  return `scrypt:${salt.toString('hex')}:${digest.toString('hex')}`
}

async function eraseNamed(
  sql: Sql,
  { names }: Database,
  request: EraseRequest,
  person: Person,
): Promise<Removed> {
  const { owner } = person
  if (request.target === 'person') throw new Error('a person is erased otherwise')
  const turns = [...new Set(request.target.turns)]
  await refuseWhenMoreRest(sql, owner, turns, new Set(request.target.memories))
  const rows = await sql.cells<readonly [string, number]>`SELECT id, memory FROM memories
    WHERE owner = ${owner} AND id = ANY(${[...new Set(request.target.memories)]}) AND status <> 'erased'`
  const numbers = rows.map(([, number]) => number)
  await dropErased(sql, owner, turns, numbers)
  const [documents, payloads, turnDocuments, erased] = await Promise.all([
    sql.run`DELETE FROM memory_documents WHERE owner = ${owner} AND memory = ANY(${numbers})`,
    sql.run`DELETE FROM payloads WHERE owner = ${owner} AND sequence IN (
      SELECT sequence FROM operations WHERE owner = ${owner} AND memory = ANY(${numbers}))`,
    sql.value<number>`SELECT count(*) FROM turns WHERE owner = ${owner} AND id = ANY(${turns}) AND terms IS NOT NULL`,
    sql.run`UPDATE turns SET text = NULL, speaker = NULL, time_zone = NULL, metadata = NULL, analyser = NULL,
      embedder = NULL, traits = 0, terms = NULL, vector = NULL
      WHERE owner = ${owner} AND id = ANY(${turns}) AND text IS NOT NULL`,
  ])
  sql.send`DELETE FROM evidence WHERE owner = ${owner} AND memory = ANY(${numbers})`
  await hideNames(sql, owner, turns)
  const ids = rows.map(([id]) => id)
  writePerson(sql, await writeTombstones(sql, { names, request, person }, ids))
  return { turns: erased, memories: ids.length, payloads, documents: documents + (turnDocuments ?? 0) }
}

/** What candidates are found by holds the words of what goes. */
async function dropErased(
  sql: Sql,
  owner: number,
  turns: readonly string[],
  memories: readonly number[],
): Promise<void> {
  const rows = await sql.cells<readonly [number]>`SELECT turn FROM turns
    WHERE owner = ${owner} AND id = ANY(${turns}) AND terms IS NOT NULL`
  await dropCandidates(sql, owner, [...rows.map(([turn]) => turn), ...memories.map((memory) => -memory)])
}

/** A memory made from these turns since the caller looked would keep their words. */
async function refuseWhenMoreRest(
  sql: Sql,
  owner: number,
  turns: readonly string[],
  named: ReadonlySet<string>,
): Promise<void> {
  const resting = await sql.cells<readonly [string]>`SELECT DISTINCT m.id FROM turns t
    JOIN evidence e ON e.owner = t.owner AND e.turn = t.turn
    JOIN memories m ON m.owner = e.owner AND m.memory = e.memory
    WHERE t.owner = ${owner} AND t.id = ANY(${turns}) AND m.status <> 'erased'`
  const missed = resting.find(([id]) => !named.has(id))
  if (missed === undefined) return
  throw new StoreError(
    'store-busy',
    `Memory "${missed[0]}" rests on a turn to be erased and was not named. Nothing was erased: read the memories that rest on the turns again, and try again.`,
    { details: { memory: missed[0] } },
  )
}

interface Erasing extends Pick<Database, 'names'> {
  readonly request: EraseRequest
  readonly person: Person
}

/** @returns the person with the log's end */
async function writeTombstones(
  sql: Sql,
  { names, request, person }: Erasing,
  memories: readonly string[],
): Promise<Person> {
  const wanted = new Set<string | null>(memories)
  const operations = request.operations.filter(({ memory }) => wanted.has(memory))
  const tombstones = [...projectLog(operations).values()]
  const isWhole = operations.length === wanted.size && tombstones.length === wanted.size
  if (!isWhole || tombstones.some(({ status }) => status !== 'erased'))
    throw new InvalidInputError('Erasing memories needs one erase operation for each of them.')
  const change = { person, operations, memories: tombstones }
  const standing = await readLogStanding(sql, person.owner, change)
  return writeLog(sql, names, change, standing).person
}

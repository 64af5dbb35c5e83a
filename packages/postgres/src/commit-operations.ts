import { NotFoundError, type CommitRequest, type CommitResult, type ConflictOn } from 'keepsake/store-kit'
import { noteOfCommit } from './change-notes.ts'
import { among, rowsOf, type Sql } from './connection/sql.ts'
import { part } from './connection/sql-part.ts'
import { turnTo } from './connection/transactions.ts'
import type { Database } from './database.ts'
import { endClaims } from './keep-claims.ts'
import { finishJobs, queueJob, type Homes } from './keep-jobs.ts'
import { lockPerson, requireScopes, writePerson, type Person } from './keep-scopes.ts'
import {
  documentNames,
  readDocumentOwners,
  withRows,
  writeDocuments,
  type DocumentOwners,
} from './write-documents.ts'
import { originsOf, readLogRows, writeLog, type LogStanding } from './write-log.ts'

/** What the expectations are held against, and what the change rests on, read under the person's lock. */
interface Standing {
  readonly person: Person
  readonly lastPosition: number
  readonly log: LogStanding
  readonly owners: DocumentOwners
  readonly jobs: ReadonlySet<string>
  readonly branches: ReadonlyMap<string, number>
  readonly operations: ReadonlySet<string>
  /** Who has each name that a memory is to have, by scope and name. */
  readonly named: ReadonlyMap<string, string>
  readonly sessions: ReadonlySet<string>
}

/**
 * Checks the expectations and makes the whole change, in one transaction: one way to the server to lock and look, one to
 * write. Jobs are finished before new ones are queued, so that a job may queue its successor. A job to finish that is gone
 * already is passed over.
 */
export async function commitOperations(database: Database, request: CommitRequest): Promise<CommitResult> {
  const { owner, flush } = request
  const changing = { ...database, homes: new Set<string>() }
  await database.names.know(namesOf(request))
  const result = await database.transactions.write({ owner }, (sql) => judge(sql, changing, request), {
    flush,
  })
  database.tellOfWork(changing.homes)
  database.tellOfChanges(noteOfCommit(owner, result))
  return result
}

/**
 * Several commits in one transaction, each judged for itself. People are locked in the order of their numbers, so that no two of
 * these wait for each other.
 */
export async function commitAll(
  database: Database,
  requests: readonly CommitRequest[],
): Promise<CommitResult[]> {
  const [first] = requests
  if (first === undefined) return []
  const changing = { ...database, homes: new Set<string>() }
  await database.names.know(requests.flatMap(namesOf))
  const inOrder = [...requests.entries()].sort(([, one], [, other]) => one.owner - other.owner)
  const results = new Map<number, CommitResult>()
  await database.transactions.write(
    { owner: first.owner },
    async (sql) => {
      for (const [index, request] of inOrder) {
        await turnTo(sql, request.owner)
        results.set(index, await judge(sql, changing, request))
      }
    },
    { flush: requests.some(({ flush = true }) => flush) },
  )
  database.tellOfWork(changing.homes)
  for (const [index, result] of results)
    database.tellOfChanges(noteOfCommit(requests[index]?.owner ?? 0, result))
  return requests.flatMap((_, index) => results.get(index) ?? [])
}

function namesOf({ operations, documents }: CommitRequest): (string | null)[] {
  return [...originsOf(operations), ...documentNames(documents)]
}

/** What a change is made with. */
type Changing = Pick<Database, 'names'> & Homes

async function judge(sql: Sql, changing: Changing, request: CommitRequest): Promise<CommitResult> {
  const standing = await readStanding(sql, request)
  return findConflict(request, standing) ?? change(sql, changing, request, standing)
}

async function readStanding(sql: Sql, request: CommitRequest): Promise<Standing> {
  const { owner, scope, operations, memories, progress } = request
  const expected = request.expect.map(({ memory }) => memory)
  const asked = [scope, ...operations.map((one) => one.scope), ...memories.map((one) => one.scope)]
  const [person, scopes, log, owners, jobs, branches, known, named, sessions] = await Promise.all([
    lockPerson(sql, owner),
    sql.cells<readonly [number, number]>`SELECT scope, last_position FROM scopes
      WHERE owner = ${owner} AND scope = ANY(${[...new Set(asked)]}) AND NOT erased`,
    readLogRows(sql, owner, { operations, memories }, expected),
    readDocumentOwners(sql, owner, request.documents),
    among(
      request.expectJobs ?? [],
      (ids) => sql.cells<readonly [string]>`SELECT id FROM jobs WHERE owner = ${owner} AND id = ANY(${ids})`,
    ),
    progress.length === 0
      ? []
      : sql.cells<
          readonly [string, number]
        >`SELECT branch, position FROM progress WHERE owner = ${owner} AND scope = ${scope}`,
    among(
      operations.map(({ id }) => id),
      (ids) =>
        sql.cells<readonly [string]>`SELECT id FROM operations WHERE owner = ${owner} AND id = ANY(${ids})`,
    ),
    readNamed(sql, request),
    among(
      request.endSessions.map(({ session }) => session),
      (ids) => sql.cells<readonly [string]>`SELECT id FROM sessions
        WHERE owner = ${owner} AND scope = ${scope} AND id = ANY(${ids})`,
    ),
  ])
  const positions = new Map(scopes)
  requireScopes(positions, [scope])
  return {
    person,
    lastPosition: positions.get(scope) ?? 0,
    log: { ...log, scopes: positions },
    owners,
    jobs: new Set(jobs.map(([id]) => id)),
    branches: new Map(branches),
    operations: new Set(known.map(([id]) => id)),
    named,
    sessions: new Set(sessions.map(([id]) => id)),
  }
}

async function readNamed(sql: Sql, { owner, memories }: CommitRequest): Promise<Map<string, string>> {
  const wanted = memories.filter(({ name, status }) => name !== null && status === 'live')
  if (wanted.length === 0) return new Map()
  const rows = await sql.cells<readonly [number, string, string]>`SELECT scope, name, id FROM memories
    WHERE owner = ${owner} AND (scope, name) IN (SELECT r.scope, r.name FROM ${rowsOf(
      'memories',
      ['scope', 'name'],
      wanted.map(({ scope, name }) => ({ scope, name })),
    )})`
  return new Map(rows.map(([scope, name, id]) => [placeOf(scope, name), id]))
}

function placeOf(scope: number, name: string | null): string {
  return JSON.stringify([scope, name])
}

type Conflict = Extract<CommitResult, { outcome: 'conflict' }>

function conflictOn(on: ConflictOn, reason: string): Conflict {
  return { outcome: 'conflict', on, reason }
}

/** The first expectation that does not hold. What was erased comes first: nothing that rests on it may be decided again as it is. */
function findConflict(request: CommitRequest, standing: Standing): Conflict | null {
  const { person, jobs, branches } = standing
  if (request.epoch !== null && request.epoch !== person.epoch)
    return conflictOn('epoch', `content was erased since epoch ${request.epoch}`)
  for (const id of request.expectJobs ?? [])
    if (!jobs.has(id)) return conflictOn('job', `job "${id}" is finished already`)
  for (const { branch, from } of request.progress) {
    const at = branches.get(branch) ?? 0
    if (at !== from) return conflictOn('progress', `branch "${branch}" is at position ${at}, not at ${from}`)
  }
  if (request.lastPosition !== undefined && request.lastPosition !== standing.lastPosition)
    return conflictOn('progress', `turns came after position ${request.lastPosition}`)
  if (request.revision !== undefined && request.revision !== person.revision)
    return conflictOn('memory', `the person is at revision ${person.revision}, not at ${request.revision}`)
  return findChangedMemory(request, standing) ?? findTakenName(request, standing)
}

function findChangedMemory({ expect, operations }: CommitRequest, standing: Standing): Conflict | null {
  const { memories } = standing.log
  for (const { memory, sequence } of expect) {
    const at = memories.get(memory)?.sequence
    if (at === undefined) return conflictOn('memory', `memory "${memory}" is not there`)
    if (at > sequence)
      return conflictOn('memory', `memory "${memory}" was changed by operation ${at}, after ${sequence}`)
  }
  for (const { id, kind, memory } of operations) {
    if (standing.operations.has(id)) return conflictOn('memory', `operation "${id}" is in the log already`)
    if (kind === 'add' && memory !== null && memories.has(memory))
      return conflictOn('memory', `memory "${memory}" is there already`)
  }
  return null
}

function findTakenName({ memories }: CommitRequest, { named }: Standing): Conflict | null {
  for (const { id, scope, name, status } of memories) {
    if (name === null || status !== 'live') continue
    const holder = named.get(placeOf(scope, name))
    if (holder !== undefined && holder !== id)
      return conflictOn('memory', `memory "${holder}" has the name that another is to have`)
  }
  return null
}

function change(sql: Sql, changing: Changing, request: CommitRequest, standing: Standing): CommitResult {
  const { names } = changing
  const { owner, scope, operations, memories, documents } = request
  const before = { ...standing.person, revision: standing.person.revision + 1 }
  const log = writeLog(sql, names, { person: before, operations, memories }, standing.log)
  // Documents may belong to memories that this commit makes.
  const made = memories.filter(({ status }) => status !== 'erased')
  const memoryOwners = new Map([
    ...standing.owners.memory,
    ...made.map(({ id }) => [id, log.numbers.get(id) ?? 0] as const),
  ])
  writeDocuments(sql, names, log.person, withRows(documents, { ...standing.owners, memory: memoryOwners }))
  const progress = new Map(request.progress.map(({ branch, to }) => [branch, to]))
  sql.insert(
    'progress',
    [...progress].map(([branch, position]) => ({ owner, scope, branch, position })),
    part`ON CONFLICT (owner, scope, branch) DO UPDATE SET position = excluded.position`,
  )
  endSessions(sql, request, standing.sessions)
  finishJobs(sql, owner, request.finishJobs)
  endClaims(sql, owner, request.endClaims ?? [])
  for (const job of request.queueJobs) queueJob(sql, owner, job, changing)
  writePerson(sql, log.person)
  const { revision, epoch } = log.person
  return { outcome: 'committed', version: { revision, epoch }, operations: log.operations }
}

/** @throws NotFoundError for a session this scope does not have. */
function endSessions(
  sql: Sql,
  { owner, scope, endSessions: ends }: CommitRequest,
  known: ReadonlySet<string>,
): void {
  for (const { session, at } of ends) {
    if (!known.has(session)) throw new NotFoundError('session', session)
    sql.send`UPDATE sessions SET ended_at = coalesce(ended_at, ${at})
      WHERE owner = ${owner} AND scope = ${scope} AND id = ${session}`
  }
}

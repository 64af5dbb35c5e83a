import type { Memory } from '../../memories/memory.ts'
import type { CommitRequest, CommitResult, ConflictOn, OwnerVersion } from '../store.ts'
import { endClaim } from './keep-claims.ts'
import { endSession, finishJob, queueJob } from './keep-jobs.ts'
import { raiseOwner, stateOfScope } from './keep-scopes.ts'
import { readBranches } from './read-turns.ts'
import { name, Where, type Sql, type SqlPart } from './sql.ts'
import { writeDocuments } from './write-documents.ts'
import { writeLog } from './write-log.ts'

/**
 * Checks the expectations and makes the whole change, in one transaction. Jobs are finished before new ones
 * are queued, so that a job may queue its successor. A job to finish that is gone already is passed over.
 *
 * @param home the process that commits
 */
export function commitOperations(sql: Sql, request: CommitRequest, home: string): CommitResult {
  return sql.write((): CommitResult => {
    const { version, sequence, lastPosition } = stateOfScope(sql, request.owner, request.scope)
    const conflict = findConflict(sql, request, { ...version, lastPosition })
    if (conflict !== null) return conflict
    const { revision } = raiseOwner(sql, request.owner, request.operations.length).version
    const written = { owner: request.owner, revision, scope: request.scope, sequence }
    const operations = writeLog(sql, written, request.operations, request.memories)
    writeDocuments(sql, written, request.documents)
    for (const { branch, to } of request.progress)
      sql.replace('progress', { scope: request.scope, branch, position: to })
    for (const { session, at } of request.endSessions) endSession(sql, request.scope, session, at)
    for (const id of request.finishJobs) finishJob(sql, request.owner, id)
    for (const id of request.endClaims ?? []) endClaim(sql, id)
    for (const job of request.queueJobs) queueJob(sql, request.owner, job, home)
    return { outcome: 'committed', version: { ...version, revision }, operations }
  })
}

type Conflict = Extract<CommitResult, { outcome: 'conflict' }>

function conflictOn(on: ConflictOn, reason: string): Conflict {
  return { outcome: 'conflict', on, reason }
}

/** The first expectation that does not hold. What was erased comes first: nothing that rests on it may be decided again as it is. */
function findConflict(
  sql: Sql,
  request: CommitRequest,
  { epoch, revision, lastPosition }: OwnerVersion & { readonly lastPosition: number },
): Conflict | null {
  const { owner, scope } = request
  if (request.epoch !== null && request.epoch !== epoch)
    return conflictOn('epoch', `content was erased since epoch ${request.epoch}`)
  for (const id of request.expectJobs ?? []) {
    if (sql.value`SELECT job FROM jobs WHERE id = ${id} AND owner = ${owner}` === undefined)
      return conflictOn('job', `job "${id}" is finished already`)
  }
  const reached = request.progress.length === 0 ? new Map<string, number>() : readBranches(sql, scope)
  for (const { branch, from } of request.progress) {
    const at = reached.get(branch) ?? 0
    if (at !== from) return conflictOn('progress', `branch "${branch}" is at position ${at}, not at ${from}`)
  }
  if (request.lastPosition !== undefined && request.lastPosition !== lastPosition)
    return conflictOn('progress', `turns came after position ${request.lastPosition}`)
  if (request.revision !== undefined && request.revision !== revision)
    return conflictOn('memory', `the person is at revision ${revision}, not at ${request.revision}`)
  return findChangedMemory(sql, request)
}

function findChangedMemory(
  sql: Sql,
  { owner, expect, operations, memories }: CommitRequest,
): Conflict | null {
  for (const { memory, sequence } of expect) {
    const at = sql.value<number>`SELECT sequence FROM memories WHERE owner = ${owner} AND id = ${memory}`
    if (at === undefined) return conflictOn('memory', `memory "${memory}" is not there`)
    if (at > sequence)
      return conflictOn('memory', `memory "${memory}" was changed by operation ${at}, after ${sequence}`)
  }
  if (operations.length > 0) {
    const logged = findOneOf(
      sql,
      name('operations'),
      owner,
      operations.map(({ id }) => id),
    )
    if (logged !== undefined) return conflictOn('memory', `operation "${logged}" is in the log already`)
  }
  const made = operations.flatMap(({ kind, memory }) => (kind === 'add' && memory !== null ? [memory] : []))
  const known = made.length === 0 ? undefined : findOneOf(sql, name('memories'), owner, made)
  if (known !== undefined) return conflictOn('memory', `memory "${known}" is there already`)
  return findTakenName(sql, memories)
}

/** One of a person's rows with these ids, if there is any. */
function findOneOf(sql: Sql, table: SqlPart, owner: number, ids: readonly string[]): string | undefined {
  const where = new Where().equal('owner', owner).among('id', ids)
  return sql.value<string>`SELECT id FROM ${table} WHERE ${where} LIMIT 1`
}

function findTakenName(sql: Sql, memories: readonly Memory[]): Conflict | null {
  for (const { id, scope, name: own, status } of memories) {
    if (own === null || status !== 'live') continue
    const holder = sql.value<string>`SELECT id FROM memories WHERE scope = ${scope} AND name = ${own}`
    if (holder !== undefined && holder !== id)
      return conflictOn('memory', `memory "${holder}" has the name that another is to have`)
  }
  return null
}

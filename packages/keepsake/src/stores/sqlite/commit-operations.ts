import type { CommitRequest, CommitResult } from '../store.ts'
import { endSession, finishJob, queueJob } from './keep-jobs.ts'
import { raiseRevision, readVersion, requireScope } from './keep-scopes.ts'
import type { Sql } from './sql.ts'
import { removeDocuments, writeDocuments } from './write-documents.ts'
import { writeLog } from './write-log.ts'

/**
 * Checks the expectations and makes the whole change, in one transaction. Jobs are finished before new ones
 * are queued, so that a job may queue its successor. A job to finish that is gone already is passed over.
 */
export function commitOperations(sql: Sql, request: CommitRequest): CommitResult {
  return sql.write((): CommitResult => {
    requireScope(sql, request.owner, request.scope)
    const reason = findConflict(sql, request)
    if (reason !== null) return { outcome: 'conflict', reason }
    const revision = raiseRevision(sql, request.owner)
    const operations = writeLog(sql, request.owner, revision, request.operations, request.memories)
    removeDocuments(sql, request.owner, revision, request.removeDocuments)
    writeDocuments(sql, request.owner, revision, request.documents)
    for (const { branch, to } of request.progress) advance(sql, request.scope, branch, to)
    for (const { session, at } of request.endSessions) endSession(sql, request.scope, session, at)
    for (const id of request.finishJobs) finishJob(sql, request.owner, id)
    for (const job of request.queueJobs) queueJob(sql, request.owner, job)
    return { outcome: 'committed', version: readVersion(sql, request.owner), operations }
  })
}

function findConflict(sql: Sql, request: CommitRequest): string | null {
  const { epoch } = readVersion(sql, request.owner)
  if (request.epoch !== null && request.epoch !== epoch)
    return `content was erased since epoch ${request.epoch}`
  for (const { branch, from } of request.progress) {
    const at =
      sql.value<number>(
        'SELECT position FROM progress WHERE scope = ? AND branch = ?',
        request.scope,
        branch,
      ) ?? 0
    if (at !== from) return `branch "${branch}" is at position ${at}, not at ${from}`
  }
  for (const { memory, sequence } of request.expect) {
    const at = sql.value<number>(
      'SELECT sequence FROM memories WHERE owner = ? AND id = ?',
      request.owner,
      memory,
    )
    if (at === undefined) return `memory "${memory}" is not there`
    if (at > sequence) return `memory "${memory}" was changed by operation ${at}, after ${sequence}`
  }
  for (const id of request.expectJobs ?? []) {
    const job = sql.value('SELECT job FROM jobs WHERE id = ? AND owner = ?', id, request.owner)
    if (job === undefined) return `job "${id}" is finished already`
  }
  for (const { id } of request.operations) {
    const known = sql.value<number>(
      'SELECT sequence FROM operations WHERE owner = ? AND id = ?',
      request.owner,
      id,
    )
    if (known !== undefined) return `operation "${id}" is in the log already`
  }
  return null
}

function advance(sql: Sql, scope: number, branch: string, to: number): void {
  sql.run(
    `INSERT INTO progress (scope, branch, position) VALUES (?, ?, ?)
     ON CONFLICT (scope, branch) DO UPDATE SET position = excluded.position`,
    scope,
    branch,
    to,
  )
}

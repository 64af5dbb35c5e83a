import { NotFoundError } from '../../errors/not-found-error.ts'
import type { JobChange, JobRow, JobState, NewJob } from '../store.ts'
import type { Sql } from './sql.ts'

/** Queues a job (or parks it, when it says so), unless one for the same work is in that state already. */
export function queueJob(sql: Sql, owner: number, job: NewJob): void {
  sql.run(
    `INSERT INTO jobs (id, owner, scope, session, kind, branch, from_position, to_position, state, attempts, at, reason, answer)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13
     WHERE NOT EXISTS (
       SELECT 1 FROM jobs WHERE scope = ?3 AND session IS ?4 AND kind = ?5 AND owner = ?2
         AND branch IS ?6 AND from_position IS ?7 AND to_position IS ?8 AND state = ?9)`,
    job.id,
    owner,
    job.scope,
    job.session,
    job.kind,
    job.branch ?? null,
    job.from ?? null,
    job.to ?? null,
    job.state ?? 'queued',
    job.attempts ?? 0,
    job.at,
    job.reason ?? null,
    job.answer ?? null,
  )
}

export function finishJob(sql: Sql, owner: number, id: string): void {
  sql.run('DELETE FROM jobs WHERE id = ? AND owner = ?', id, owner)
}

/** Conditions are left out rather than made optional, so that one person's jobs are found by the index among all that wait. */
export function readJobs(sql: Sql, filter: { owner?: number; state?: JobState } = {}): JobRow[] {
  const conditions = ['TRUE']
  const values: (string | number)[] = []
  if (filter.owner !== undefined) {
    conditions.push('owner = ? AND scope IN (SELECT scope FROM scopes WHERE owner = ?)')
    values.push(filter.owner, filter.owner)
  }
  if (filter.state !== undefined) {
    conditions.push('state = ?')
    values.push(filter.state)
  }
  return sql.all<JobRow>(
    `SELECT id, owner, scope, session, kind, branch, from_position AS "from", to_position AS "to",
       state, attempts, at, reason, answer FROM jobs
     WHERE ${conditions.join(' AND ')} ORDER BY job`,
    ...values,
  )
}

/** A job that another process finished meanwhile is left alone. */
export function updateJob(sql: Sql, id: string, change: JobChange): void {
  sql.write(() => {
    sql.run('UPDATE jobs SET state = ?, attempts = ? WHERE id = ?', change.state, change.attempts, id)
    if (wasErasedSince(sql, id, change.epoch)) return
    sql.run('UPDATE jobs SET reason = ? WHERE id = ?', change.reason, id)
    if (change.answer !== undefined) sql.run('UPDATE jobs SET answer = ? WHERE id = ?', change.answer, id)
  })
}

function wasErasedSince(sql: Sql, id: string, epoch: number | undefined): boolean {
  if (epoch === undefined) return false
  return (
    sql.value('SELECT 1 FROM jobs JOIN owners USING (owner) WHERE id = ? AND epoch <> ?', id, epoch) !==
    undefined
  )
}

/** Marks sessions as ended. @throws NotFoundError for a session this scope does not have. */
export function endSession(sql: Sql, scope: number, session: string, at: number): void {
  const changed = sql.run(
    'UPDATE sessions SET ended_at = coalesce(ended_at, ?) WHERE scope = ? AND id = ?',
    at,
    scope,
    session,
  )
  if (changed === 0) throw new NotFoundError('session', session)
}

import { NotFoundError } from '../../errors/not-found-error.ts'
import type { JobRow, JobState, NewJob } from '../store.ts'
import type { Sql } from './sql.ts'

/** Queues a job, unless one of the same kind, scope and session waits already. */
export function queueJob(sql: Sql, owner: number, job: NewJob): void {
  sql.run(
    `INSERT INTO jobs (id, owner, scope, session, kind, state, attempts, at, reason)
     SELECT ?1, ?2, ?3, ?4, ?5, 'queued', 0, ?6, NULL
     WHERE NOT EXISTS (
       SELECT 1 FROM jobs WHERE scope = ?3 AND session IS ?4 AND kind = ?5 AND owner = ?2 AND state = 'queued')`,
    job.id,
    owner,
    job.scope,
    job.session,
    job.kind,
    job.at,
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
    `SELECT id, owner, scope, session, kind, state, attempts, at, reason FROM jobs
     WHERE ${conditions.join(' AND ')} ORDER BY job`,
    ...values,
  )
}

/** A job that another process finished meanwhile is left alone. */
export function updateJob(
  sql: Sql,
  id: string,
  change: { state: JobState; attempts: number; reason: string | null },
): void {
  sql.write(() => {
    sql.run(
      'UPDATE jobs SET state = ?, attempts = ?, reason = ? WHERE id = ?',
      change.state,
      change.attempts,
      change.reason,
      id,
    )
  })
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

import { NotFoundError } from '../../errors/not-found-error.ts'
import type { JobChange, JobRow, JobState, NewJob } from '../store.ts'
import type { Sql } from './sql.ts'
import { Where } from './where.ts'

/** Queues a job (or parks it, when it says so). One for the same work that is in that state already is made due instead. */
export function queueJob(sql: Sql, owner: number, job: NewJob): void {
  const { kind, scope, session, branch = null, from = null, to = null, state = 'queued' } = job
  const known = sql.run(
    `UPDATE jobs SET due_at = 0 WHERE owner = ? AND scope = ? AND session IS ? AND kind = ?
       AND branch IS ? AND from_position IS ? AND to_position IS ? AND state = ?`,
    owner,
    scope,
    session,
    kind,
    branch,
    from,
    to,
    state,
  )
  if (known === 0) insertJob(sql, owner, job)
}

export function insertJob(sql: Sql, owner: number, job: NewJob): void {
  sql.run(
    `INSERT INTO jobs (id, owner, scope, session, kind, branch, from_position, to_position, state, attempts, at, reason, answer)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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

export function readJobs(sql: Sql, filter: { owner?: number; state?: JobState } = {}): JobRow[] {
  const where = new Where().equal('state', filter.state)
  // The index is that of scopes.
  if (filter.owner !== undefined)
    where.and('owner = ? AND scope IN (SELECT scope FROM scopes WHERE owner = ?)', filter.owner, filter.owner)
  return sql.all<JobRow>(
    `SELECT id, owner, scope, session, kind, branch, from_position AS "from", to_position AS "to",
       state, attempts, at, reason, answer FROM jobs WHERE ${where.text} ORDER BY job`,
    ...where.values,
  )
}

/** A job that another process finished meanwhile is left alone. */
export function updateJob(sql: Sql, id: string, change: JobChange, now: number): void {
  const { state, attempts, delayMs } = change
  const due = delayMs === undefined ? 0 : now + delayMs
  sql.write(() => {
    sql.run('UPDATE jobs SET state = ?, attempts = ?, due_at = ? WHERE id = ?', state, attempts, due, id)
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

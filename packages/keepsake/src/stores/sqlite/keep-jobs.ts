import { NotFoundError } from '../../errors/not-found-error.ts'
import type { JobChange, JobFilter, JobRow, NewJob } from '../store.ts'
import { name, Where, type Sql } from './sql.ts'

/**
 * Queues a job (or parks it, when it says so). One for the same work that is in that state already is made due instead.
 *
 * @param home the process that queues it, which others leave it to
 */
export function queueJob(sql: Sql, owner: number, job: NewJob, home: string | null): void {
  const { kind, scope, session, branch = null, from = null, to = null, state = 'queued' } = job
  const known = sql.run`UPDATE jobs SET due_at = 0, home = ${home}
    WHERE owner = ${owner} AND scope = ${scope} AND session IS ${session} AND kind = ${kind}
      AND branch IS ${branch} AND from_position IS ${from} AND to_position IS ${to} AND state = ${state}`
  if (known === 0) insertJob(sql, owner, job, home)
}

/** Adds a job as it is. */
export function insertJob(sql: Sql, owner: number, job: NewJob, home: string | null = null): void {
  const { id, scope, session, kind, branch = null, from = null, to = null, at } = job
  const { state = 'queued', attempts = 0, reason = null, answer = null } = job
  const work = { id, owner, scope, session, kind, branch, from_position: from, to_position: to }
  sql.insert('jobs', { ...work, state, attempts, at, home, reason, answer })
}

export function finishJob(sql: Sql, owner: number, id: string): void {
  sql.run`DELETE FROM jobs WHERE id = ${id} AND owner = ${owner}`
}

export function readJobs(sql: Sql, filter: JobFilter = {}): JobRow[] {
  const { owner, state, after, limit = -1 } = filter
  const where = new Where().equal('state', state)
  // The index is that of scopes.
  if (owner !== undefined)
    where.and`owner = ${owner} AND scope IN (SELECT scope FROM scopes WHERE owner = ${owner})`
  if (after) where.and`(at, id) > (${after.at}, ${after.id})`
  const order = name(isPage(filter) ? 'at, id' : 'job')
  return sql.all<JobRow>`SELECT id, owner, scope, session, kind, branch, from_position AS "from", to_position AS "to",
    state, attempts, at, reason, answer FROM jobs WHERE ${where} ORDER BY ${order} LIMIT ${limit}`
}

function isPage({ after, limit }: JobFilter): boolean {
  return after !== undefined || limit !== undefined
}

/** A job that another process finished meanwhile is left alone. */
export function updateJob(sql: Sql, id: string, change: JobChange, now: number): void {
  const { state, attempts, delayMs, reason, answer, epoch } = change
  const due = delayMs === undefined ? 0 : now + delayMs
  sql.write(() => {
    sql.run`UPDATE jobs SET state = ${state}, attempts = ${attempts}, due_at = ${due} WHERE id = ${id}`
    if (epoch !== undefined && epoch !== epochOf(sql, id)) return
    sql.run`UPDATE jobs SET reason = ${reason} WHERE id = ${id}`
    if (answer !== undefined) sql.run`UPDATE jobs SET answer = ${answer} WHERE id = ${id}`
  })
}

function epochOf(sql: Sql, job: string): number | undefined {
  return sql.value<number>`SELECT epoch FROM jobs JOIN owners USING (owner) WHERE id = ${job}`
}

/** Marks sessions as ended. @throws NotFoundError for a session this scope does not have. */
export function endSession(sql: Sql, scope: number, session: string, at: number): void {
  const changed = sql.run`UPDATE sessions SET ended_at = coalesce(ended_at, ${at})
    WHERE scope = ${scope} AND id = ${session}`
  if (changed === 0) throw new NotFoundError('session', session)
}

import type { JobChange, JobFilter, JobRow, NewJob } from 'keepsake/store-kit'
import type { Sql } from './connection/sql.ts'
import { name, Where } from './connection/sql-part.ts'
import type { Database } from './database.ts'
import { NOW } from './now.ts'

/** Who has people at hand whose work is queued. */
export interface Homes {
  /** This process. */
  readonly holder: string
  /** Those for whom work was queued, to be told once it is committed. */
  readonly homes: Set<string>
}

/**
 * Queues a job (or parks it, when it says so). One for the same work that is in that state already is made due instead.
 *
 * It is for whoever worked for the person last, or else for `holder`, to do it first.
 */
export function queueJob(sql: Sql, owner: number, job: NewJob, { holder, homes }: Homes): void {
  const { id, kind, scope, session, at, branch = null, from = null, to = null } = job
  const { state = 'queued', attempts = 0, reason = null, answer = null } = job
  sql.note((home) => homes.add(String(home)))`WITH home AS (
      SELECT coalesce((SELECT holder FROM claims WHERE owner = ${owner}), ${holder}) AS name),
    alike AS (
      UPDATE jobs SET due_at = least(due_at, ${NOW}), home = (SELECT name FROM home) WHERE owner = ${owner} AND scope = ${scope} AND kind = ${kind} AND state = ${state}
        AND session IS NOT DISTINCT FROM ${session} AND branch IS NOT DISTINCT FROM ${branch}
        AND from_position IS NOT DISTINCT FROM ${from} AND to_position IS NOT DISTINCT FROM ${to} RETURNING 1),
    added AS (
    INSERT INTO jobs (owner, id, scope, session, kind, branch, from_position, to_position, state, attempts, at, due_at, home, reason, answer)
    SELECT ${owner}::bigint, ${id}, ${scope}::bigint, ${session}, ${kind}, ${branch}, ${from}::bigint, ${to}::bigint, ${state},
      ${attempts}::integer, ${at}::bigint, ${NOW}, (SELECT name FROM home), ${reason}, ${answer} WHERE NOT EXISTS (SELECT FROM alike))
    SELECT name FROM home`
}

export function finishJobs(sql: Sql, owner: number, ids: readonly string[]): void {
  if (ids.length > 0) sql.send`DELETE FROM jobs WHERE owner = ${owner} AND id = ANY(${ids})`
}

export function readJobs(
  { transactions }: Database,
  { owner, state, after, limit }: JobFilter = {},
): Promise<JobRow[]> {
  const where = new Where().equal('owner', owner).equal('state', state)
  if (after) where.and`(at, id) > (${after.at}::bigint, ${after.id}::text)`
  const order = name(after === undefined && limit === undefined ? 'job' : 'at, id')
  return transactions.read(
    owner === undefined ? 'all' : { owner },
    (
      sql,
    ) => sql.all<JobRow>`SELECT id, owner, scope, session, kind, branch, from_position AS "from", to_position AS "to",
      state, attempts, at, reason, answer FROM jobs WHERE ${where.part} ORDER BY ${order} LIMIT ${limit ?? null}`,
  )
}

/** A job that another process finished meanwhile is left alone. */
export async function updateJob(database: Database, id: string, change: JobChange): Promise<void> {
  const { transactions } = database
  const owner = await transactions.read(
    'all',
    (sql) => sql.value<number>`SELECT owner FROM jobs WHERE id = ${id}`,
  )
  if (owner === undefined) return
  const { state, attempts, delayMs, reason, answer, epoch } = change
  const homes = new Set<string>()
  await transactions.write({ owner }, async (sql) => {
    // An erasure takes this lock: what it removes does not come back by a reason or an answer.
    const now = await sql.value<number>`SELECT epoch FROM owners WHERE owner = ${owner} FOR UPDATE`
    sql.note((home) => homes.add(String(home)))`UPDATE jobs SET state = ${state}, attempts = ${attempts},
      due_at = ${NOW} + ${delayMs ?? 0} WHERE owner = ${owner} AND id = ${id} RETURNING home`
    if (epoch !== undefined && epoch !== now) return
    sql.send`UPDATE jobs SET reason = ${reason} WHERE owner = ${owner} AND id = ${id}`
    if (answer !== undefined)
      sql.send`UPDATE jobs SET answer = ${answer} WHERE owner = ${owner} AND id = ${id}`
  })
  if (state === 'queued') database.tellOfWork(homes)
}

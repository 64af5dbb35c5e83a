import type { JobChange, JobRow, JobState, NewJob } from 'keepsake/store-kit'
import type { Sql } from './connection/sql.ts'
import { Where } from './connection/sql-part.ts'
import type { Database } from './database.ts'
import { NOW } from './now.ts'

/** Queues a job (or parks it, when it says so). One for the same work that is in that state already is made due instead. */
export function queueJob(sql: Sql, owner: number, job: NewJob): void {
  const { id, kind, scope, session, at, branch = null, from = null, to = null } = job
  const { state = 'queued', attempts = 0, reason = null, answer = null } = job
  sql.send`WITH alike AS (
      UPDATE jobs SET due_at = 0 WHERE owner = ${owner} AND scope = ${scope} AND kind = ${kind} AND state = ${state}
        AND session IS NOT DISTINCT FROM ${session} AND branch IS NOT DISTINCT FROM ${branch}
        AND from_position IS NOT DISTINCT FROM ${from} AND to_position IS NOT DISTINCT FROM ${to} RETURNING 1)
    INSERT INTO jobs (owner, id, scope, session, kind, branch, from_position, to_position, state, attempts, at, reason, answer)
    SELECT ${owner}::bigint, ${id}, ${scope}::bigint, ${session}, ${kind}, ${branch}, ${from}::bigint, ${to}::bigint, ${state},
      ${attempts}::integer, ${at}::bigint, ${reason}, ${answer} WHERE NOT EXISTS (SELECT FROM alike)`
}

export function finishJobs(sql: Sql, owner: number, ids: readonly string[]): void {
  if (ids.length > 0) sql.send`DELETE FROM jobs WHERE owner = ${owner} AND id = ANY(${ids})`
}

export function readJobs(
  { transactions }: Database,
  { owner, state }: { owner?: number; state?: JobState } = {},
): Promise<JobRow[]> {
  const where = new Where().equal('owner', owner).equal('state', state)
  return transactions.read(
    owner === undefined ? 'all' : { owner },
    (
      sql,
    ) => sql.all<JobRow>`SELECT id, owner, scope, session, kind, branch, from_position AS "from", to_position AS "to",
      state, attempts, at, reason, answer FROM jobs WHERE ${where.part} ORDER BY job`,
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
  await transactions.write({ owner }, async (sql) => {
    // An erasure takes this lock: what it removes does not come back by a reason or an answer.
    const now = await sql.value<number>`SELECT epoch FROM owners WHERE owner = ${owner} FOR UPDATE`
    sql.send`UPDATE jobs SET state = ${state}, attempts = ${attempts},
      due_at = CASE WHEN ${delayMs ?? null}::bigint IS NULL THEN 0 ELSE ${NOW} + ${delayMs ?? 0} END
      WHERE owner = ${owner} AND id = ${id}`
    if (epoch !== undefined && epoch !== now) return
    sql.send`UPDATE jobs SET reason = ${reason} WHERE owner = ${owner} AND id = ${id}`
    if (answer !== undefined)
      sql.send`UPDATE jobs SET answer = ${answer} WHERE owner = ${owner} AND id = ${id}`
  })
  if (state === 'queued') database.tellOfWork()
}

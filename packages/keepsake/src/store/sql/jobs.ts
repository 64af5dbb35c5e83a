// Queues, claims, finishes and lists the jobs of workers.
import { randomUUID } from 'node:crypto'
import { NotFoundError } from '../../errors/errors.ts'
import type { ClaimRequest, ClaimResult, Claim, JobChange, JobFilter, JobRow, NewJob } from '../jobs.ts'
import { listScopes, readCounters } from './scopes.ts'
import type { SqlDatabase, Transaction } from './sql-database.ts'
import { changedRows, insertRows, statement } from './statements.ts'
import type { NewRow } from './tables.ts'

function jobRow(userId: number, job: NewJob, due_at = 0): NewRow<'jobs'> {
  const { id, kind, scope, session, branch = null, from = null, to = null, at } = job
  const { state = 'queued', attempts = 0, reason = null, answer = null } = job
  return {
    user_id: userId,
    id,
    work: JSON.stringify([kind, scope, session, branch, from, to]),
    scope_id: scope,
    session,
    kind,
    branch,
    from_position: from,
    to_position: to,
    state,
    attempts,
    at,
    due_at,
    reason,
    answer,
  }
}

/** Queues jobs. If a job with the same work is stored, that job becomes due instead. */
export async function queueJobs(tx: Transaction, userId: number, jobs: readonly NewJob[]): Promise<void> {
  // Each job has its own statement, because two jobs of one call may have the same work.
  for (const job of jobs) {
    const due = job.delayMs === undefined ? 0 : (await tx.database.now(tx.db)) + job.delayMs
    await insertRows(tx, 'jobs', [jobRow(userId, job, due)], {
      keys: ['user_id', 'work', 'state'],
      set: ['due_at'],
    })
  }
}

export async function insertJobs(tx: Transaction, userId: number, jobs: readonly NewJob[]): Promise<void> {
  const rows = jobs.map((job) => jobRow(userId, job))
  await insertRows(tx, 'jobs', rows)
}

const deleteJob = statement((db, { userId, id }: { userId: number; id: string }) =>
  db.deleteFrom('jobs').where('user_id', '=', userId).where('id', '=', id),
)

export async function finishJobs(tx: Transaction, userId: number, ids: readonly string[]): Promise<void> {
  for (const id of ids) await deleteJob(tx, { userId, id })
}

const JOB_COLUMNS = [
  'id',
  'user_id as owner',
  'scope_id as scope',
  'session',
  'kind',
  'branch',
  'from_position as from',
  'to_position as to',
  'state',
  'attempts',
  'at',
  'reason',
  'answer',
  'due_at',
] as const

const selectQueued = statement((db, { userId }: { userId: number }) =>
  db
    .selectFrom('jobs')
    .select(JOB_COLUMNS)
    .where('user_id', '=', userId)
    .where('state', '=', 'queued')
    .orderBy('at')
    .orderBy('id'),
)

export async function listJobs(tx: Transaction, filter: JobFilter = {}): Promise<JobRow[]> {
  const { owner, state, after, limit } = filter
  // Each consolidation makes this call, so it uses the compiled statement.
  if (owner !== undefined && state === 'queued' && after === undefined && limit === undefined)
    return (await selectQueued(tx, { userId: owner })).map(toJobRow)
  const rows = await tx.db
    .selectFrom('jobs')
    .select(JOB_COLUMNS)
    .$if(owner !== undefined, (query) => query.where('user_id', '=', owner ?? 0))
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'queued'))
    .$if(after !== undefined && after !== null, (query) =>
      query.where((eb) =>
        eb.or([
          eb('at', '>', after?.at ?? 0),
          eb.and([eb('at', '=', after?.at ?? 0), eb('id', '>', after?.id ?? '')]),
        ]),
      ),
    )
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .orderBy('at')
    .orderBy('id')
    .execute()
  return rows.map(toJobRow)
}

function toJobRow({
  due_at: dueAt,
  ...job
}: Omit<JobRow, 'nextTryAt'> & { readonly due_at: number }): JobRow {
  return { ...job, nextTryAt: job.state === 'parked' || dueAt === 0 ? null : dueAt }
}

/** Sets the state of a job after a failed try. Does nothing if the job was finished meanwhile. */
export async function updateJob(
  tx: Transaction,
  userId: number,
  id: string,
  change: JobChange,
): Promise<void> {
  const { db, database } = tx
  const { state, attempts, delayMs, reason, answer, revision } = change
  const { erasedRevision } = await readCounters(tx, userId)
  // Reason and answer may quote content that was erased after the worker read it.
  const mayQuoteErased = revision !== undefined && revision < erasedRevision
  const due_at = delayMs === undefined ? 0 : (await database.now(db)) + delayMs
  const row = await db
    .selectFrom('jobs')
    .select('work')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return
  // Work and state are unique together, so another job with both must go.
  await db
    .deleteFrom('jobs')
    .where('user_id', '=', userId)
    .where('work', '=', row.work)
    .where('state', '=', state)
    .where('id', '!=', id)
    .execute()
  await db
    .updateTable('jobs')
    .set({
      state,
      attempts,
      due_at,
      ...(mayQuoteErased ? {} : { reason }),
      ...(mayQuoteErased || answer === undefined ? {} : { answer }),
    })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Marks a session as ended. @throws NotFoundError for a session that this scope does not have. */
export async function endSession(
  { db }: Transaction,
  { userId, scope, session, at }: { userId: number; scope: number; session: string; at: number },
): Promise<void> {
  const changed = await db
    .updateTable('sessions')
    .set((eb) => ({ ended_at: eb.fn.coalesce('ended_at', eb.val(at)) }))
    .where('user_id', '=', userId)
    .where('scope_id', '=', scope)
    .where('id', '=', session)
    .execute()
  if (changedRows(changed) === 0) throw new NotFoundError('session', session)
}

const upsertClaim = statement(
  (db, row: { userId: number; id: string; holder: string; until: number; replacedId: string }) =>
    db
      .insertInto('claims')
      .values({ user_id: row.userId, id: row.id, holder: row.holder, until: row.until })
      .onConflict((target) =>
        target
          .column('user_id')
          .doUpdateSet({ id: row.id, holder: row.holder, until: row.until })
          .where('claims.id', '=', row.replacedId),
      )
      .returning('id'),
)

const selectClaim = statement((db, { userId }: { userId: number }) =>
  db.selectFrom('claims').select(['id', 'holder', 'until']).where('user_id', '=', userId),
)

/** Claims a user's work; `null` if another caller holds it, or no user is named and no job is due. */
export async function claimUser(
  tx: Transaction,
  userId: number,
  { leaseMs, userId: requestedUserId }: ClaimRequest,
): Promise<Claim | null> {
  const { db, database } = tx
  const now = await database.now(db)
  const [known] = await selectClaim(tx, { userId })
  if (known !== undefined && isHeld(database, known, now)) return null
  const queued = await selectQueued(tx, { userId })
  const dueScopes = new Set(queued.filter(({ due_at }) => due_at <= now).map(({ scope }) => scope))
  if (requestedUserId === undefined && dueScopes.size === 0) return null
  const id = randomUUID()
  const claim = { userId, id, holder: database.holder, until: now + leaseMs, replacedId: known?.id ?? '' }
  // No row is written if another process claimed the user since `selectClaim`.
  if ((await upsertClaim(tx, claim)).length === 0) return null
  const scopes = dueScopes.size === 0 ? [] : await listScopes(tx, { owner: userId })
  return {
    id,
    userId,
    scopes: scopes.filter(({ scope }) => dueScopes.has(scope)),
    jobs: queued.map(toJobRow),
  }
}

interface ClaimCells {
  readonly holder: string | null
  readonly until: number | null
}

function isHeld(database: SqlDatabase, { holder, until }: ClaimCells, now: number): boolean {
  return holder !== null && until !== null && until > now && !database.isGone(holder)
}

/** Maximum number of users with due jobs that one search for work examines. */
const MAX_USERS_EXAMINED = 100

const selectDue = statement((db, { now }: { now: number }) =>
  db
    .selectFrom('jobs as j')
    .leftJoin('claims as c', 'c.user_id', 'j.user_id')
    .select(({ fn }) => ['j.user_id', 'c.holder', 'c.until', fn.min('j.at').as('first')])
    .where('j.state', '=', 'queued')
    .where('j.due_at', '<=', now)
    .groupBy(['j.user_id', 'c.holder', 'c.until'])
    .orderBy('first')
    .limit(MAX_USERS_EXAMINED),
)

/** Finds the user with the oldest due job, among users whose work is not held. */
export async function findWork(
  tx: Transaction,
): Promise<number | Exclude<ClaimResult['outcome'], 'claimed'>> {
  const now = await tx.database.now(tx.db)
  const waiting = await selectDue(tx, { now })
  const free = waiting.find((row) => !isHeld(tx.database, row, now))
  return free?.user_id ?? (waiting.length === 0 ? 'nothing' : 'held')
}

export async function renewClaim(
  { db, database }: Transaction,
  id: string,
  leaseMs: number,
): Promise<boolean> {
  const until = (await database.now(db)) + leaseMs
  return changedRows(await db.updateTable('claims').set({ until }).where('id', '=', id).execute()) === 1
}

const deleteClaim = statement((db, { id }: { id: string }) => db.deleteFrom('claims').where('id', '=', id))

export async function releaseClaim(tx: Transaction, id: string): Promise<void> {
  await deleteClaim(tx, { id })
}

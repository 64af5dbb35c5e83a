import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { Claim, JobRow } from '../store/store.ts'
import type { Engine } from '../work/engine.ts'
import { ENDLESS, sliceOfTime, type TimeSlice } from '../work/time-slice.ts'
import { forgetOverCapacity } from '../forget/forget-over-capacity.ts'
import { TO_THE_LAST } from './read-unread.ts'
import { noteFailure } from '../work/report-failure.ts'
import { viewScope } from '../work/scope-view.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { Pass } from './pass.ts'

/**
 * Consolidates a scope up to its last turn: runs every branch, then finishes the sessions that have ended. Each step
 * commits its work together with its progress, so a crash neither loses nor repeats work. Waits for other workers.
 */
export async function consolidateScope(engine: Engine, row: ScopeRow): Promise<void> {
  await engine.claims.of(row.owner, () => bringUp(engine, row, ENDLESS))
}

/**
 * Runs a claimed user's jobs for one time slice. Unfinished work is queued again behind other users; failures stay
 * queued with their reason.
 */
export async function consolidateClaimed(engine: Engine, claim: Claim): Promise<void> {
  const { userId, scopes } = claim
  for (const row of scopes) {
    const started = performance.now()
    let revision: number | undefined
    try {
      revision = (await engine.users.load(userId)).revision
      await bringUp(engine, row, sliceOfTime())
      const milliseconds = performance.now() - started
      engine.events.emit('scope-consolidated', { scope: eventScope(row), milliseconds })
    } catch (error) {
      await noteFailure(engine, row, error, revision)
    }
  }
}

/**
 * Finds segments parked after one failed attempt; a second answer is often usable. They are retried when a later
 * session ends, not their own.
 */
async function parkedOnce(
  engine: Engine,
  row: ScopeRow,
  ending: readonly JobRow[],
): Promise<readonly JobRow[]> {
  if (ending.length === 0) return []
  const sessions = new Set(ending.map(({ session }) => session))
  const found: JobRow[] = []
  for (const job of await engine.store.listJobs({ owner: row.owner, state: 'parked' })) {
    const { scope, kind, attempts, from, to } = job
    if (scope !== row.scope || kind !== 'read-segment' || attempts !== 1) continue
    const last = { userId: row.owner, scopes: [scope], newestFirst: true, limit: 1 }
    const range = { afterPosition: from ?? undefined, beforePosition: to === null ? undefined : to + 1 }
    const [turn] = await engine.store.listTurns({ ...last, ...range })
    if (!sessions.has(turn?.session ?? null)) found.push(job)
  }
  return found
}

/** Queues parked segments that an interrupted pass did not reach; nothing else would retry them until the next session ends. */
async function queueParked(
  engine: Engine,
  row: ScopeRow,
  parked: readonly JobRow[],
  ending: readonly JobRow[],
): Promise<void> {
  const due = new Set(parked.map(({ id }) => id))
  for (const { id, attempts, reason } of await parkedOnce(engine, row, ending))
    if (due.has(id)) await engine.store.updateJob(row.owner, id, { state: 'queued', attempts, reason })
}

/** Moves a scope's jobs to the end of the queue. */
async function queueBehind(engine: Engine, row: ScopeRow): Promise<void> {
  const queued = await engine.store.listJobs({ owner: row.owner, state: 'queued' })
  // Failed jobs keep their place and wait for their retry.
  const jobs = queued.filter(({ scope, attempts }) => scope === row.scope && attempts === 0)
  const ids = jobs.map(({ id }) => id)
  const queueJobs = jobs.map((job) => ({ ...job, id: engine.newId() }))
  await decideAndCommit(engine, row, () => undefined, { finishJobs: ids, expectJobs: ids, queueJobs })
  engine.worker.wake(row)
}

/** Runs passes until every turn is read or the time slice ends. */
async function bringUp(engine: Engine, row: ScopeRow, slice: TimeSlice): Promise<void> {
  for (;;) {
    const { lastPosition } = (await engine.users.load(row.owner)).progress(row.scope)
    const queued = await engine.store.listJobs({ owner: row.owner, state: 'queued' })
    const jobs = queued.filter(({ scope }) => scope === row.scope)
    if ((await runPass(engine, row, { jobs, lastPosition, slice })) !== 'more') return
  }
}

interface Due {
  readonly jobs: readonly JobRow[]
  readonly lastPosition: number
  readonly slice: TimeSlice
}

/** `whole`: all turns are read. `cut`: the rest is queued again. `more`: new turns have arrived. */
type PassOutcome = 'whole' | 'cut' | 'more'

async function runPass(engine: Engine, row: ScopeRow, due: Due): Promise<PassOutcome> {
  const { jobs, slice } = due
  const ofKind = (kind: JobRow['kind']): JobRow[] => jobs.filter((job) => job.kind === kind)
  const pass = new Pass(engine, row, slice)
  const ending = ofKind('end-session')
  const parked = await parkedOnce(engine, row, ending)
  await pass.runRounds()
  await pass.runBranches(TO_THE_LAST)
  await pass.readAgain(ofKind('read-segment'))
  await pass.endSessions(ending)
  if (!pass.hasFailed) await pass.readAgain(parked)
  if (!pass.isCut) await forgetOverCapacity(engine, row)
  pass.throwAny()
  if (pass.isCut) {
    await queueParked(engine, row, parked, ending)
    await queueBehind(engine, row)
    return 'cut'
  }
  return (await finish(engine, row, due)) ? 'whole' : 'more'
}

/**
 * Finishes the jobs of a fully read scope. Keeps them if turns arrived meanwhile; a turn that arrives during the
 * commit causes a conflict.
 *
 * @returns whether nothing is left to read
 */
async function finish(engine: Engine, row: ScopeRow, { jobs, lastPosition }: Due): Promise<boolean> {
  const finishJobs = jobs.filter(({ kind }) => kind === 'consolidate').map(({ id }) => id)
  if (finishJobs.length === 0) {
    const { state: now } = await viewScope(engine, row)
    return now.progress(row.scope).lastPosition <= lastPosition
  }
  const committed = await decideAndCommit(engine, row, () => undefined, { finishJobs, lastPosition })
  return committed !== null
}

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
 * Brings a scope up to its last turn: every branch reads what it has not read, and sessions that were ended
 * are summarised and judged. Each step commits its work with how far it got, in one transaction, so that being
 * killed in between loses and doubles nothing. Waits while another worker, here or in another process, is at it.
 */
export async function consolidateScope(engine: Engine, row: ScopeRow): Promise<void> {
  await engine.claims.of(row.owner, () => bringUp(engine, row, ENDLESS))
}

/**
 * Does a claimed person's work for a while. What is left then is queued again, behind that of others who wait. What fails stays
 * queued with the reason, for later.
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
 * Segments that were parked before, and not tried again yet: a model that answers one question in ten badly has most likely
 * something usable to say the second time. The end of a later session has all of them tried, once; that of their own does not,
 * though a pass may be cut between the two.
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

/** Queues those that a pass was cut before: the session has ended by then, and nothing else would try them until the next. */
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

/** Queues a scope's work anew, so that it stands behind what others queued meanwhile. */
async function queueBehind(engine: Engine, row: ScopeRow): Promise<void> {
  const queued = await engine.store.listJobs({ owner: row.owner, state: 'queued' })
  // What failed before waits for its next try, and stays where it is.
  const jobs = queued.filter(({ scope, attempts }) => scope === row.scope && attempts === 0)
  const ids = jobs.map(({ id }) => id)
  const queueJobs = jobs.map((job) => ({ ...job, id: engine.newId() }))
  await decideAndCommit(engine, row, () => undefined, {
    finishJobs: ids,
    expectJobs: ids,
    queueJobs,
  })
  engine.worker.wake(row)
}

/** Runs passes until every turn is read, or the time is over. */
async function bringUp(engine: Engine, row: ScopeRow, slice: TimeSlice): Promise<void> {
  for (;;) {
    const { lastPosition } = (await engine.users.load(row.owner)).progress(row.scope)
    const queued = await engine.store.listJobs({ owner: row.owner, state: 'queued' })
    const jobs = queued.filter(({ scope }) => scope === row.scope)
    if ((await runPass(engine, row, { jobs, lastPosition, slice })) !== 'more') return
  }
}

/** Whether a job ends when its scope's turns are read. */
function isOfTurns({ kind }: JobRow): boolean {
  return kind === 'consolidate'
}

interface Due {
  /** The scope's queued jobs. */
  readonly jobs: readonly JobRow[]
  readonly lastPosition: number
  readonly slice: TimeSlice
}

/** `whole`: all is read. `cut`: the rest is queued again. `more`: turns came meanwhile. */
type Passed = 'whole' | 'cut' | 'more'

async function runPass(engine: Engine, row: ScopeRow, due: Due): Promise<Passed> {
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
 * Finishes jobs of a scope that was read up to a position. Turns that came meanwhile found one queued and queued none, so it stays for
 * as long as there are any: one that comes in the last moment makes the commit conflict.
 *
 * @returns whether nothing is left to read
 */
async function finish(engine: Engine, row: ScopeRow, { jobs, lastPosition }: Due): Promise<boolean> {
  const finishJobs = jobs.filter(isOfTurns).map(({ id }) => id)
  if (finishJobs.length === 0) {
    const { state: now } = await viewScope(engine, row)
    return now.progress(row.scope).lastPosition <= lastPosition
  }
  return (
    (await decideAndCommit(engine, row, () => undefined, {
      finishJobs,
      lastPosition,
    })) !== null
  )
}

import { setImmediate as giveWay } from 'node:timers/promises'
import { NotPossibleError } from '../errors/not-possible-error.ts'
import type { Branch } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Claim, JobRow } from '../stores/store.ts'
import type { Engine } from '../work/engine.ts'
import { finishSession } from './finish-session.ts'
import { drawFacts, drawFactsAgain } from './draw-facts.ts'
import { keepUtterances } from './keep-utterances.ts'
import { forgetOverCapacity } from '../forget/forget-over-capacity.ts'
import { packStory } from './pack-story.ts'
import { isUnusableAnswer, parkJob } from './park-job.ts'
import { asError, noteFailure, tellFailure } from '../work/report-failure.ts'
import { newJob } from '../work/new-job.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'

/** Runs a branch once over what it has not read. @returns whether it got any further. */
function runBranch(
  engine: Engine,
  row: ScopeRow,
  branch: Branch,
  endingSession: string | null,
): Promise<boolean> {
  switch (branch.kind) {
    case 'utterances':
      return keepUtterances(engine, row, branch, endingSession)
    case 'facts':
      return drawFacts(engine, row, branch, endingSession)
    case 'story':
      return packStory(engine, row, branch)
    case 'summaries':
    case 'portrait':
      return Promise.resolve(false)
  }
}

/** Collects what went wrong, so that what can go on does: a model that fails one branch holds up no other. */
class Failures {
  readonly #errors: Error[] = []

  /** @returns whether it succeeded. */
  async attempt(task: () => Promise<void>): Promise<boolean> {
    try {
      await task()
      return true
    } catch (error) {
      this.#errors.push(asError(error))
      return false
    }
  }

  /** Throws the first that went wrong, and tells the others. */
  throwAny(tell: (error: Error) => void): void {
    const [first, ...others] = this.#errors
    for (const other of others) tell(other)
    if (first !== undefined) throw first
  }
}

/** @returns whether every branch came through. */
async function runBranches(
  engine: Engine,
  row: ScopeRow,
  endingSession: string | null,
  failures: Failures,
): Promise<boolean> {
  let isWhole = true
  for (const branch of engine.preset.branches) {
    const cameThrough = await failures.attempt(async () => {
      while (await runBranch(engine, row, branch, endingSession)) await giveWay()
    })
    isWhole &&= cameThrough
  }
  return isWhole
}

/** Segments that a model could not be made to read, tried again because somebody asked. */
async function readAgain(
  engine: Engine,
  row: ScopeRow,
  jobs: readonly JobRow[],
  failures: Failures,
): Promise<void> {
  for (const job of jobs) {
    const branch = engine.preset.branches.find((one) => one.kind === job.branch)
    if (branch?.kind === 'facts') await failures.attempt(() => drawFactsAgain(engine, row, branch, job))
    else await parkForeign(engine, row, job)
  }
}

/** A segment that another preset read: this one would come upon it again and again. */
async function parkForeign(engine: Engine, row: ScopeRow, job: JobRow): Promise<void> {
  const { name } = engine.preset
  const error = new NotPossibleError(
    `Preset ${name} has no branch "${job.branch}" that could read this segment. Open the memory with a preset that has one, and have the job tried again.`,
    { job: job.id, preset: name },
  )
  const { epoch } = await engine.store.version(row.owner)
  await parkJob(engine, row, job, { error, epoch })
}

/** Ends the sessions whose branches have all read them; the others wait with their jobs. */
async function endSessions(
  engine: Engine,
  row: ScopeRow,
  jobs: readonly JobRow[],
  failures: Failures,
): Promise<void> {
  for (const job of jobs) {
    const { id, session } = job
    if (session === null) continue
    if (!(await runBranches(engine, row, session, failures))) continue
    const { epoch } = await engine.store.version(row.owner)
    await failures.attempt(async () => {
      try {
        await finishSession(engine, row, session, id)
      } catch (error) {
        if (!isUnusableAnswer(error)) throw error
        await parkJob(engine, row, job, { error, epoch })
      }
    })
  }
}

/**
 * Brings a scope up to its last turn: every branch reads what it has not read, and sessions that were ended
 * are summarised and judged. Each step commits its work with how far it got, in one transaction, so that being
 * killed in between loses and doubles nothing. Waits while another worker, here or in another process, is at it.
 */
export async function consolidateScope(engine: Engine, row: ScopeRow): Promise<void> {
  await engine.claims.of(row.owner, () => bringUp(engine, row))
}

/** Does a claimed person's work. What fails stays queued with the reason, for later. */
export async function consolidateClaimed(engine: Engine, { owner, scopes }: Claim): Promise<void> {
  for (const row of scopes) {
    const { epoch } = await engine.store.version(owner)
    try {
      await bringUp(engine, row)
    } catch (error) {
      await noteFailure(engine, row, error, epoch)
    }
  }
}

async function bringUp(engine: Engine, row: ScopeRow): Promise<void> {
  for (;;) {
    const { lastPosition } = await engine.store.progress(row.owner, row.scope)
    const jobs = await engine.store.jobs({ owner: row.owner, state: 'queued' })
    const own = jobs.filter((job) => job.scope === row.scope)
    const failures = new Failures()
    const ofKind = (kind: JobRow['kind']): JobRow[] => own.filter((job) => job.kind === kind)
    await runBranches(engine, row, null, failures)
    await readAgain(engine, row, ofKind('read-segment'), failures)
    await endSessions(engine, row, ofKind('end-session'), failures)
    await forgetOverCapacity(engine, row, new Set())
    failures.throwAny((error) => tellFailure(engine, error))
    const done = ofKind('consolidate').map((job) => job.id)
    const after = await engine.store.progress(row.owner, row.scope)
    const isDone = after.lastPosition === lastPosition
    if (done.length > 0) await finishJobs(engine, row, done, !isDone)
    if (isDone) return
  }
}

/** Turns that came meanwhile found a job queued and queued none: the one that ends leaves them a successor. */
async function finishJobs(
  engine: Engine,
  row: ScopeRow,
  jobs: readonly string[],
  hasMore: boolean,
): Promise<void> {
  const terms = { finishJobs: jobs, queueJobs: hasMore ? [newJob(engine, row, 'consolidate')] : [] }
  await decideAndCommit(engine, row, () => undefined, terms)
}

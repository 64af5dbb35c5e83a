// Runs the background work of a scope: its branches, the ends of sessions, and the retries of parked segments.
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { Claim, JobRow } from '../store/store.ts'
import type { Engine } from '../work/engine.ts'
import { isByModel } from '../extraction/extractor.ts'
import { forgetOverCapacity } from '../forget/forget-over-capacity.ts'
import { Outage, TO_THE_LAST, type Reach } from './read-unread.ts'
import {
  recordFailure,
  asError,
  hasFailed,
  isPostponed,
  postponeForModel,
  reportFailure,
} from '../work/jobs.ts'
import { viewScope } from '../work/scope-view.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { NotPossibleError } from '../errors/errors.ts'
import type { Branch } from '../presets/preset.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { finishSession } from './finish-session.ts'
import { extractFacts, extractFactsAgain } from './extract-facts.ts'
import { keepUtterances } from './keep-utterances.ts'
import { packStory } from './pack-story.ts'
import { nextRound, recallRound } from './recall-round.ts'
import { isUnusableAnswer, parkJob, parkedOnce, queueParked } from './park-job.ts'

/** Runs a claimed user's jobs for one time slice. Unfinished work is queued behind that of other users. */
export async function consolidateClaimed(engine: Engine, claim: Claim): Promise<void> {
  const { userId, scopes, jobs } = claim
  for (const row of scopes) {
    const started = performance.now()
    let revision: number | undefined
    try {
      revision = (await engine.users.load(userId)).revision
      await runPasses(engine, row, startTimeSlice())
      const milliseconds = performance.now() - started
      engine.events.emit('scope-consolidated', { scope: eventScope(row), milliseconds })
    } catch (error) {
      await recordFailure(engine, row, error, { revision, jobs })
    }
  }
}

/** Consolidates a scope up to its last turn: every branch, then ended sessions. Each step commits its progress. */
export async function consolidateScope(engine: Engine, row: ScopeRow): Promise<void> {
  await engine.claims.of(row.owner, () => runPasses(engine, row, ENDLESS))
}

/** Runs passes over a scope until all turns are read, or the time slice is over. */
async function runPasses(engine: Engine, row: ScopeRow, slice: TimeSlice): Promise<void> {
  for (;;) {
    const { lastPosition } = (await engine.users.load(row.owner)).progress(row.scope)
    const queued = await engine.store.listJobs({ owner: row.owner, state: 'queued' })
    const jobs = queued.filter(({ scope }) => scope === row.scope)
    if ((await runPass(engine, row, { jobs, lastPosition, slice })) !== 'more') return
  }
}

/** The work of a pass, and the position of the last turn when it began. */
interface DueWork {
  readonly jobs: readonly JobRow[]
  readonly lastPosition: number
  readonly slice: TimeSlice
}

/** `complete`: all turns are read. `interrupted`: the rest is queued again. `more`: new turns have arrived. */
type PassOutcome = 'complete' | 'interrupted' | 'more'

/** Runs one pass: parked segments, rounds, branches, ends of sessions, forgetting. */
async function runPass(engine: Engine, row: ScopeRow, due: DueWork): Promise<PassOutcome> {
  const { jobs, slice } = due
  const jobsOfKind = (kind: JobRow['kind']): JobRow[] => jobs.filter((job) => job.kind === kind)
  const pass = new Pass(engine, row, slice)
  const ending = jobsOfKind('end-session')
  const parked = await parkedOnce(engine, row, ending)
  // Segments that waited for the model come first, because they are older than the unread turns.
  await pass.readAgain(jobsOfKind('read-segment'))
  await pass.runRounds()
  await pass.runBranches(TO_THE_LAST)
  await pass.endSessions(ending)
  if (!pass.hasFailed) await pass.readAgain(parked)
  if (!pass.isInterrupted) await forgetOverCapacity(engine, row)
  pass.throwAny()
  if (pass.isInterrupted) {
    await queueParked(engine, row, parked, ending)
    await queueBehind(engine, row)
    return 'interrupted'
  }
  return (await finishJobs(engine, row, due)) ? 'complete' : 'more'
}

/** One pass over a scope. It collects errors, so that a branch that fails does not block the others. */
class Pass {
  readonly #engine: Engine
  readonly #row: ScopeRow
  readonly #errors: Error[] = []
  /** Branches that failed in this pass. They are not run again for the ends of sessions. */
  readonly #failed = new Set<Branch>()
  readonly #slice: TimeSlice
  readonly #outage = new Outage()
  #isInterrupted = false

  constructor(engine: Engine, row: ScopeRow, slice: TimeSlice) {
    this.#engine = engine
    this.#row = row
    this.#slice = slice
  }

  get hasFailed(): boolean {
    return this.#errors.length > 0
  }

  /** Whether the pass was stopped by the end of its time slice. */
  get isInterrupted(): boolean {
    return this.#isInterrupted
  }

  /**
   * Checks between two steps whether the time slice is over. Nothing is lost, because each step was committed. A pass that failed is
   * completed first, because its failure postpones all of its jobs.
   */
  #mustStop(): boolean {
    this.#isInterrupted ||= this.#slice.isOver && !this.hasFailed
    return this.#isInterrupted
  }

  /** Runs a task and collects its error. @returns whether it succeeded */
  async #attempt(task: () => Promise<void>): Promise<boolean> {
    try {
      await task()
      return true
    } catch (error) {
      this.#errors.push(asError(error))
      return false
    }
  }

  /** Throws the first error, and reports the others. */
  throwAny(): void {
    const [first, ...otherErrors] = this.#errors
    for (const error of otherErrors) reportFailure(this.#engine, error)
    if (first !== undefined) throw first
  }

  /** Runs one step of a branch. @returns whether it made progress */
  async #runBranch(branch: Branch, reach: Reach): Promise<boolean> {
    switch (branch.kind) {
      case 'utterances':
        return keepUtterances(this.#engine, this.#row, branch, reach)
      case 'facts':
        return extractFacts(this.#engine, this.#row, branch, { ...reach, outage: this.#outage })
      case 'story':
        return packStory(this.#engine, this.#row, branch, reach)
      case 'summaries':
      case 'portrait':
        return false
    }
  }

  /** Runs the branches and recalls for each round in turn, so that the result does not depend on how turns arrive. */
  async runRounds(): Promise<void> {
    if (this.#engine.preset.use.eachRound !== true) return
    for (;;) {
      const round = await nextRound(this.#engine, this.#row)
      if (round === null) return
      await this.runBranches({ endingSession: null, upTo: round.to })
      if (this.#isInterrupted) return
      const succeeded = await this.#attempt(() => recallRound(this.#engine, this.#row, round))
      if (!succeeded || this.#mustStop()) return
      await yieldToEventLoop()
    }
  }

  /** Runs every branch as far as `reach` allows. @returns whether all of them succeeded */
  async runBranches(reach: Reach): Promise<boolean> {
    let isComplete = true
    for (const branch of this.#engine.preset.branches) {
      if (!this.#failed.has(branch)) {
        const succeeded = await this.#attempt(async () => {
          while (!this.#isInterrupted && (await this.#runBranch(branch, reach))) {
            if (this.#mustStop()) return
            await yieldToEventLoop()
          }
        })
        if (!succeeded) this.#failed.add(branch)
      }
      isComplete &&= !this.#failed.has(branch)
    }
    return isComplete && !this.#isInterrupted
  }

  /** Reads parked segments again, the oldest first, as long as the model can be reached. */
  async readAgain(jobs: readonly JobRow[]): Promise<void> {
    for (const job of jobs.toSorted((a, b) => (a.from ?? 0) - (b.from ?? 0))) {
      if (this.#isInterrupted || this.#outage.isCertain) return
      const branch = this.#engine.preset.branches.find((branch) => branch.kind === job.branch)
      if (branch?.kind === 'facts' && isPostponed(job) && !isByModel(branch.extractor)) {
        // A command without a model, for example a recall, leaves the segment to the model.
        if (job.state === 'queued') await this.#attempt(() => postponeForModel(this.#engine, job))
      } else if (branch?.kind === 'facts') {
        const isRead = await this.#attempt(() => extractFactsAgain(this.#engine, this.#row, branch, job))
        if (!isRead) this.#outage.note(this.#errors.at(-1))
      } else await this.#parkSegmentOfOtherPreset(job)
    }
  }

  /** Parks a segment that another preset queued and this preset cannot read. */
  async #parkSegmentOfOtherPreset(job: JobRow): Promise<void> {
    const { name } = this.#engine.preset
    const error = new NotPossibleError(
      `Preset ${name} has no branch "${job.branch}" that could read this segment. Open the memory with a preset that has one, and have the job tried again.`,
      { job: job.id, preset: name },
    )
    const revision = await this.#engine.store.revision(this.#row.owner)
    await parkJob(this.#engine, this.#row, job, { error, revision })
  }

  /** Finishes the sessions that all branches have read. The others wait with their jobs. */
  async endSessions(jobs: readonly JobRow[]): Promise<void> {
    for (const job of jobs) {
      const { id, session } = job
      if (session === null) continue
      const isRead = await this.runBranches({ ...TO_THE_LAST, endingSession: session })
      if (!isRead) continue
      const revision = await this.#engine.store.revision(this.#row.owner)
      await this.#attempt(async () => {
        try {
          await finishSession(this.#engine, this.#row, session, id)
        } catch (error) {
          if (!isUnusableAnswer(error)) throw error
          await parkJob(this.#engine, this.#row, job, { error, revision })
        }
      })
    }
  }
}

/** Finishes the jobs of a scope. @returns whether all turns are read; `false` if new turns arrived meanwhile */
async function finishJobs(engine: Engine, row: ScopeRow, { jobs, lastPosition }: DueWork): Promise<boolean> {
  const ids = jobs.filter(({ kind }) => kind === 'consolidate').map(({ id }) => id)
  if (ids.length === 0) {
    const { state } = await viewScope(engine, row)
    return state.progress(row.scope).lastPosition <= lastPosition
  }
  const committed = await decideAndCommit(engine, row, () => undefined, { finishJobs: ids, lastPosition })
  return committed !== null
}

/** Queues the unfinished jobs of a scope again, behind those of other users. */
async function queueBehind(engine: Engine, row: ScopeRow): Promise<void> {
  const queued = await engine.store.listJobs({ owner: row.owner, state: 'queued' })
  // Failed jobs keep their place and wait for their retry.
  const jobs = queued.filter((job) => job.scope === row.scope && !hasFailed(job))
  const ids = jobs.map(({ id }) => id)
  const queueJobs = jobs.map((job) => ({ ...job, id: engine.newId() }))
  await decideAndCommit(engine, row, () => undefined, { finishJobs: ids, expectJobs: ids, queueJobs })
  engine.worker.wake(row)
}

/** Maximum processor time of a slice. With a hundred users, each of them then waits for some seconds. */
const MAX_BUSY_MS = 100
/** Maximum elapsed time of a slice that mostly waits. It is long, because each continuation costs several requests. */
const MAX_ELAPSED_MS = 5_000

/** The time that one user's work may take before other users' work continues. */
interface TimeSlice {
  readonly isOver: boolean
}

const ENDLESS: TimeSlice = { isOver: false }

/** Clocks in milliseconds. */
interface SliceClock {
  /** Elapsed time. */
  readonly now: () => number
  /** Processor time of this process. */
  readonly busy: () => number
}

const CLOCK: SliceClock = {
  now: () => performance.now(),
  // The active time of the event loop is not used, because it includes waiting for a processor.
  busy: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  },
}

/** Starts a time slice, which ends by its processor time or by its elapsed time. */
export function startTimeSlice({ now, busy }: SliceClock = CLOCK): TimeSlice {
  const startedAt = now()
  const busyBefore = busy()
  return {
    get isOver() {
      const elapsed = now() - startedAt
      if (elapsed < MAX_BUSY_MS) return false
      return elapsed >= MAX_ELAPSED_MS || busy() - busyBefore >= MAX_BUSY_MS
    },
  }
}

import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { Claim, JobRow } from '../store/store.ts'
import type { Engine } from '../work/engine.ts'
import { forgetOverCapacity } from '../forget/forget-over-capacity.ts'
import { Outage, TO_THE_LAST, type Reach } from './read-unread.ts'
import { noteFailure, asError, tellFailure } from '../work/report-failure.ts'
import { viewScope } from '../work/scope-view.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { NotPossibleError } from '../errors/errors.ts'
import type { Branch } from '../presets/preset.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { finishSession } from './finish-session.ts'
import { drawFacts, drawFactsAgain } from './draw-facts.ts'
import { keepUtterances } from './keep-utterances.ts'
import { packStory } from './pack-story.ts'
import { nextRound, recallRound } from './recall-round.ts'
import { isUnusableAnswer, parkJob, parkedOnce, queueParked } from './park-job.ts'

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
 * Consolidates a scope up to its last turn: runs every branch, then finishes the sessions that have ended. Each step
 * commits its work together with its progress, so a crash neither loses nor repeats work. Waits for other workers.
 */
export async function consolidateScope(engine: Engine, row: ScopeRow): Promise<void> {
  await engine.claims.of(row.owner, () => bringUp(engine, row, ENDLESS))
}

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
  // What waited for the model is older than what is unread.
  await pass.readAgain(ofKind('read-segment'))
  await pass.runRounds()
  await pass.runBranches(TO_THE_LAST)
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

/** One pass over a scope. Collects errors, so that a failing branch does not block the others. */
class Pass {
  readonly #engine: Engine
  readonly #row: ScopeRow
  readonly #errors: Error[] = []
  /** Branches that failed in this pass; they are not retried for each ending session. */
  readonly #failed = new Set<Branch>()
  readonly #slice: TimeSlice
  readonly #outage = new Outage()
  #isCut = false

  constructor(engine: Engine, row: ScopeRow, slice: TimeSlice) {
    this.#engine = engine
    this.#row = row
    this.#slice = slice
  }

  /** Whether the pass stopped at the end of its time slice. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Called between two steps, each of which is committed with its progress. */
  #mustStop(): boolean {
    this.#isCut ||= this.#slice.isOver
    return this.#isCut
  }

  /** @returns whether it succeeded. */
  async #attempt(task: () => Promise<void>): Promise<boolean> {
    try {
      await task()
      return true
    } catch (error) {
      this.#errors.push(asError(error))
      return false
    }
  }

  get hasFailed(): boolean {
    return this.#errors.length > 0
  }

  throwAny(): void {
    const [first, ...otherErrors] = this.#errors
    for (const error of otherErrors) tellFailure(this.#engine, error)
    if (first !== undefined) throw first
  }

  /** Runs one step of a branch. @returns whether it made progress. */
  async #runBranch(branch: Branch, reach: Reach): Promise<boolean> {
    switch (branch.kind) {
      case 'utterances':
        return keepUtterances(this.#engine, this.#row, branch, reach)
      case 'facts':
        return drawFacts(this.#engine, this.#row, branch, { ...reach, outage: this.#outage })
      case 'story':
        return packStory(this.#engine, this.#row, branch, reach)
      case 'summaries':
      case 'portrait':
        return false
    }
  }

  /**
   * If each round is a recall, runs the branches and the recall round by round. The result is the same for any
   * batching of turns.
   */
  async runRounds(): Promise<void> {
    if (this.#engine.preset.use.eachRound !== true) return
    for (;;) {
      const round = await nextRound(this.#engine, this.#row)
      if (round === null) return
      await this.runBranches({ endingSession: null, upTo: round.to })
      if (this.#isCut) return
      if (!(await this.#attempt(() => recallRound(this.#engine, this.#row, round))) || this.#mustStop())
        return
      await yieldToEventLoop()
    }
  }

  /** @returns whether every branch succeeded */
  async runBranches(reach: Reach): Promise<boolean> {
    let isWhole = true
    for (const branch of this.#engine.preset.branches) {
      if (!this.#failed.has(branch)) {
        const succeeded = await this.#attempt(async () => {
          while (!this.#isCut && (await this.#runBranch(branch, reach))) {
            if (this.#mustStop()) return
            await yieldToEventLoop()
          }
        })
        if (!succeeded) this.#failed.add(branch)
      }
      isWhole &&= !this.#failed.has(branch)
    }
    return isWhole && !this.#isCut
  }

  /** Retries segments that a branch passed over, the oldest first, until the model is away. */
  async readAgain(jobs: readonly JobRow[]): Promise<void> {
    for (const job of jobs.toSorted((a, b) => (a.from ?? 0) - (b.from ?? 0))) {
      if (this.#isCut || this.#outage.isCertain) return
      const branch = this.#engine.preset.branches.find((branch) => branch.kind === job.branch)
      if (branch?.kind === 'facts') {
        const isRead = await this.#attempt(() => drawFactsAgain(this.#engine, this.#row, branch, job))
        if (!isRead) this.#outage.note(this.#errors.at(-1))
      } else await this.#parkForeign(job)
    }
  }

  /** Parks a segment of another preset, which this one cannot read. */
  async #parkForeign(job: JobRow): Promise<void> {
    const { name } = this.#engine.preset
    const error = new NotPossibleError(
      `Preset ${name} has no branch "${job.branch}" that could read this segment. Open the memory with a preset that has one, and have the job tried again.`,
      { job: job.id, preset: name },
    )
    const revision = await this.#engine.store.revision(this.#row.owner)
    await parkJob(this.#engine, this.#row, job, { error, revision })
  }

  /** Ends the sessions that all branches have read; the others wait with their jobs. */
  async endSessions(jobs: readonly JobRow[]): Promise<void> {
    for (const job of jobs) {
      const { id, session } = job
      if (session === null || !(await this.runBranches({ ...TO_THE_LAST, endingSession: session }))) continue
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

/** How long one person's work keeps this process busy before others have their turn: short enough that a hundred of them wait seconds. */
const BUSY_MS = 100
/**
 * The same where most of it is waiting, for a model, a store behind a socket or a processor that others have, while others' work goes on
 * beside it. To begin again costs several ways to such a store, more than is mostly left to do.
 */
const LONGEST_MS = 5_000

/** The time that a user's work may take before another user's goes on. */
export interface TimeSlice {
  readonly isOver: boolean
}

export const ENDLESS: TimeSlice = { isOver: false }

/** What passes: time, and what of it this process was at work. Both in milliseconds. */
export interface SliceClock {
  readonly now: () => number
  readonly busy: () => number
}

/** Milliseconds for which a reading of the processor time stays valid: to read it costs more than some steps do. */
const GOOD_FOR_MS = 5

/** Caches an expensive clock for a few milliseconds. @param now in milliseconds */
export function askedSeldom(ask: () => number, now: () => number): () => number {
  let [reading, statedAt] = [0, Number.NEGATIVE_INFINITY]
  return () => {
    if (now() - statedAt < GOOD_FOR_MS) return reading
    statedAt = now()
    reading = ask()
    return reading
  }
}

const now = (): number => performance.now()

const CLOCK: SliceClock = {
  now,
  // Not the event loop's own time, in which it waits for a processor as well.
  busy: askedSeldom(() => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }, now),
}

export function sliceOfTime({ now, busy }: SliceClock = CLOCK): TimeSlice {
  const [began, before] = [now(), busy()]
  return {
    get isOver() {
      const passed = now() - began
      if (passed < BUSY_MS) return false
      return passed >= LONGEST_MS || busy() - before >= BUSY_MS
    },
  }
}

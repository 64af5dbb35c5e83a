import { NotPossibleError } from '../errors/not-possible-error.ts'
import type { Branch } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { JobRow } from '../store/store.ts'
import type { Engine } from '../work/engine.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { TimeSlice } from '../work/time-slice.ts'
import { finishSession } from './finish-session.ts'
import { drawFacts, drawFactsAgain } from './draw-facts.ts'
import { keepUtterances } from './keep-utterances.ts'
import { packStory } from './pack-story.ts'
import { nextRound, recallRound } from './recall-round.ts'
import { TO_THE_LAST, type Reach } from './read-unread.ts'
import { isUnusableAnswer, parkJob } from './park-job.ts'
import { asError, tellFailure } from '../work/report-failure.ts'

/** One pass over a scope. Collects errors, so that a failing branch does not block the others. */
export class Pass {
  readonly #engine: Engine
  readonly #row: ScopeRow
  readonly #errors: Error[] = []
  /** Branches that failed in this pass; they are not retried for each ending session. */
  readonly #failed = new Set<Branch>()
  readonly #slice: TimeSlice
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

  /** Throws the first error and reports the others. */
  throwAny(): void {
    const [first, ...others] = this.#errors
    for (const other of others) tellFailure(this.#engine, other)
    if (first !== undefined) throw first
  }

  /** Runs one step of a branch. @returns whether it made progress. */
  async #runBranch(branch: Branch, reach: Reach): Promise<boolean> {
    switch (branch.kind) {
      case 'utterances':
        return keepUtterances(this.#engine, this.#row, branch, reach)
      case 'facts':
        return drawFacts(this.#engine, this.#row, branch, reach)
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

  /** Retries parked segments. */
  async readAgain(jobs: readonly JobRow[]): Promise<void> {
    for (const job of jobs) {
      if (this.#isCut) return
      const branch = this.#engine.preset.branches.find((one) => one.kind === job.branch)
      if (branch?.kind === 'facts')
        await this.#attempt(() => drawFactsAgain(this.#engine, this.#row, branch, job))
      else await this.#parkForeign(job)
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

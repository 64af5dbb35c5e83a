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

/**
 * One pass over a scope. What goes wrong is collected, so that what can go on does: a model that fails one branch holds up no
 * other.
 */
export class Pass {
  readonly #engine: Engine
  readonly #row: ScopeRow
  readonly #errors: Error[] = []
  /** Branches that failed in this pass: what failed a moment ago is not tried again for each session that waits to end. */
  readonly #failed = new Set<Branch>()
  readonly #slice: TimeSlice
  #isCut = false

  constructor(engine: Engine, row: ScopeRow, slice: TimeSlice) {
    this.#engine = engine
    this.#row = row
    this.#slice = slice
  }

  /** Whether it stopped before it was through, since others are to have their turn. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Asked between two steps, each of which is stored with how far it got. */
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

  /** Throws the first that went wrong, and tells the others. */
  throwAny(): void {
    const [first, ...others] = this.#errors
    for (const other of others) tellFailure(this.#engine, other)
    if (first !== undefined) throw first
  }

  /** Runs a branch once over what it has not read. @returns whether it got any further. */
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
   * Where each round is a recall: round by round what the branches make of it, and then its recall, so that what is kept is the
   * same whether rounds came one by one or a thousand at once.
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

  /** @returns whether every branch came through. */
  async runBranches(reach: Reach): Promise<boolean> {
    let isWhole = true
    for (const branch of this.#engine.preset.branches) {
      if (!this.#failed.has(branch)) {
        const cameThrough = await this.#attempt(async () => {
          while (!this.#isCut && (await this.#runBranch(branch, reach))) {
            if (this.#mustStop()) return
            await yieldToEventLoop()
          }
        })
        if (!cameThrough) this.#failed.add(branch)
      }
      isWhole &&= !this.#failed.has(branch)
    }
    return isWhole && !this.#isCut
  }

  /** Segments that a model could not be made to read, tried again because somebody asked. */
  async readAgain(jobs: readonly JobRow[]): Promise<void> {
    for (const job of jobs) {
      if (this.#isCut) return
      const branch = this.#engine.preset.branches.find((one) => one.kind === job.branch)
      if (branch?.kind === 'facts')
        await this.#attempt(() => drawFactsAgain(this.#engine, this.#row, branch, job))
      else await this.#parkForeign(job)
    }
  }

  /** A segment that another preset read: this one would come upon it again and again. */
  async #parkForeign(job: JobRow): Promise<void> {
    const { name } = this.#engine.preset
    const error = new NotPossibleError(
      `Preset ${name} has no branch "${job.branch}" that could read this segment. Open the memory with a preset that has one, and have the job tried again.`,
      { job: job.id, preset: name },
    )
    const revision = await this.#engine.store.revision(this.#row.owner)
    await parkJob(this.#engine, this.#row, job, { error, revision })
  }

  /** Ends the sessions whose branches have all read them; the others wait with their jobs. */
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

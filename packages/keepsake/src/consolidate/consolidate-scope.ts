import { NotPossibleError } from '../errors/not-possible-error.ts'
import type { Branch } from '../presets/preset.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { Claim, JobRow } from '../stores/store.ts'
import type { Engine } from '../work/engine.ts'
import { giveWay } from '../give-way.ts'
import { ENDLESS, sliceOfTime, type TimeSlice } from '../work/time-slice.ts'
import { finishSession } from './finish-session.ts'
import { drawFacts, drawFactsAgain } from './draw-facts.ts'
import { keepUtterances } from './keep-utterances.ts'
import { forgetOverCapacity } from '../forget/forget-over-capacity.ts'
import { packStory } from './pack-story.ts'
import { nextRound, recallRound } from './recall-round.ts'
import { TO_THE_LAST, type Reach } from './read-unread.ts'
import { isUnusableAnswer, parkJob } from './park-job.ts'
import { asError, noteFailure, tellFailure } from '../work/report-failure.ts'
import { needsFlush } from '../work/needs-flush.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'

/**
 * One pass over a scope. What goes wrong is collected, so that what can go on does: a model that fails one branch holds up no
 * other.
 */
class Pass {
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
      await giveWay()
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
            await giveWay()
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
    const { epoch } = await this.#engine.store.version(this.#row.owner)
    await parkJob(this.#engine, this.#row, job, { error, epoch })
  }

  /** Ends the sessions whose branches have all read them; the others wait with their jobs. */
  async endSessions(jobs: readonly JobRow[]): Promise<void> {
    for (const job of jobs) {
      const { id, session } = job
      if (session === null || !(await this.runBranches({ ...TO_THE_LAST, endingSession: session }))) continue
      const { epoch } = await this.#engine.store.version(this.#row.owner)
      await this.#attempt(async () => {
        try {
          await finishSession(this.#engine, this.#row, session, id)
        } catch (error) {
          if (!isUnusableAnswer(error)) throw error
          await parkJob(this.#engine, this.#row, job, { error, epoch })
        }
      })
    }
  }
}

/**
 * Brings a scope up to its last turn: every branch reads what it has not read, and sessions that were ended
 * are summarised and judged. Each step commits its work with how far it got, in one transaction, so that being
 * killed in between loses and doubles nothing. Waits while another worker, here or in another process, is at it.
 */
export async function consolidateScope(engine: Engine, row: ScopeRow): Promise<void> {
  await engine.claims.of(row.owner, async () => {
    await engine.caches.get(row.owner)
    await bringUp(engine, row, ENDLESS)
  })
}

/**
 * Does a claimed person's work for a while. What is left then is queued again, behind that of others who wait. What fails stays
 * queued with the reason, for later.
 */
export async function consolidateClaimed(engine: Engine, claim: Claim): Promise<void> {
  const { owner, scopes } = claim
  for (const [place, row] of scopes.entries()) {
    // What was told with the claim is of before the first of them.
    const { version, jobs } = place === 0 ? claim : {}
    const started = performance.now()
    let epoch: number | undefined
    try {
      epoch = (await engine.caches.get(owner, version)).version.epoch
      await bringUp(engine, row, sliceOfTime(), jobs)
      const milliseconds = performance.now() - started
      engine.events.emit('scope-consolidated', { scope: eventScope(row), milliseconds })
    } catch (error) {
      await noteFailure(engine, row, error, epoch)
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
  for (const job of await engine.store.jobs({ owner: row.owner, state: 'parked' })) {
    const { scope, kind, attempts, from, to } = job
    if (scope !== row.scope || kind !== 'read-segment' || attempts !== 1) continue
    const last = { owner: row.owner, scopes: [scope], newestFirst: true, limit: 1 }
    const range = { afterPosition: from ?? undefined, beforePosition: to === null ? undefined : to + 1 }
    const [turn] = await engine.store.turns({ ...last, ...range })
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
    if (due.has(id)) await engine.store.updateJob(id, { state: 'queued', attempts, reason })
}

/** Queues a scope's work anew, so that it stands behind what others queued meanwhile. */
async function queueBehind(engine: Engine, row: ScopeRow): Promise<void> {
  const queued = await engine.store.jobs({ owner: row.owner, state: 'queued' })
  // What failed before waits for its next try, and stays where it is.
  const jobs = queued.filter(({ scope, attempts }) => scope === row.scope && attempts === 0)
  const ids = jobs.map(({ id }) => id)
  const queueJobs = jobs.map((job) => ({ ...job, id: engine.newId() }))
  await decideAndCommit(engine, row, () => undefined, {
    finishJobs: ids,
    expectJobs: ids,
    queueJobs,
    flush: false,
  })
  engine.worker.wake(row)
}

/** For whoever has just brought the person's cache up to date. @param told the queued jobs, where they are known */
async function bringUp(
  engine: Engine,
  row: ScopeRow,
  slice: TimeSlice,
  told?: readonly JobRow[],
): Promise<void> {
  let { lastPosition } = (await engine.caches.lately(row.owner)).progress(row.scope)
  for (let known = told; ; known = undefined) {
    const jobs = known ?? (await engine.store.jobs({ owner: row.owner, state: 'queued' }))
    const ofKind = (kind: JobRow['kind']): JobRow[] =>
      jobs.filter((job) => job.scope === row.scope && job.kind === kind)
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
      return queueBehind(engine, row)
    }
    const done = ofKind('consolidate').map((job) => job.id)
    if (await finish(engine, row, { lastPosition, done })) return
    // Of a scope that was erased no cache knows how far it went. The store is asked first, so that no turn is passed over.
    lastPosition = (await engine.store.progress(row.owner, row.scope)).lastPosition
    await engine.caches.get(row.owner)
  }
}

/**
 * Finishes jobs of a scope that was read up to a position. Turns that came meanwhile found one queued and queued none, so it stays for
 * as long as there are any: the store looks when it commits, since one may come in the last moment.
 *
 * @returns whether nothing is left to read
 */
async function finish(
  engine: Engine,
  row: ScopeRow,
  { lastPosition, done }: { readonly lastPosition: number; readonly done: readonly string[] },
): Promise<boolean> {
  if (done.length === 0) {
    const now = await engine.caches.get(row.owner)
    return now.progress(row.scope).lastPosition <= lastPosition
  }
  const terms = { finishJobs: done, lastPosition, flush: needsFlush(engine), isAhead: true }
  return (await decideAndCommit(engine, row, () => undefined, terms)) !== null
}

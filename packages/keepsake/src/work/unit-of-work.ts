// Takes a decision on a user's state and commits it; decides again if another change came first.
import { setTimeout as wait } from 'node:timers/promises'
import { StoreError } from '../errors/errors.ts'
import { EVENT_OF, type MemoryEvent } from '../events/event-map.ts'
import { ChangeSet } from '../memories/change-set.ts'
import type { Operation } from '../memories/operation.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { Change } from '../store/store.ts'
import type { Engine } from './engine.ts'
import { documentsOf } from './index-text.ts'
import { withTexts } from './read-memories.ts'
import { momentOf, viewScope, type Moment, type ScopeView } from './scope-view.ts'

/** The state that a decision about a scope reads, and the changes that it makes. All changes are stored together or not at all. */
export interface UnitOfWork extends ScopeView {
  readonly changes: ChangeSet
  readonly moment: Moment
}

/** Further rows to store with the changes, and conditions of the commit. If a condition no longer holds, nothing is committed. */
export interface CommitTerms extends Partial<Pick<Change, 'endSessions' | 'queueJobs' | 'finishJobs'>> {
  /** The positions that branches have read. Another process must not have read them meanwhile. */
  readonly progress?: readonly { readonly branch: string; readonly from: number; readonly to: number }[]
  /** The user's revision when the decision's input was read. Nothing may have been erased since. */
  readonly revision?: number
  /** The jobs that this work does. Another process must not have finished them meanwhile. */
  readonly expectJobs?: readonly string[]
  /** The scope's last position, if jobs are finished because nothing is left to read. No turn may have been added after it. */
  readonly lastPosition?: number
  /** Checks whether results from before the decision, such as a summary, may still be stored. */
  readonly stillHolds?: (view: ScopeView) => boolean
  /** The moment of the changes; the scope's latest session and round when absent. */
  readonly at?: Partial<Pick<Moment, 'at' | 'sessionNumber' | 'round'>>
}

/** The outcome of a decision that was committed. */
export interface CommittedDecision<Result> {
  /** What the decision returned. */
  readonly result: Result
  /** The operations as logged; none if the decision changed nothing. */
  readonly operations: readonly Operation[]
}

type Decide<Result> = (unit: UnitOfWork) => Result | Promise<Result>

/** Number of times that a decision is taken, if another process commits first each time. */
const MAX_ATTEMPTS = 12
/** Maximum delay before the next attempt. The delay doubles with each attempt. */
const MAX_WAIT_MS = 250

/**
 * Takes a decision on the current state of a user and commits it: all of its changes or none. If another process commits first,
 * the decision is taken again. So `decide` must be quick and ask no model; ask before, and let `decide` use the answer.
 *
 * @returns `null` if the terms no longer hold, because another process did this work or its input was erased
 * @throws StoreError `store-busy` if other processes commit first every time
 */
export function decideAndCommit<Result>(
  engine: Engine,
  row: ScopeRow,
  decide: Decide<Result>,
): Promise<CommittedDecision<Result>>
export function decideAndCommit<Result>(
  engine: Engine,
  row: ScopeRow,
  decide: Decide<Result>,
  terms: CommitTerms,
): Promise<CommittedDecision<Result> | null>
export async function decideAndCommit<Result>(
  engine: Engine,
  row: ScopeRow,
  decide: Decide<Result>,
  terms: CommitTerms = {},
): Promise<CommittedDecision<Result> | null> {
  return engine.users.lock(row.owner, async () => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const unit = await beginUnit(engine, row, terms)
      // The revision is read now, because the state may be refreshed while `decide` waits.
      const { revision } = unit.state
      if (!(await doTermsHold(unit, terms))) return null
      const result = await decide(unit)
      const operations = await commitUnit(unit, terms, revision)
      if (operations !== null) return { result, operations }
      await wait(Math.min(MAX_WAIT_MS, 2 ** attempt))
    }
    throw new StoreError(
      'store-busy',
      `Other processes changed this user's memories ${MAX_ATTEMPTS} times in between. Try again.`,
    )
  })
}

/** Takes a decision without a lock and stores nothing of it, for previews. */
export async function tryDecision<Result>(
  engine: Engine,
  row: ScopeRow,
  decide: Decide<Result>,
): Promise<{ readonly result: Result; readonly unit: UnitOfWork }> {
  const unit = await beginUnit(engine, row, {})
  return { result: await decide(unit), unit }
}

/** Checks whether the terms hold in the current state. A change after this check makes the commit conflict. */
async function doTermsHold(
  { engine, row, state, ...unit }: UnitOfWork,
  terms: CommitTerms,
): Promise<boolean> {
  const { progress = [], revision, expectJobs = [], lastPosition, stillHolds } = terms
  const known = state.progress(row.scope)
  if (revision !== undefined && state.erasedRevision > revision) return false
  if (lastPosition !== undefined && known.lastPosition > lastPosition) return false
  if (progress.some(({ branch, from }) => (known.branches[branch] ?? 0) !== from)) return false
  if (stillHolds?.({ engine, row, state, ...unit }) === false) return false
  if (expectJobs.length === 0) return true
  const jobs = new Set((await engine.store.listJobs({ owner: row.owner })).map(({ id }) => id))
  return expectJobs.every((id) => jobs.has(id))
}

async function beginUnit(engine: Engine, row: ScopeRow, terms: CommitTerms): Promise<UnitOfWork> {
  const view = await viewScope(engine, row)
  const moment = { ...momentOf(view), ...terms.at }
  return {
    ...view,
    moment,
    changes: new ChangeSet(moment, engine.newId, (id) => view.state.memories.get(id)),
  }
}

/** Commits a unit. Returns the operations as logged; `null` when the user changed after the revision. */
async function commitUnit(
  unit: UnitOfWork,
  terms: CommitTerms,
  revision: number,
): Promise<readonly Operation[] | null> {
  const { engine, row, changes } = unit
  const { progress = [], endSessions = [], queueJobs = [], finishJobs = [] } = terms
  const changeLists = [progress, endSessions, queueJobs, finishJobs]
  if (changes.operations.length === 0 && changeLists.every((list) => list.length === 0)) return []
  const change = {
    userId: row.owner,
    scope: row.scope,
    operations: changes.operations,
    memories: changes.memories,
    documents: documentsOf(engine, changes),
    progress: progress.map(({ branch, to }) => ({ branch, position: to })),
    endSessions,
    queueJobs,
    finishJobs,
    // After a power failure, work by rules can be repeated. A model's answer has a price and must be durable.
    isDerived: engine.language === null && progress.length + finishJobs.length > 0,
  }
  const result = await engine.store.commit(change, revision)
  if (result.outcome === 'conflict') return null
  engine.users.applyCommit(change, result.revision)
  emitOperations(unit, result.operations)
  return result.operations
}

/** Emits an event for each operation, with the memory as it is now. */
function emitOperations({ engine, row, state, changes }: UnitOfWork, operations: readonly Operation[]): void {
  const { events } = engine
  const scope = eventScope(row)
  for (const operation of operations) {
    if (operation.kind === 'reinforce')
      events.emit('memories-reinforced', { scope, touched: operation.touched })
    const name = eventOf(operation)
    if (name === null || events.listenerCount(name) === 0 || operation.memory === null) continue
    const memory = changes.read(operation.memory)
    const [whole] = memory === undefined ? [] : withTexts(state, [memory])
    if (whole !== undefined) events.emit(name, { scope, memory: whole, operation })
  }
}

function eventOf({ kind }: Operation): MemoryEvent | null {
  return kind in EVENT_OF ? EVENT_OF[kind as keyof typeof EVENT_OF] : null
}

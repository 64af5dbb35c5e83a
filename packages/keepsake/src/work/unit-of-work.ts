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

/** What one decision about a scope's memories sees, and where it writes. Nothing is stored until all of it is. */
export interface UnitOfWork extends ScopeView {
  readonly changes: ChangeSet
  readonly moment: Moment
}

/** What is stored together with the changes, and what the decision rests on. Where that no longer holds, nothing is committed. */
export interface Terms extends Partial<Pick<Change, 'endSessions' | 'queueJobs' | 'finishJobs'>> {
  /** How far branches read the scope, and from where: another process may have read it meanwhile. */
  readonly progress?: readonly { readonly branch: string; readonly from: number; readonly to: number }[]
  /** The user's revision when what was prepared before the decision was read: content erased since must not come back. */
  readonly revision?: number
  /** Jobs whose work this is: another process may have finished them. */
  readonly expectJobs?: readonly string[]
  /** The scope's last position as far as it was read, where jobs are finished because nothing is left to read. */
  readonly lastPosition?: number
  /** Whether what was prepared before the decision (a summary, an answer) may still be stored. */
  readonly stillHolds?: (view: ScopeView) => boolean
  /** When the changes count, if not at the scope's latest session and round. */
  readonly at?: Partial<Pick<Moment, 'at' | 'sessionNumber' | 'round'>>
}

export interface Committed<Result> {
  /** What the decision returned. */
  readonly result: Result
  /** As logged; none if nothing was decided on. */
  readonly operations: readonly Operation[]
}

type Decide<Result> = (unit: UnitOfWork) => Result | Promise<Result>

/** How often a decision is taken when another process is first each time. */
const MAX_ATTEMPTS = 12
const MAX_WAIT_MS = 250

/**
 * The one way in which memories change: under the user's lock, decide over the state as the store has it now, and commit all of it or
 * nothing. If the user's revision moved in between, the decision is taken again; what was prepared before it, such as a model's answer,
 * is kept. So `decide` must be quick and ask no model.
 *
 * @returns `null` if the terms no longer hold: another process did this work, or content that it rests on was erased
 * @throws StoreError `store-busy` if other processes were first every time
 */
export function decideAndCommit<Result>(
  engine: Engine,
  row: ScopeRow,
  decide: Decide<Result>,
): Promise<Committed<Result>>
export function decideAndCommit<Result>(
  engine: Engine,
  row: ScopeRow,
  decide: Decide<Result>,
  terms: Terms,
): Promise<Committed<Result> | null>
export async function decideAndCommit<Result>(
  engine: Engine,
  row: ScopeRow,
  decide: Decide<Result>,
  terms: Terms = {},
): Promise<Committed<Result> | null> {
  return engine.users.lock(row.owner, async () => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const unit = await beginUnit(engine, row, terms)
      // Decided on this revision: `decide` may wait, and the state is refreshed by others.
      const { revision } = unit.state
      if (!(await isBasisUnchanged(unit, terms))) return null
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

/** Takes a decision and stores nothing of it: a preview, for which no write of the user waits. */
export async function tryDecision<Result>(
  engine: Engine,
  row: ScopeRow,
  decide: Decide<Result>,
): Promise<{ readonly result: Result; readonly unit: UnitOfWork }> {
  const unit = await beginUnit(engine, row, {})
  return { result: await decide(unit), unit }
}

/** Whether the terms hold in the state as it is now. Whatever changes after it makes the commit conflict. */
async function isBasisUnchanged({ engine, row, state, ...unit }: UnitOfWork, terms: Terms): Promise<boolean> {
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

async function beginUnit(engine: Engine, row: ScopeRow, terms: Terms): Promise<UnitOfWork> {
  const view = await viewScope(engine, row)
  const moment = { ...momentOf(view), ...terms.at }
  return {
    ...view,
    moment,
    changes: new ChangeSet(moment, engine.newId, (id) => view.state.memories.get(id)),
  }
}

/** @returns the operations as logged; `null` where the user changed after the revision that was decided on */
async function commitUnit(
  unit: UnitOfWork,
  terms: Terms,
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
    // Work by rules is repeated after a power failure, since how far it got is stored with it; a model's answer was paid for.
    isDerived: engine.language === null && progress.length + finishJobs.length > 0,
  }
  const result = await engine.store.commit(change, revision)
  if (result.outcome === 'conflict') return null
  engine.users.applyCommit(change, result.revision)
  emitOperations(unit, result.operations)
  return result.operations
}

/** Emits what was stored, with the memories as they are now. */
function emitOperations({ engine, row, state, changes }: UnitOfWork, operations: readonly Operation[]): void {
  const { events } = engine
  const scope = eventScope(row)
  for (const operation of operations) {
    if (operation.kind === 'reinforce')
      events.emit('memories-reinforced', { scope, touched: operation.touched })
    const name = nameOf(operation)
    if (name === null || events.listenerCount(name) === 0 || operation.memory === null) continue
    const memory = changes.read(operation.memory)
    const [whole] = memory === undefined ? [] : withTexts(state, [memory])
    if (whole !== undefined) events.emit(name, { scope, memory: whole, operation })
  }
}

function nameOf({ kind }: Operation): MemoryEvent | null {
  return kind in EVENT_OF ? EVENT_OF[kind as keyof typeof EVENT_OF] : null
}

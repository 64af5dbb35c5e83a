import { setTimeout as wait } from 'node:timers/promises'
import { StoreError } from '../errors/store-error.ts'
import { EVENT_OF, type MemoryEvent } from '../events/memory-events.ts'
import { ChangeSet } from '../memories/change-set.ts'
import type { Operation } from '../memories/operation.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { CommitRequest, CommitResult } from '../stores/store.ts'
import type { Engine } from './engine.ts'
import { documentsOf } from './index-text.ts'
import { withTexts } from './read-memories.ts'
import { momentOf, viewScope, type Moment, type ScopeView } from './scope-view.ts'

/** What one decision about a scope's memories sees, and where it writes. Nothing is stored until all of it is. */
export interface UnitOfWork extends ScopeView {
  readonly changes: ChangeSet
  readonly moment: Moment
}

/** What is stored together with the changes, and what the decision rests on beside the user's revision. */
export interface Terms extends Partial<
  Pick<
    CommitRequest,
    'progress' | 'endSessions' | 'queueJobs' | 'finishJobs' | 'expectJobs' | 'lastPosition' | 'flush'
  >
> {
  /** The user's epoch when what was prepared before the decision was read: content erased since must not come back. */
  readonly epoch?: number
  /** Whether what was prepared before the decision (a summary, an answer) may still be stored. If not, nothing is committed. */
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

/**
 * Whether a commit of background work has to be flushed. Work by rules is repeated after a power failure, since how far it got is
 * stored in the same commit; a model's answer was paid for.
 */
export function needsFlush({ language }: Pick<Engine, 'language'>): boolean {
  return language !== null
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
      if (terms.stillHolds?.(unit) === false) return null
      const request = beginRequest(unit, terms)
      const result = await decide(unit)
      const committed = await commitUnit(unit, request, terms)
      if (committed.outcome === 'committed') return { result, operations: committed.operations }
      if (!canDecideAgain(committed.on, terms)) {
        // The cached state does not have how far the store says that was read.
        if (terms.progress !== undefined) engine.users.evict(row.owner)
        return null
      }
      await wait(Math.min(MAX_WAIT_MS, 2 ** attempt))
    }
    throw new StoreError(
      'store-busy',
      `Other processes changed this person's memories ${MAX_ATTEMPTS} times in between. Try again.`,
    )
  })
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

/** The versions on which a decision rests, as they are before it is taken. */
type Basis = Pick<CommitRequest, 'epoch' | 'revision'>

function beginRequest({ state }: UnitOfWork, terms: Terms): Basis {
  return { epoch: terms.epoch ?? state.version.epoch, revision: state.version.revision }
}

type Conflict = Extract<CommitResult, { outcome: 'conflict' }>
type Stored = Pick<Extract<CommitResult, { outcome: 'committed' }>, 'outcome' | 'operations'>

/** Whether a decision over what is there now may succeed. An epoch that was only this attempt's own is read again. */
function canDecideAgain(on: Conflict['on'], terms: Terms): boolean {
  return on === 'memory' || (on === 'epoch' && terms.epoch === undefined)
}

async function commitUnit(unit: UnitOfWork, basis: Basis, terms: Terms): Promise<Stored | Conflict> {
  const { engine, row, changes } = unit
  const { progress = [], endSessions = [], queueJobs = [], finishJobs = [] } = terms
  const others = [progress, endSessions, queueJobs, finishJobs]
  if (changes.operations.length === 0 && others.every((list) => list.length === 0))
    return { outcome: 'committed', operations: [] }
  const request = {
    owner: row.owner,
    scope: row.scope,
    operations: changes.operations,
    memories: changes.memories,
    documents: documentsOf(engine, changes),
    progress,
    ...basis,
    expect: [],
    endSessions,
    queueJobs,
    finishJobs,
    expectJobs: terms.expectJobs ?? [],
    ...(terms.lastPosition === undefined ? {} : { lastPosition: terms.lastPosition }),
    flush: terms.flush ?? true,
  }
  const result = await engine.store.commit(request)
  if (result.outcome === 'conflict') return result
  engine.users.applyCommit(request, result.version)
  emitOperations(unit, result.operations)
  return result
}

/** Emits what was stored, with the memories as they are now. */
function emitOperations({ engine, row, state, changes }: UnitOfWork, operations: readonly Operation[]): void {
  const { events } = engine
  const scope = eventScope(row)
  for (const operation of operations) {
    if (operation.kind === 'reinforce') events.emit('memories-reinforced', { scope, operation })
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

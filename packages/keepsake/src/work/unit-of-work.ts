import { setTimeout as wait } from 'node:timers/promises'
import { StoreError } from '../errors/store-error.ts'
import { ChangeSet } from '../memories/change-set.ts'
import type { Operation } from '../memories/operation.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { CommitRequest, CommitResult } from '../stores/store.ts'
import { readerOf } from './commit-changes.ts'
import type { Engine } from './engine.ts'
import { documentsOf } from './index-text.ts'
import { momentOf, viewAhead, viewScope, worksAhead, type Moment, type ScopeView } from './scope-view.ts'

/** What one decision about a scope's memories sees, and where it writes. Nothing is stored until all of it is. */
export interface UnitOfWork extends ScopeView {
  readonly changes: ChangeSet
  readonly moment: Moment
}

/** What is stored together with the changes, and what they rest on besides the memories they change. */
export interface Terms extends Partial<
  Pick<
    CommitRequest,
    | 'progress'
    | 'endSessions'
    | 'queueJobs'
    | 'finishJobs'
    | 'expectJobs'
    | 'endClaims'
    | 'lastPosition'
    | 'flush'
  >
> {
  /** The person's epoch when what the decision rests on was read: content erased since must not come back. This try's when absent. */
  readonly epoch?: number
  /** Whether what was prepared outside the lock (a summary, an answer) may still be stored. Where it may not, nothing is committed. */
  readonly stillHolds?: (view: ScopeView) => boolean
  /** Work in the background: decided over what it saw a moment ago, where that is worth it, and again where anything changed since. */
  readonly isAhead?: boolean
  /** Session and round that the changes count to, where these are not the scope's latest. */
  readonly at?: Pick<Moment, 'sessionNumber' | 'round'>
}

export interface Committed<Result> {
  /** What the decision gave back. */
  readonly result: Result
  /** As logged; none when nothing was decided on. */
  readonly operations: readonly Operation[]
}

type Decide<Result> = (unit: UnitOfWork) => Result | Promise<Result>

/** How often a decision is taken when another process changes the same memories each time. */
const TRIES = 12
/** Refused so often, what the cache holds is taken for another state than the store's, and read anew. */
const TRUSTED_FOR = 3
const LONGEST_WAIT_MS = 250

/**
 * The one way in which memories change: with the person's lock, over what the store holds now, decide, and commit all of
 * it or nothing. When another process changed one of those memories in between, the decision is taken again; what was
 * prepared for it outside, such as a model's answer, is not. So `decide` must be quick and ask no model.
 *
 * @returns `null` when the terms no longer hold: another process has done this work, or content that it rests on was erased
 * @throws StoreError `store-busy` when others were first every time
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
  return engine.caches.lock(row.owner, 'write', async () => {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const isAhead = terms.isAhead === true && tries === 1 && worksAhead(engine)
      const tried = await engine.commits.whileDeciding(() =>
        decideOnce({ engine, row, isAhead }, decide, terms),
      )
      if (tried === null) return null
      if (tried === 'again') continue
      const { result, committed } = tried
      if (committed.outcome === 'committed') return { result, operations: committed.operations }
      if (!isAboutMemories(committed.on, terms)) {
        // What is to be read next is read off the cache, which is not as the store is.
        if (terms.progress !== undefined) engine.caches.drop(row.owner)
        return null
      }
      if (tries === TRUSTED_FOR) engine.caches.drop(row.owner)
      await wait(Math.min(LONGEST_WAIT_MS, 2 ** tries))
    }
    throw new StoreError(
      'store-busy',
      `Other processes changed this person's memories ${TRIES} times in between. Try again.`,
    )
  })
}

interface Try extends Omit<ScopeView, 'cache'> {
  readonly isAhead: boolean
}

/** @returns `null` where what was prepared may not be stored any more, `'again'` where it is to be decided over what is there now */
async function decideOnce<Result>(place: Try, decide: Decide<Result>, terms: Terms) {
  const unit = await beginUnit(place, terms)
  if (terms.stillHolds?.(unit) === false) return null
  const { revision } = unit.cache.version
  let result: Result
  try {
    result = await decide(unit)
  } catch (error) {
    // It may have failed for what it did not see.
    if (place.isAhead) return 'again'
    throw error
  }
  return { result, committed: await commit(unit, terms, place.isAhead ? revision : undefined) }
}

async function beginUnit({ engine, row, isAhead }: Try, terms: Terms): Promise<UnitOfWork> {
  const view = await (isAhead ? viewAhead(engine, row) : viewScope(engine, row))
  const moment = { ...(await momentOf(view)), ...terms.at }
  return { ...view, moment, changes: new ChangeSet(moment, engine.newId, (id) => view.cache.known(id)) }
}

type Conflict = Extract<CommitResult, { outcome: 'conflict' }>

/** Whether a decision over what is there now may succeed. An epoch that was only this try's own is read anew. */
function isAboutMemories(on: Conflict['on'], terms: Terms): boolean {
  return on === 'memory' || (on === 'epoch' && terms.epoch === undefined)
}

async function commit(
  { engine, row, cache, changes }: UnitOfWork,
  terms: Terms,
  revision: number | undefined,
): Promise<Pick<Extract<CommitResult, { outcome: 'committed' }>, 'outcome' | 'operations'> | Conflict> {
  const { progress = [], endSessions = [], queueJobs = [], finishJobs = [], expectJobs = [] } = terms
  const { endClaims = [], lastPosition } = terms
  const others = [progress, endSessions, queueJobs, finishJobs]
  if (changes.operations.length === 0 && others.every((list) => list.length === 0))
    return { outcome: 'committed', operations: [] } as const
  // A job that is finished rests on nothing but how far was read.
  const restsOnAll = revision !== undefined && changes.operations.length + progress.length > 0
  const request = {
    owner: row.owner,
    scope: row.scope,
    operations: changes.operations,
    memories: changes.memories,
    documents: documentsOf(engine, changes),
    progress,
    epoch: terms.epoch ?? cache.version.epoch,
    ...(restsOnAll ? { revision } : {}),
    expect: changes.expect,
    endSessions,
    queueJobs,
    finishJobs,
    expectJobs,
    endClaims,
    ...(lastPosition === undefined ? {} : { lastPosition }),
    flush: terms.flush ?? true,
  }
  return engine.commits.commit({ row, request, memoryAfter: readerOf(changes) })
}

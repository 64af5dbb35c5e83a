import type { ForgettingMoment } from '../forget/policies/forgetting-policy.ts'
import type { ChangeMoment } from '../memories/operation.ts'
import type { Memory, Origin } from '../memories/memory.ts'
import type { ModelTask } from '../models/model-task.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from './engine.ts'
import type { OwnerCache } from './owner-cache.ts'

/** One scope, and what is known of its person as of one reading. */
export interface ScopeView {
  readonly engine: Engine
  readonly row: ScopeRow
  readonly cache: OwnerCache
}

/** Where a scope stands in time. */
export type Moment = ChangeMoment & ForgettingMoment

export async function viewScope(engine: Engine, row: ScopeRow): Promise<ScopeView> {
  return { engine, row, cache: await engine.caches.get(row.owner, undefined, engine.gathered) }
}

/**
 * Whether work in the background goes on from what it saw a moment ago: where to look again is a way to a server and back, and no model
 * is asked, beside which that is nothing; and where steps are gathered, which are stored together. What it decides is then refused where anything of the person changed since.
 */
export function worksAhead({
  store,
  language,
  gathered,
}: Pick<Engine, 'store' | 'language' | 'gathered'>): boolean {
  return gathered !== undefined || (store.isRemote === true && language === null)
}

/** The scope for work in the background: see {@link worksAhead}. */
export async function viewAhead(engine: Engine, row: ScopeRow): Promise<ScopeView> {
  if (!worksAhead(engine)) return viewScope(engine, row)
  return { engine, row, cache: await engine.caches.lately(row.owner, engine.gathered) }
}

/** The scope's memories, whatever their status. */
export function memoriesOf({ row, cache }: ScopeView): Memory[] {
  return [...cache.memories({ scopes: new Set([row.scope]) })]
}

/** The scope's latest session and round, now. */
export async function momentOf({ engine, row, cache }: ScopeView): Promise<Moment> {
  const session = await lastSessionOf({ engine, row, cache })
  const round = await roundOf({ engine, row, cache })
  const now = engine.now()
  return { scope: row.scope, at: now, now, session, sessionNumber: session, round }
}

/** Rounds so far; of candidates alone at least as many as when the log was last written. */
async function roundOf({ engine, row, cache }: ScopeView): Promise<number> {
  const seen = cache.roundAt(row.scope, Number.POSITIVE_INFINITY)
  if (!cache.isPart) return seen
  const last = { owner: row.owner, scopes: [row.scope], newestFirst: true, limit: 1 }
  const [operation] = await engine.store.operations(last)
  return Math.max(seen, operation?.round ?? 0)
}

/** The number of the scope's latest session. It changes with its turns alone, and is read once until more come. */
async function lastSessionOf({ engine, row, cache }: ScopeView): Promise<number> {
  const known = cache.atHand.lastSession(row.scope)
  if (known !== undefined) return known
  const { version } = cache
  const [last] = await engine.store.sessions(row.owner, [row.scope], { newestFirst: true, limit: 1 })
  const number = last?.number ?? 0
  if (cache.version === version) cache.atHand.noteLastSession(row.scope, number)
  return number
}

/**
 * The origin of what a step did.
 *
 * @param prompt `prompt/version` where a language model was asked
 * @param task what it was asked for
 */
export function originOf(
  engine: Engine,
  step: string,
  prompt?: string | null,
  task: ModelTask = 'extraction',
): Origin {
  const isByModel = prompt !== undefined && prompt !== null
  const model = isByModel ? (engine.language?.modelOf(task) ?? null) : null
  return { preset: engine.preset.name, step, promptVersion: isByModel ? prompt : null, model }
}

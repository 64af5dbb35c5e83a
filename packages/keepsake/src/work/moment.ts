import type { ChangeMoment } from '../memories/change-set.ts'
import type { ForgettingMoment } from '../forget/policies/forgetting-policy.ts'
import type { Origin } from '../memories/memory.ts'
import { ChangeSet } from '../memories/change-set.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from './engine.ts'
import type { OwnerCache } from './owner-cache.ts'

/** Where a scope stands: its latest session and round. */
export async function momentOf(
  engine: Engine,
  row: ScopeRow,
  cache: OwnerCache,
): Promise<ChangeMoment & ForgettingMoment> {
  const sessions = await engine.store.sessions(row.owner, [row.scope])
  const session = sessions.at(-1)?.number ?? 0
  const round = cache.roundAt(row.scope, Number.POSITIVE_INFINITY)
  const now = engine.now()
  return { scope: row.scope, at: now, now, session, sessionNumber: session, round }
}

/** A change set over what the cache knows. */
export function startChanges(engine: Engine, cache: OwnerCache, moment: ChangeMoment): ChangeSet {
  return new ChangeSet(moment, engine.newId, (id) => cache.known(id))
}

/** The origin of what a step did. @param prompt `prompt/version` where a language model was asked */
export function originOf(engine: Engine, step: string, prompt?: string | null): Origin {
  const isByModel = prompt !== undefined && prompt !== null
  const model = isByModel ? (engine.language?.model ?? null) : null
  return { preset: engine.preset.name, step, promptVersion: isByModel ? prompt : null, model }
}

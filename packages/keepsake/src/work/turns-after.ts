import type { ScopeRow } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from './engine.ts'

/** Whoever reads the last turns reads those before them next: as many as surprise is read against. */
const LOOKED_BACK = 96

/** Which turns of a scope: those behind a position, so many at most. */
export interface Behind {
  readonly after: number
  readonly limit: number
}

/**
 * Turns of a scope behind a position, in order. Of a store that is a way away, those that are at hand are not asked for again; what is
 * read of a person's last turns is at hand from then on.
 */
export async function turnsAfter(
  engine: Pick<Engine, 'store' | 'caches'>,
  { owner, scope }: Pick<ScopeRow, 'owner' | 'scope'>,
  { after, limit }: Behind,
): Promise<readonly Turn[]> {
  const { store, caches } = engine
  const query = { owner, scopes: [scope], afterPosition: after, limit }
  if (store.isRemote !== true) return store.turns(query)
  const cache = await caches.lately(owner)
  const { lastPosition } = cache.progress(scope)
  const known = cache.recent.read(scope, after, lastPosition, limit)
  if (known !== undefined) return known
  // What ends before the last turn is the beginning of a longer stretch, of which the end will be asked for next.
  if (after + limit < lastPosition) return store.turns(query)
  const { version } = cache
  const from = Math.max(0, after - LOOKED_BACK)
  const turns = await store.turns({ ...query, afterPosition: from, limit: limit + after - from })
  const upTo = turns.at(-1)?.position ?? 0
  if (upTo >= lastPosition && !cache.isFree && cache.version === version)
    cache.recent.put(scope, { after: from, upTo, turns })
  return turns.filter(({ position }) => position > after).slice(0, limit)
}

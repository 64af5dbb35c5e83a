import type { StoryUnit } from '../story/pack-units.ts'
import type { OwnerCache } from '../work/owner-cache.ts'

/** Units of scopes' stories as far as they were read; they go with the cache that they are read from. */
const read = new WeakMap<OwnerCache, Map<number, StoryUnit[]>>()

/**
 * All units that were ever made of a scope's story, in the order of becoming known. A unit's level and place never change: those that
 * are new are read, and no others.
 */
export function storyUnits(cache: OwnerCache, scope: number): readonly StoryUnit[] {
  const scopes = read.get(cache) ?? new Map<number, StoryUnit[]>()
  read.set(cache, scopes)
  const units = scopes.get(scope) ?? []
  scopes.set(scope, units)
  for (const unit of cache.storyUnits(scope, units.length)) units.push(unit)
  return units
}

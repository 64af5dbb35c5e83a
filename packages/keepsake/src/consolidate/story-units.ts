import type { StoryUnit } from '../story/pack-units.ts'
import type { UserState } from '../user-state/user-state.ts'

/** Units of scopes' stories as far as they were read; they go with the state that they are read from. */
const read = new WeakMap<UserState, Map<number, StoryUnit[]>>()

/**
 * All units that were ever made of a scope's story, in the order of becoming known. A unit's level and place never change: those that
 * are new are read, and no others.
 */
export function storyUnits(state: UserState, scope: number): readonly StoryUnit[] {
  const scopes = read.get(state) ?? new Map<number, StoryUnit[]>()
  read.set(state, scopes)
  const units = scopes.get(scope) ?? []
  scopes.set(scope, units)
  for (const unit of state.storyUnits(scope, units.length)) units.push(unit)
  return units
}

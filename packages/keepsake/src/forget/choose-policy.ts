// Chooses the policy and retention that judge a memory, and computes how many facts a capacity leaves.
import { whyKept } from '../facts/kept-facts.ts'
import type { Memory } from '../memories/memory.ts'
import type { KeyTable } from '@keepsake/text'
import type { Preset } from '../presets/preset.ts'
import type { UserState } from '../user-state/user-state.ts'
import { fadingFacts } from './policies/fading-facts.ts'
import { RATED_BY_LANGUAGE, type ForgettingPolicy, type Retention } from './policies/forgetting-policy.ts'

import type { Engine } from '../work/engine.ts'

export type Capacity = Extract<Retention, { when: 'capacity' }>

export const FACT_POLICY = fadingFacts()

/**
 * Returns the capacity for facts; `null` if they all stay or the preset's policy judges them.
 *
 * @example
 * roomForFacts(keepsake(), { when: 'capacity', memories: 5_000 }) // { when: 'capacity', memories: 5_000, slack: 0 }
 */
export function roomForFacts({ boundsFacts, exempt }: Preset, retention: Retention): Capacity | null {
  if (retention.when !== 'capacity' || !exempt.includes('fact')) return null
  if (retention.facts === undefined && boundsFacts !== true) return null
  return capacityOfFacts(retention)
}

function capacityOfFacts({ facts, slack = 0, ...rest }: Capacity): Capacity | null {
  if (facts === 'all') return null
  return facts === undefined ? { ...rest, slack } : { when: 'capacity', memories: facts, slack }
}

/** Returns the retention under a policy chosen by name. */
export function retentionFor({ judges }: ForgettingPolicy, retention: Retention): Retention {
  if (judges !== 'facts' || retention.when !== 'capacity') return retention
  return capacityOfFacts(retention) ?? { when: 'never' }
}

/** Returns the policy and retention of a memory; facts have their own under a capacity. */
export function keepingOf(
  { form }: Pick<Memory, 'form'>,
  preset: Preset,
): { readonly policy: ForgettingPolicy; readonly retention: Retention } {
  const room = form === 'fact' ? roomForFacts(preset, preset.retention) : null
  return room === null
    ? { policy: preset.policy, retention: preset.retention }
    : { policy: FACT_POLICY, retention: room }
}

/** Checks whether forgettable facts are within capacity. Counts them only if all facts exceed it. */
export function factsHaveRoom(
  state: UserState,
  scope: number,
  { room, table, now }: { readonly room: Capacity; readonly table: KeyTable; readonly now: number },
): boolean {
  const { memories = Number.POSITIVE_INFINITY, characters = Number.POSITIVE_INFINITY } = room
  const live = state.liveCount(scope, 'fact')
  if (live.memories <= memories && live.characters <= characters) return true
  const forgettable = [...state.facts(scope).live()].filter((fact) => whyKept(fact, table, now) === null)
  const total = forgettable.reduce((sum, { text }) => sum + text.length, 0)
  return forgettable.length <= memories && total <= characters
}

/** Finds a policy by name, adjusted to the signal models; the preset's own by default. */
export function policyFor({ preset, ...engine }: Engine, name?: string): ForgettingPolicy {
  if (name === undefined || name === preset.policy.name) return preset.policy
  const isRated = preset.importance === 'model' && engine.language !== null
  const models = {
    arousal: engine.arousal.id,
    surprise: engine.surprise.id,
    importance: isRated ? RATED_BY_LANGUAGE : engine.importance.id,
  }
  const policy = engine.policies.find(name)
  return policy.forModels?.(models) ?? policy
}

export function allPolicies(engine: Engine): ForgettingPolicy[] {
  const own = engine.preset.policy
  return [
    own,
    ...engine.policies.names.filter((name) => name !== own.name).map((name) => policyFor(engine, name)),
  ]
}

// Finds forgetting policies by name for an engine, adjusted to its signal models.
import { RATED_BY_LANGUAGE } from '../importance/embedded-calibration.ts'
import type { Engine } from '../work/engine.ts'
import type { ForgettingPolicy } from './policies/forgetting-policy.ts'

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

/** Lists all policies, the preset's first. */
export function allPolicies(engine: Engine): ForgettingPolicy[] {
  const own = engine.preset.policy
  return [
    own,
    ...engine.policies.names.filter((name) => name !== own.name).map((name) => policyFor(engine, name)),
  ]
}

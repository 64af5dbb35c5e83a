import type { Retention } from 'keepsake/preset'
import { engineSystem, type EngineModels } from './engine-run.ts'
import type { ForgettingSystem } from './forgetting-system.ts'
import type { SignalsOf } from './measure-talk-signals.ts'
import { comparedPolicies, OURS_HELD_OUT, ourSetting, randomSetting, type PolicySetting } from './policies.ts'
import { policySystem } from './policy-system.ts'
import type { RankMemories } from './rank-by-words.ts'

/** A policy in the comparison. */
export interface Entrant {
  readonly name: string
  /** One setting for a policy. Chance has one setting for each seed, and the scores are averaged. */
  readonly settings: readonly PolicySetting[]
  readonly signals: SignalsOf
  /** `held-out`: the importance of units comes from `signals`, not from the engine. */
  readonly kind: 'policy' | 'held-out' | 'chance'
}

export interface EntrantOptions {
  readonly signals: SignalsOf
  /** Further signals for our policy, if its own importance was fitted on the data set. */
  readonly heldOut: SignalsOf | null
  readonly seed: number
  readonly randomSeeds: number
}

/** Lists every policy, and chance, which forgets at random. */
export function listEntrants({ signals, heldOut, seed, randomSeeds }: EntrantOptions): Entrant[] {
  const entrants = comparedPolicies().map((setting): Entrant => {
    return { name: setting.policy.name, settings: [setting], signals, kind: 'policy' }
  })
  if (heldOut !== null) {
    const settings = [ourSetting(OURS_HELD_OUT)]
    entrants.push({ name: OURS_HELD_OUT, settings, signals: heldOut, kind: 'held-out' })
  }
  const chances = Array.from({ length: randomSeeds }, (_, s) => randomSetting(seed + s))
  if (chances.length > 0) entrants.push({ name: 'random', settings: chances, signals, kind: 'chance' })
  return entrants
}

interface SystemResources {
  /** The retriever of policies that run without the engine. */
  readonly rank: RankMemories
  readonly models?: EngineModels | undefined
}

/**
 * Makes the systems that run a policy: one for each setting. Policies run in the engine. Chance runs without it,
 * because chance ignores retrieval, and its many seeds would take long.
 */
export function systemsOf(
  { settings, signals, kind }: Entrant,
  retention: Retention,
  { rank, models = {} }: SystemResources,
): ForgettingSystem[] {
  const importance = kind === 'held-out' ? signals : undefined
  return settings.map((setting) =>
    kind === 'chance'
      ? policySystem({ ...setting, retention, signals, rank })
      : engineSystem(setting, retention, { importance, models }),
  )
}

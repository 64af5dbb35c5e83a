import { readFileSync } from 'node:fs'
import {
  competitionInhibition,
  lufyForgetting as lufy,
  readFittedWeights,
  type LufyMetric,
} from '@keepsake/papers'
import { COMPETITION, LUFY, type PolicySetting } from './policies.ts'

/** What is changed of the published policies, each change in a row of its own. */
export interface PolicyChanges {
  /** Metrics of LUFY that weigh nothing (its tables 13 and 14). */
  readonly without: readonly LufyMetric[]
  /** File of weights fitted by `keepsake train fit-importance`, in the place of the paper's. */
  readonly weights?: string | undefined
  /** MOOM's α, weight of decay with age. */
  readonly alpha: readonly number[]
  /** MOOM's β, weight of retrievals. */
  readonly beta: readonly number[]
  /** MOOM's γ, how fast age counts. */
  readonly gamma: readonly number[]
  /** MOOM's k: so many are used, the next k suppressed. */
  readonly k: readonly number[]
}

/**
 * The published policies with one thing changed each: `lufy-A`, `competition-inhibition α=0`.
 *
 * @throws InvalidInputError for a file of weights that cannot be used; the system's error for one that cannot be read
 */
export function changedPolicies({ without, weights, ...constants }: PolicyChanges): PolicySetting[] {
  const ablated = without.map((metric) => ({ ...LUFY, policy: lufy({ without: [metric] }) }))
  const fitted =
    weights === undefined ? [] : [lufy({ weights: readFittedWeights(readFileSync(weights, 'utf8')) })]
  const named = fitted.map((policy) => ({ ...LUFY, policy: { ...policy, name: 'lufy-fitted' } }))
  return [...ablated, ...named, ...changedCompetition(constants)]
}

function changedCompetition({
  alpha,
  beta,
  gamma,
  k,
}: Pick<PolicyChanges, 'alpha' | 'beta' | 'gamma' | 'k'>): PolicySetting[] {
  const changed = (sign: string, value: number, options: Parameters<typeof competitionInhibition>[0]) => {
    const policy = competitionInhibition(options)
    return { ...COMPETITION, policy: { ...policy, name: `${policy.name} ${sign}=${value}` } }
  }
  return [
    ...alpha.map((value) => changed('α', value, { alpha: value })),
    ...beta.map((value) => changed('β', value, { beta: value })),
    ...gamma.map((value) => changed('γ', value, { gamma: value })),
    ...k.map((value) => ({ ...changed('k', value, {}), first: value, second: value })),
  ]
}

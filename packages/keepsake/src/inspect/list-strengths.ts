import type { Memory } from '../memories/memory.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { momentOf, viewScope } from '../work/scope-view.ts'
import { judgeMemories, retentionFor, findPolicy } from '../forget/judge-memories.ts'
import type { Strength } from '../forget/policies/forgetting-policy.ts'
import type { Judged } from '../forget/policies/select-forgotten.ts'
import { readRetention, type ForgettingOptions } from '../forget/run-forgetting.ts'
import { readPageLimit } from './page.ts'

export interface StrengthOptions extends Pick<ForgettingOptions, 'keep' | 'capacity'> {
  /** Name of the policy; the preset's when absent. `facts` is the policy for facts under a capacity. */
  readonly policy?: string
  /** Maximum number of memories; 100 when absent. */
  readonly limit?: number
  /** Number of the weakest to skip, for paging. */
  readonly offset?: number
}

/** A memory that a policy judges, and whether it would stay. */
export interface MemoryStrength {
  readonly memory: Memory
  readonly strength: Strength
  /** Rank by strength in its scope, from 1. */
  readonly rank: number
  readonly kept: boolean
  /** What decides: its strength, or the reason why its strength does not matter. */
  readonly because: Judged['because']
}

/** The memories that a policy ranks, the weakest first. */
export interface Strengths {
  readonly policy: string
  readonly formula: string
  readonly considered: number
  readonly kept: number
  readonly items: readonly MemoryStrength[]
}

export async function listStrengths(
  engine: Engine,
  resolved: ResolvedScope | null,
  { policy: name, limit, offset = 0, ...keepOptions }: StrengthOptions,
): Promise<Strengths> {
  const policy = findPolicy(engine, name)
  const pageLimit = readPageLimit(limit)
  const retention = retentionFor(policy, readRetention(keepOptions, engine.preset.retention))
  const judged: Judged[] = []
  for (const row of resolved?.rows ?? []) {
    const view = await viewScope(engine, row)
    judged.push(...(await judgeMemories(view, momentOf(view), retention, policy)).selection.judged)
  }
  // Each scope was ranked separately. The list merges the scopes in the order of forgetting, the weakest first.
  const weakest = judged.toSorted((a, b) => a.strength.value - b.strength.value)
  return {
    policy: policy.name,
    formula: policy.formula,
    considered: judged.length,
    kept: judged.filter(({ kept }) => kept).length,
    items: weakest.slice(offset, offset + pageLimit),
  }
}

import { explainStrength } from './policies/explain-strength.ts'
import { selectForgotten, type Selection } from './policies/select-forgotten.ts'
import type { ForgettingMoment, Retention } from './policies/forgetting-policy.ts'
import type { ForgettingResult, ForgottenMemory } from './policies/forgetting-result.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import type { Memory } from '../memories/memory.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import { originOf } from '../work/moment.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import { withTexts } from '../work/read-memories.ts'

/** A run of the policy over a scope, before anything is changed. */
export interface PolicyRun {
  readonly selection: Selection
  readonly retention: Retention
  readonly moment: ForgettingMoment
}

/** A raw unit of the story is the talk itself, on its way to be summarised; it is no memory to let go of. */
function isRawUnit(memory: Memory): boolean {
  return memory.form === 'story' && memory.level === 1 && memory.text === ''
}

/** Judges a scope's live memories by the preset's policy. */
export async function judgeMemories(
  engine: Engine,
  row: ScopeRow,
  cache: OwnerCache,
  moment: ForgettingMoment,
  retention: Retention,
): Promise<PolicyRun> {
  const { exempt, policy } = engine.preset
  const ofScope = [...cache.memories({ scopes: new Set([row.scope]) })].filter(
    (memory) => !exempt.includes(memory.form) && !isRawUnit(memory),
  )
  const live = await withTexts(
    engine,
    row.owner,
    ofScope.filter((memory) => memory.status === 'live'),
  )
  const strengths = policy.strengths(live, moment)
  const made = ofScope.filter((memory) => memory.status === 'live' || memory.status === 'forgotten').length
  const selection = selectForgotten({ memories: live, strengths, retention, made, exempt })
  return { selection, retention, moment }
}

function forgottenBy(engine: Engine, run: PolicyRun): ForgottenMemory[] {
  return run.selection.judged
    .filter((judged) => !judged.kept)
    .map((judged) => ({
      memory: judged.memory.id,
      strength: judged.strength,
      reason: explainStrength({ policy: engine.preset.policy, ...run, judged }),
    }))
}

/** Adds the forgetting of what a run lets go to a change set. */
export function forgetInto(
  engine: Engine,
  changes: ChangeSet,
  run: PolicyRun,
  dryRun: boolean,
): ForgettingResult {
  const forgotten = forgottenBy(engine, run)
  const origin = originOf(engine, `policy:${engine.preset.policy.name}`)
  if (!dryRun) {
    for (const { memory, reason } of forgotten)
      changes.change('forget', memory, { status: 'forgotten', reason }, origin)
  }
  return {
    policy: engine.preset.policy.name,
    considered: run.selection.judged.length,
    kept: run.selection.judged.length - forgotten.length,
    forgotten,
    dryRun,
  }
}

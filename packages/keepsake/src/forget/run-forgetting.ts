import { InvalidInputError } from '../errors/invalid-input-error.ts'
import type { Retention } from './policies/forgetting-policy.ts'
import type { ForgettingResult } from './policies/forgetting-result.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import { forgetInto, judgeMemories, tellRun } from './forget-memories.ts'
import { momentOf, viewScope } from '../work/scope-view.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'

export interface ForgettingOptions {
  /** Only tell what would be forgotten. */
  readonly dryRun?: boolean
  /** Keep this share of all ever made, 0 to 1, instead of what the preset says. */
  readonly keep?: number
  /** Keep at most so many memories, or characters, instead of what the preset says. */
  readonly capacity?: { readonly memories?: number; readonly characters?: number }
}

function readRetention(options: ForgettingOptions, preset: Retention): Retention {
  const { keep, capacity } = options
  if (keep !== undefined) {
    if (!(keep >= 0 && keep <= 1))
      throw new InvalidInputError(`keep must be a share from 0 to 1, but it is ${keep}.`)
    return { when: 'session-end', keep }
  }
  if (capacity === undefined) return preset
  for (const [unit, count] of Object.entries(capacity)) {
    if (count !== undefined && !(count >= 0))
      throw new InvalidInputError(`capacity.${unit} must be 0 or more, but it is ${count}.`)
  }
  return { when: 'capacity', ...capacity }
}

async function runInScope(
  engine: Engine,
  row: ScopeRow,
  retention: Retention,
  dryRun: boolean,
): Promise<ForgettingResult> {
  if (dryRun) {
    const view = await viewScope(engine, row)
    return tellRun(view, await judgeMemories(view, await momentOf(view), retention), true)
  }
  const committed = await decideAndCommit(engine, row, async (unit) =>
    forgetInto(unit, await judgeMemories(unit, unit.moment, retention)),
  )
  return committed.result
}

/**
 * Runs the preset's policy over scopes now, each by itself.
 *
 * @param settle brings a scope up to its last turn, before anything of it is judged
 */
export async function runForgetting(
  engine: Engine,
  rows: readonly ScopeRow[],
  options: ForgettingOptions,
  settle: (row: ScopeRow) => Promise<void>,
): Promise<ForgettingResult> {
  const retention = readRetention(options, engine.preset.retention)
  const dryRun = options.dryRun ?? false
  const results: ForgettingResult[] = []
  for (const row of rows) {
    if (!dryRun) await settle(row)
    results.push(await runInScope(engine, row, retention, dryRun))
  }
  return {
    policy: engine.preset.policy.name,
    considered: results.reduce((sum, result) => sum + result.considered, 0),
    kept: results.reduce((sum, result) => sum + result.kept, 0),
    forgotten: results.flatMap((result) => result.forgotten),
    dryRun,
  }
}

// Implements `runForgetting()`: runs a policy now, or only reports what it would forget.
import { InvalidInputError } from '@keepsake/text'
import type { Retention, ForgettingResult } from './policies/forgetting-policy.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import {
  forgetWeak,
  judgeMemories,
  reportRun,
  type PolicyChoice,
  findPolicy,
  FACT_POLICY,
  retentionFor,
  factCapacity,
} from './judge-memories.ts'
import { momentOf, viewScope } from '../work/scope-view.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'

/** Options of `runForgetting()`. */
export interface ForgettingOptions {
  /** Only report what would be forgotten. */
  readonly dryRun?: boolean
  /** Keep this share of all memories ever made, 0 to 1, instead of the preset's retention. */
  readonly keep?: number
  /** Keep at most this many memories or characters, instead of the preset's retention. */
  readonly capacity?: {
    readonly memories?: number
    readonly characters?: number
    /** Capacity for facts; by default as `memories` and `characters`, if the preset bounds its facts. */
    readonly facts?: number | 'all'
  }
  /** Judge by this policy alone, instead of the preset's policies. */
  readonly policy?: string
  /** Maximum number of forgotten memories to list, the strongest first; all when absent. The total is `considered - kept`. */
  readonly limit?: number
}

/** Requires that the numbers of a capacity or retention are 0 or more. @throws InvalidInputError naming a wrong one */
export function requireAmounts(name: string, amounts: Retention | ForgettingOptions['capacity']): void {
  for (const [unit, count] of Object.entries(amounts ?? {})) {
    const isNoNumber = count === undefined || unit === 'when' || (unit === 'facts' && count === 'all')
    if (!isNoNumber && !(Number(count) >= 0))
      throw new InvalidInputError(`${name}.${unit} must be 0 or more, but it is ${count}.`)
  }
}

/** Reads how much a run may keep from its options, or from the preset. @throws InvalidInputError */
export function readRetention(
  options: Pick<ForgettingOptions, 'keep' | 'capacity'>,
  preset: Retention,
): Retention {
  const { keep, capacity } = options
  if (keep !== undefined) {
    if (!(keep >= 0 && keep <= 1))
      throw new InvalidInputError(`keep must be a share from 0 to 1, but it is ${keep}.`)
    return { when: 'session-end', keep }
  }
  if (capacity === undefined) return preset
  requireAmounts('capacity', capacity)
  // A preset that keeps all facts keeps them in this run, too.
  const keepsFacts = preset.when === 'capacity' && preset.facts === 'all' && capacity.facts === undefined
  return { when: 'capacity', ...capacity, ...(keepsFacts ? { facts: 'all' } : {}) }
}

/** Returns the policies of a run: only the named policy, else that of the preset and that of its facts. */
function choosePolicies(engine: Engine, options: ForgettingOptions): PolicyChoice[] {
  const { preset } = engine
  const retention = readRetention(options, preset.retention)
  const policy = findPolicy(engine, options.policy)
  const mainChoice = { policy, retention: retentionFor(policy, retention) }
  const capacity = options.policy === undefined ? factCapacity(preset, retention) : null
  return capacity === null ? [mainChoice] : [mainChoice, { policy: FACT_POLICY, retention: capacity }]
}

async function runInScope(
  engine: Engine,
  row: ScopeRow,
  { policy, retention, dryRun }: PolicyChoice & { readonly dryRun: boolean },
): Promise<ForgettingResult> {
  if (dryRun) {
    const view = await viewScope(engine, row)
    return reportRun(await judgeMemories(view, momentOf(view), retention, policy), true)
  }
  const committed = await decideAndCommit(engine, row, async (unit) =>
    forgetWeak(unit, await judgeMemories(unit, unit.moment, retention, policy), true),
  )
  return committed.result
}

/** Runs the preset's policies over scopes, after `consolidate` of each. */
export async function runForgetting(
  engine: Engine,
  rows: readonly ScopeRow[],
  options: ForgettingOptions,
  consolidate: (row: ScopeRow) => Promise<void>,
): Promise<ForgettingResult> {
  const choices = choosePolicies(engine, options)
  const dryRun = options.dryRun ?? false
  const results: ForgettingResult[] = []
  for (const row of rows) {
    if (!dryRun) await consolidate(row)
    for (const choice of choices) results.push(await runInScope(engine, row, { ...choice, dryRun }))
  }
  return {
    policy: findPolicy(engine, options.policy).name,
    considered: results.reduce((sum, result) => sum + result.considered, 0),
    kept: results.reduce((sum, result) => sum + result.kept, 0),
    forgotten: results.flatMap((result) => result.forgotten).slice(0, options.limit),
    operations: results.flatMap((result) => result.operations),
    dryRun,
  }
}

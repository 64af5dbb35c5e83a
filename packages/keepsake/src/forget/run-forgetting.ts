// Implements `runForgetting()`: runs a policy now, or only reports what it would forget.
import { InvalidInputError } from '@keepsake/text'
import type { Retention, ForgettingResult } from './policies/forgetting-policy.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import { forgetInto, judgeMemories, tellRun, type Judging } from './forget-memories.ts'
import { policyFor, FACT_POLICY, retentionFor, roomForFacts } from './choose-policy.ts'
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
  for (const [unit, count] of Object.entries(capacity)) {
    if (count !== undefined && !(unit === 'facts' && count === 'all') && !(Number(count) >= 0))
      throw new InvalidInputError(`capacity.${unit} must be 0 or more, but it is ${count}.`)
  }
  // A preset that keeps all facts keeps them in this run as well.
  const isKept = preset.when === 'capacity' && preset.facts === 'all' && capacity.facts === undefined
  return { when: 'capacity', ...capacity, ...(isKept ? { facts: 'all' } : {}) }
}

/** Returns the policies and retentions of a run: the named one, or the preset's and that of its facts. */
function judgingsOf(engine: Engine, options: ForgettingOptions): Omit<Judging, 'moment'>[] {
  const { preset } = engine
  const retention = readRetention(options, preset.retention)
  const policy = policyFor(engine, options.policy)
  const named = { policy, retention: retentionFor(policy, retention) }
  const room = options.policy === undefined ? roomForFacts(preset, retention) : null
  return room === null ? [named] : [named, { policy: FACT_POLICY, retention: room }]
}

async function runInScope(
  engine: Engine,
  row: ScopeRow,
  { policy, retention, dryRun }: Omit<Judging, 'moment'> & { readonly dryRun: boolean },
): Promise<ForgettingResult> {
  if (dryRun) {
    const view = await viewScope(engine, row)
    return tellRun(await judgeMemories(view, momentOf(view), retention, policy), true)
  }
  const committed = await decideAndCommit(engine, row, async (unit) =>
    forgetInto(unit, await judgeMemories(unit, unit.moment, retention, policy), true),
  )
  return committed.result
}

/**
 * Runs the preset's policies over scopes.
 *
 * @param settle consolidates a scope before it is judged
 */
export async function runForgetting(
  engine: Engine,
  rows: readonly ScopeRow[],
  options: ForgettingOptions,
  settle: (row: ScopeRow) => Promise<void>,
): Promise<ForgettingResult> {
  const judgings = judgingsOf(engine, options)
  const dryRun = options.dryRun ?? false
  const results: ForgettingResult[] = []
  for (const row of rows) {
    if (!dryRun) await settle(row)
    for (const judging of judgings) results.push(await runInScope(engine, row, { ...judging, dryRun }))
  }
  return {
    policy: policyFor(engine, options.policy).name,
    considered: results.reduce((sum, result) => sum + result.considered, 0),
    kept: results.reduce((sum, result) => sum + result.kept, 0),
    forgotten: results.flatMap((result) => result.forgotten).slice(0, options.limit),
    operations: results.flatMap((result) => result.operations),
    dryRun,
  }
}

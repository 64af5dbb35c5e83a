// Brings a scope back under its capacity, in batches. Called after consolidation and by recalls that reinforce.
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { MEMORY_FORMS, type Memory, isRawUnit } from '../memories/memory.ts'
import type { Preset } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import type { UserState } from '../user-state/user-state.ts'
import { momentOf, originOf, viewScope, type ScopeView } from '../work/scope-view.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'
import {
  isExempt,
  judgeMemories,
  explainVerdict,
  type PolicyChoice,
  type PolicyRun,
  FACT_POLICY,
  areFactsWithin,
  factCapacity,
  type Capacity,
} from './judge-memories.ts'
import type { Judged } from './policies/select-forgotten.ts'

const REASON = 'Some of its talk was removed, and a summary of the story covers it.'

/** Lists raw story units that are summarised and of which some turns have no live utterance. */
function listObsoleteUnits({ state, row }: ScopeView): Memory[] {
  const units = state.memoriesOf(row.scope, 'story')
  const summarised = new Set(units.flatMap(({ level, sources }) => (level > 1 ? sources : [])))
  return units.filter(
    (unit) =>
      unit.status === 'live' &&
      !unit.pinned &&
      isRawUnit(unit) &&
      summarised.has(unit.id) &&
      unit.evidence.some(({ turn }) => state.utteranceOf(turn) === undefined),
  )
}

/** Forgets raw units of forgotten utterances where the policy judges no story. Returns whether there may be more. */
function forgetObsoleteUnits(unit: UnitOfWork, maxUnits: number): boolean {
  const { engine, changes } = unit
  const { exempt, policy } = engine.preset
  if (!exempt.includes('story') || exempt.includes('utterance')) return false
  const units = listObsoleteUnits(unit)
  const origin = originOf(engine, `policy:${policy.name}`)
  for (const { id } of units.slice(0, maxUnits))
    changes.change('forget', id, { status: 'forgotten', reason: REASON }, origin)
  return units.length > maxUnits
}

/** Memories that are forgotten in one transaction, because a transaction blocks the thread. */
const BATCH_SIZE = 100

/** From this capacity on, a run frees at least this share of it, because each run judges all facts. */
const LARGE_CAPACITY = 100
const MIN_SLACK = 0.05

/** Forgets the weakest memories over capacity after a round (MOOM, section 3.3), and the weakest facts over theirs. */
export async function forgetOverCapacity(engine: Engine, row: ScopeRow): Promise<void> {
  const { retention, policy, keyTable: table } = engine.preset
  if (retention.when !== 'capacity') return
  let { state } = await viewScope(engine, row)
  if (!areMemoriesWithin(retention, state, row.scope, engine.preset)) {
    await forgetWeakest(engine, row, { policy, retention })
    await forgetUnits(engine, row)
    state = (await viewScope(engine, row)).state
  }
  const capacity = factCapacity(engine.preset, retention)
  if (capacity === null || areFactsWithin(state, row.scope, { capacity, table, now: engine.now() })) return
  const { memories = Number.POSITIVE_INFINITY, slack = 0 } = capacity
  const isLarge = memories >= LARGE_CAPACITY
  await forgetWeakest(engine, row, {
    policy: FACT_POLICY,
    retention: isLarge ? { ...capacity, slack: Math.max(slack, MIN_SLACK) } : capacity,
  })
}

/** Checks whether a scope has more memories or facts than the preset allows. */
export function isOverCapacity({ preset, now }: Engine, state: UserState, scope: number): boolean {
  const { retention, keyTable: table } = preset
  if (retention.when !== 'capacity') return false
  if (!areMemoriesWithin(retention, state, scope, preset)) return true
  const capacity = factCapacity(preset, retention)
  return capacity !== null && !areFactsWithin(state, scope, { capacity, table, now: now() })
}

async function forgetWeakest(
  engine: Engine,
  row: ScopeRow,
  { policy, retention }: PolicyChoice,
): Promise<void> {
  // Pending usage is written first, because it adds to strengths.
  await engine.usage.write(row.owner)
  const view = await viewScope(engine, row)
  const run = await judgeMemories(view, momentOf(view), retention, policy)
  const weak = run.selection.judged.filter(({ kept }) => !kept)
  for (let start = 0; start < weak.length; start += BATCH_SIZE) {
    const batch = weak.slice(start, start + BATCH_SIZE)
    await decideAndCommit(engine, row, (unit) => forgetEach(unit, run, batch))
    await yieldToEventLoop()
  }
}

async function forgetUnits(engine: Engine, row: ScopeRow): Promise<void> {
  for (let isMore = true; isMore;) {
    const forget = (unit: UnitOfWork): boolean => forgetObsoleteUnits(unit, BATCH_SIZE)
    isMore = (await decideAndCommit(engine, row, forget))?.result ?? false
    await yieldToEventLoop()
  }
}

/** Whether the memories to judge are within a capacity. With utterances a limit of characters is never known to hold. */
function areMemoriesWithin(
  { memories = Number.POSITIVE_INFINITY, characters = Number.POSITIVE_INFINITY }: Capacity,
  state: UserState,
  scope: number,
  { exempt }: Preset,
): boolean {
  const judged = MEMORY_FORMS.filter((form) => !isExempt({ form }, exempt))
  const live = judged.map((form) => state.liveCount(scope, form))
  const hasUtterances = judged.includes('utterance') && state.liveCount(scope, 'utterance').memories > 0
  return (
    (characters === Number.POSITIVE_INFINITY || !hasUtterances) &&
    live.reduce((sum, count) => sum + count.memories, 0) <= memories &&
    live.reduce((sum, count) => sum + count.characters, 0) <= characters
  )
}

/** Forgets weak memories, except those that were pinned, used or deleted after the run. */
function forgetEach(unit: UnitOfWork, run: PolicyRun, weak: readonly Judged[]): void {
  const origin = originOf(unit.engine, `policy:${run.policy.name}`)
  for (const verdict of weak) {
    const { id, use } = verdict.memory
    const known = unit.changes.read(id)
    if (known?.status !== 'live' || known.pinned) continue
    const now = unit.engine.usage.counted(unit.state, known)
    if (now.use.first !== use.first || now.use.second !== use.second) continue
    unit.changes.change('forget', id, { status: 'forgotten', reason: explainVerdict(run, verdict) }, origin)
  }
}

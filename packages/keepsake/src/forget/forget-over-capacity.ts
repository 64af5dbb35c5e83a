// Forgets the weakest memories of a scope over its capacity, after consolidation and after recalls that strengthen memories.
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

/** Number of memories that are forgotten in one transaction, because a transaction blocks the thread. */
const BATCH_SIZE = 100
/** From this number of memories on, a run frees at least the slack below, because each run judges all facts. */
const LARGE_CAPACITY = 100
/** Share of a large capacity that a run frees in addition. */
const MIN_SLACK = 0.05

/** Forgets the weakest memories over the capacity (paper MOOM, section 3.3), and the weakest facts over the capacity for facts. */
export async function forgetOverCapacity(engine: Engine, row: ScopeRow): Promise<void> {
  const { state } = await viewScope(engine, row)
  for (const choice of exceededCapacities(engine, state, row.scope)) {
    await forgetWeakest(engine, row, choice)
    if (choice.policy !== FACT_POLICY) await forgetObsoleteUnits(engine, row)
  }
}

/** Checks whether a scope has more memories or facts than the preset allows. */
export function isOverCapacity(engine: Engine, state: UserState, scope: number): boolean {
  return exceededCapacities(engine, state, scope).length > 0
}

/** Returns each policy whose memories exceed their capacity, with this capacity. */
function exceededCapacities({ preset, now }: Engine, state: UserState, scope: number): PolicyChoice[] {
  const { retention, policy, keyTable: table } = preset
  if (retention.when !== 'capacity') return []
  const memories = areMemoriesWithin(retention, state, scope, preset) ? [] : [{ policy, retention }]
  const capacity = factCapacity(preset, retention)
  if (capacity === null || areFactsWithin(state, scope, { capacity, table, now: now() })) return memories
  return [...memories, { policy: FACT_POLICY, retention: withSlack(capacity) }]
}

/** Adds the minimum slack to a large capacity. */
function withSlack(capacity: Capacity): Capacity {
  const { memories = Number.POSITIVE_INFINITY, slack = 0 } = capacity
  return memories < LARGE_CAPACITY ? capacity : { ...capacity, slack: Math.max(slack, MIN_SLACK) }
}

/** Checks whether the memories that the policy judges are within a capacity. */
function areMemoriesWithin(
  { memories = Number.POSITIVE_INFINITY, characters = Number.POSITIVE_INFINITY }: Capacity,
  state: UserState,
  scope: number,
  { exempt }: Preset,
): boolean {
  const judged = MEMORY_FORMS.filter((form) => !isExempt({ form }, exempt))
  const live = judged.map((form) => state.liveCount(scope, form))
  // Utterances have no characters of their own in these counts, so only a run of the policy can compare them with a limit.
  const hasUtterances = judged.includes('utterance') && state.liveCount(scope, 'utterance').memories > 0
  return (
    (characters === Number.POSITIVE_INFINITY || !hasUtterances) &&
    live.reduce((sum, count) => sum + count.memories, 0) <= memories &&
    live.reduce((sum, count) => sum + count.characters, 0) <= characters
  )
}

/** Judges all memories once, and forgets the weak ones in batches. */
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

/** Forgets weak memories, except those that were pinned, used or deleted after the run. */
function forgetEach(unit: UnitOfWork, run: PolicyRun, weak: readonly Judged[]): void {
  const origin = originOf(unit.engine, `policy:${run.policy.name}`)
  for (const verdict of weak) {
    const { id, use } = verdict.memory
    const memory = unit.changes.read(id)
    if (memory?.status !== 'live' || memory.pinned) continue
    const current = unit.engine.usage.counted(unit.state, memory)
    if (current.use.first !== use.first || current.use.second !== use.second) continue
    unit.changes.change('forget', id, { status: 'forgotten', reason: explainVerdict(run, verdict) }, origin)
  }
}

const OBSOLETE = 'Some of its talk was removed, and a summary of the story covers it.'

/** Forgets obsolete units of the story in batches, if the policy forgets utterances and never judges the story. */
async function forgetObsoleteUnits(engine: Engine, row: ScopeRow): Promise<void> {
  const { exempt, policy } = engine.preset
  if (!exempt.includes('story') || exempt.includes('utterance')) return
  const origin = originOf(engine, `policy:${policy.name}`)
  const forgetBatch = (unit: UnitOfWork): boolean => {
    const units = listObsoleteUnits(unit)
    for (const { id } of units.slice(0, BATCH_SIZE))
      unit.changes.change('forget', id, { status: 'forgotten', reason: OBSOLETE }, origin)
    return units.length > BATCH_SIZE
  }
  for (let isMore = true; isMore;) {
    isMore = (await decideAndCommit(engine, row, forgetBatch)).result
    await yieldToEventLoop()
  }
}

/** Lists story units of rounds that a summary covers, and whose utterances are no longer all live. */
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

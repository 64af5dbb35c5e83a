// Brings a scope back under its capacity, in batches. Called after consolidation and by recalls that reinforce.
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { MEMORY_FORMS, type Memory, isRawUnit } from '../memories/memory.ts'
import type { Preset } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import type { UserState } from '../user-state/user-state.ts'
import { momentOf, originOf, viewScope, type ScopeView } from '../work/scope-view.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'
import { isExempt, judgeMemories, reasonOf, type Judging, type PolicyRun } from './forget-memories.ts'
import type { Judged } from './policies/select-forgotten.ts'
import { FACT_POLICY, factsHaveRoom, roomForFacts, type Capacity } from './choose-policy.ts'

const REASON = 'Some of its talk was removed, and a summary of the story covers it.'

/** Lists raw story units that are summarised and of which some turns have no live utterance. */
function obsoleteUnits({ state, row }: ScopeView): Memory[] {
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

/**
 * Forgets the raw units of forgotten utterances, if the policy judges utterances but not the story.
 *
 * @returns whether there may be more
 */
function forgetObsoleteUnits(unit: UnitOfWork, most: number): boolean {
  const { engine, changes } = unit
  const { exempt, policy } = engine.preset
  if (!exempt.includes('story') || exempt.includes('utterance')) return false
  const gone = obsoleteUnits(unit)
  const origin = originOf(engine, `policy:${policy.name}`)
  for (const { id } of gone.slice(0, most))
    changes.change('forget', id, { status: 'forgotten', reason: REASON }, origin)
  return gone.length > most
}

/** Memories forgotten in one transaction, which blocks the thread. */
const FORGOTTEN_AT_A_TIME = 100

/** From this many facts, at least this share of the capacity is freed at once, because each run judges all of them. */
const MANY_FACTS = 100
const LEAST_SLACK = 0.05

/**
 * Forgets the weakest memories over capacity after a round (MOOM, section 3.3), and the weakest facts if the preset
 * bounds them. Exempt memories take no room. An interrupted run continues at the next round.
 */
export async function forgetOverCapacity(engine: Engine, row: ScopeRow): Promise<void> {
  const { retention, policy, keyTable: table } = engine.preset
  if (retention.when !== 'capacity') return
  let { state } = await viewScope(engine, row)
  if (!isWithin(retention, state, row.scope, engine.preset)) {
    await forgetWeakest(engine, row, { policy, retention })
    await forgetUnits(engine, row)
    state = (await viewScope(engine, row)).state
  }
  const room = roomForFacts(engine.preset, retention)
  if (room === null) return
  if (!factsHaveRoom(state, row.scope, { room, table, now: engine.now() }))
    await forgetWeakest(engine, row, { policy: FACT_POLICY, retention: manyAtATime(room) })
}

export function isOverCapacity({ preset, now }: Engine, state: UserState, scope: number): boolean {
  const { retention, keyTable: table } = preset
  if (retention.when !== 'capacity') return false
  if (!isWithin(retention, state, scope, preset)) return true
  const room = roomForFacts(preset, retention)
  return room !== null && !factsHaveRoom(state, scope, { room, table, now: now() })
}

/** Frees more at once from a large number of facts. */
function manyAtATime(room: Capacity): Capacity {
  const { memories = Number.POSITIVE_INFINITY, slack = 0 } = room
  return memories < MANY_FACTS ? room : { ...room, slack: Math.max(slack, LEAST_SLACK) }
}

async function forgetWeakest(
  engine: Engine,
  row: ScopeRow,
  { policy, retention }: Omit<Judging, 'moment'>,
): Promise<void> {
  // Writes pending usage first, because it counts.
  await engine.usage.write(row.owner)
  const view = await viewScope(engine, row)
  const run = await judgeMemories(view, momentOf(view), retention, policy)
  const weak = run.selection.judged.filter(({ kept }) => !kept)
  for (let start = 0; start < weak.length; start += FORGOTTEN_AT_A_TIME) {
    const some = weak.slice(start, start + FORGOTTEN_AT_A_TIME)
    await decideAndCommit(engine, row, (unit) => forgetEach(unit, run, some))
    await yieldToEventLoop()
  }
}

async function forgetUnits(engine: Engine, row: ScopeRow): Promise<void> {
  for (let isMore = true; isMore;) {
    const forget = (unit: UnitOfWork): boolean => forgetObsoleteUnits(unit, FORGOTTEN_AT_A_TIME)
    isMore = (await decideAndCommit(engine, row, forget))?.result ?? false
    await yieldToEventLoop()
  }
}

/** Checks whether the forgettable memories are within capacity. Of utterances only the number is known. */
function isWithin(
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

/** Forgets weak memories, except those pinned, used or deleted since. */
function forgetEach(unit: UnitOfWork, run: PolicyRun, weak: readonly Judged[]): void {
  const origin = originOf(unit.engine, `policy:${run.policy.name}`)
  for (const verdict of weak) {
    const { id, use } = verdict.memory
    const known = unit.changes.read(id)
    if (known?.status !== 'live' || known.pinned) continue
    const now = unit.engine.usage.counted(unit.state, known)
    if (now.use.first !== use.first || now.use.second !== use.second) continue
    unit.changes.change('forget', id, { status: 'forgotten', reason: reasonOf(run, verdict) }, origin)
  }
}

import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { MEMORY_FORMS } from '../memories/memory.ts'
import type { Preset } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import type { UserState } from '../user-state/user-state.ts'
import { momentOf, originOf, viewScope } from '../work/scope-view.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'
import { isExempt, judgeMemories, reasonOf, type Judging, type PolicyRun } from './forget-memories.ts'
import { forgetToldUnits } from './forget-told-units.ts'
import type { Judged } from './policies/select-forgotten.ts'
import { FACT_POLICY, factsHaveRoom, roomForFacts, type Capacity } from './room-for-facts.ts'

/** So many are let go in one transaction, which holds the thread. */
const FORGOTTEN_AT_A_TIME = 100

/** Of so many facts on, at least this share of their room goes at once: judging them again for each that is new would cost what all of them cost. */
const MANY_FACTS = 100
const LEAST_SLACK = 0.05

/**
 * Under a capacity, forgets the weakest right after a round (MOOM, section 3.3), and the weakest facts where the preset bounds them.
 * It counts what may be forgotten: what is exempt takes no room. Killed in the middle it goes on at the next round, which finds too
 * many still.
 */
export async function forgetOverCapacity(engine: Engine, row: ScopeRow): Promise<void> {
  const { retention, policy, keyTable: table } = engine.preset
  if (retention.when !== 'capacity') return
  let { state } = await viewScope(engine, row)
  if (!isWithin(retention, state, row.scope, engine.preset)) {
    await letGo(engine, row, { policy, retention })
    await letTalkGo(engine, row)
    state = (await viewScope(engine, row)).state
  }
  const room = roomForFacts(engine.preset, retention)
  if (room === null) return
  if (!factsHaveRoom(state, row.scope, { room, table }))
    await letGo(engine, row, { policy: FACT_POLICY, retention: manyAtATime(room) })
}

function manyAtATime(room: Capacity): Capacity {
  const { memories = Number.POSITIVE_INFINITY, slack = 0 } = room
  return memories < MANY_FACTS ? room : { ...room, slack: Math.max(slack, LEAST_SLACK) }
}

/** Judges a scope and lets go of what is too weak, some at a time. */
async function letGo(
  engine: Engine,
  row: ScopeRow,
  { policy, retention }: Omit<Judging, 'moment'>,
): Promise<void> {
  // What recalls used counts with what they left standing beside it.
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

/** Lets go of what of the story was only the talk that went. */
async function letTalkGo(engine: Engine, row: ScopeRow): Promise<void> {
  for (let isMore = true; isMore;) {
    const forget = (unit: UnitOfWork): boolean => forgetToldUnits(unit, FORGOTTEN_AT_A_TIME)
    isMore = (await decideAndCommit(engine, row, forget))?.result ?? false
    await yieldToEventLoop()
  }
}

/** Whether all that the policy may forget has room. Of utterances, whose words are their turns', only the number is known. */
function isWithin(
  { memories = Number.POSITIVE_INFINITY, characters = Number.POSITIVE_INFINITY }: Capacity,
  state: UserState,
  scope: number,
  { exempt }: Preset,
): boolean {
  const judged = MEMORY_FORMS.filter((form) => !isExempt({ form }, exempt))
  const live = judged.map((form) => state.liveCount(scope, form))
  const isMeasured = characters === Number.POSITIVE_INFINITY || !hasUtterances(state, scope, judged)
  return (
    isMeasured &&
    live.reduce((sum, one) => sum + one.memories, 0) <= memories &&
    live.reduce((sum, one) => sum + one.characters, 0) <= characters
  )
}

function hasUtterances(state: UserState, scope: number, judged: readonly string[]): boolean {
  return judged.includes('utterance') && state.liveCount(scope, 'utterance').memories > 0
}

/** Lets go of what was found too weak, but for what somebody pinned, used or dropped since. */
function forgetEach(unit: UnitOfWork, run: PolicyRun, weak: readonly Judged[]): void {
  const origin = originOf(unit.engine, `policy:${run.policy.name}`)
  for (const one of weak) {
    const { id, use } = one.memory
    const known = unit.changes.read(id)
    if (known?.status !== 'live' || known.pinned) continue
    const now = unit.engine.usage.counted(unit.state, known)
    if (now.use.first !== use.first || now.use.second !== use.second) continue
    unit.changes.change('forget', id, { status: 'forgotten', reason: reasonOf(run, one) }, origin)
  }
}

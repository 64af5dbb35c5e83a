import { giveWay } from '../give-way.ts'
import { MEMORY_FORMS } from '../memories/memory.ts'
import type { Preset } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import { momentOf, originOf, viewAhead, viewScope } from '../work/scope-view.ts'
import { needsFlush } from '../work/needs-flush.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'
import { isExempt, judgeMemories, reasonOf, type PolicyRun } from './forget-memories.ts'
import type { Judged } from './policies/select-forgotten.ts'

/** So many are let go in one transaction, which holds the thread. */
const FORGOTTEN_AT_A_TIME = 100

/**
 * Under a capacity, forgets the weakest right after a round (MOOM, section 3.3). It counts what the policy may forget: what is exempt
 * takes no room. Killed in the middle it goes on at the next round, which finds too many still.
 */
export async function forgetOverCapacity(engine: Engine, row: ScopeRow): Promise<void> {
  const { retention } = engine.preset
  if (retention.when !== 'capacity') return
  const { cache } = await viewAhead(engine, row)
  if (isWithin(retention, cache, row.scope, engine.preset)) return
  // What recalls used counts with what they left standing beside it.
  await engine.gatheredUse.write(row.owner)
  const view = await viewScope(engine, row)
  const run = await judgeMemories(view, await momentOf(view), retention)
  const weak = run.selection.judged.filter(({ kept }) => !kept)
  for (let start = 0; start < weak.length; start += FORGOTTEN_AT_A_TIME) {
    const some = weak.slice(start, start + FORGOTTEN_AT_A_TIME)
    await decideAndCommit(engine, row, (unit) => forgetEach(unit, run, some), {
      flush: needsFlush(engine),
    })
    await giveWay()
  }
}

/** Whether all that the policy may forget has room. Of utterances, whose words are their turns', only the number is known. */
function isWithin(
  { memories = Number.POSITIVE_INFINITY, characters = Number.POSITIVE_INFINITY }: Capacity,
  cache: OwnerCache,
  scope: number,
  { exempt }: Preset,
): boolean {
  const judged = MEMORY_FORMS.filter((form) => !isExempt({ form }, exempt))
  const live = judged.map((form) => cache.liveOf(scope, form))
  const isMeasured = characters === Number.POSITIVE_INFINITY || !hasUtterances(cache, scope, judged)
  return (
    isMeasured &&
    live.reduce((sum, one) => sum + one.memories, 0) <= memories &&
    live.reduce((sum, one) => sum + one.characters, 0) <= characters
  )
}

type Capacity = { readonly memories?: number; readonly characters?: number }

function hasUtterances(cache: OwnerCache, scope: number, judged: readonly string[]): boolean {
  return judged.includes('utterance') && cache.liveOf(scope, 'utterance').memories > 0
}

/** Lets go of what was found too weak, but for what somebody pinned, used or dropped since. */
function forgetEach(unit: UnitOfWork, run: PolicyRun, weak: readonly Judged[]): void {
  const origin = originOf(unit.engine, `policy:${unit.engine.preset.policy.name}`)
  for (const one of weak) {
    const { id, use } = one.memory
    const now = unit.changes.read(id)
    if (now?.status !== 'live' || now.pinned || now.use.first !== use.first || now.use.second !== use.second)
      continue
    unit.changes.change('forget', id, { status: 'forgotten', reason: reasonOf(run, one) }, origin)
  }
}

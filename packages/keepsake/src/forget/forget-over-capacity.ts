import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { forgetInto, judgeMemories } from './forget-memories.ts'

/** Under a capacity, forgets the weakest right after a round (MOOM, section 3.3). */
export async function forgetOverCapacity(engine: Engine, row: ScopeRow): Promise<void> {
  const { retention } = engine.preset
  if (retention.when !== 'capacity') return
  const { memories, characters } = retention
  const cache = await engine.caches.get(row.owner)
  if (memories !== undefined && characters === undefined && cache.liveCount(row.scope) <= memories) return
  // What recalls used counts with what they left standing beside it.
  await engine.gatheredUse.write(row.owner)
  await decideAndCommit(engine, row, async (unit) => {
    forgetInto(unit, await judgeMemories(unit, unit.moment, retention))
  })
}

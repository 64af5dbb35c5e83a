import type { ScopeRow } from '../scopes/scope.ts'
import { commitChanges } from '../work/commit-changes.ts'
import type { Engine } from '../work/engine.ts'
import { forgetInto, judgeMemories } from './forget-memories.ts'
import { momentOf, startChanges } from '../work/moment.ts'

/**
 * Under a capacity, lets the weakest go right after a round (MOOM, section 3.3).
 *
 * @param suppressed memories whose strength is halved in this reckoning: the competitors of what was retrieved.
 */
export async function letGoOverCapacity(
  engine: Engine,
  row: ScopeRow,
  suppressed: ReadonlySet<string>,
): Promise<void> {
  const { retention } = engine.preset
  if (retention.when !== 'capacity') return
  const cache = await engine.caches.get(row.owner)
  if (
    retention.memories !== undefined &&
    retention.characters === undefined &&
    cache.liveCount(row.scope) <= retention.memories
  )
    return
  await engine.caches.lock(row.owner, 'write').runExclusive(async () => {
    const current = await engine.caches.get(row.owner)
    const moment = { ...(await momentOf(engine, row, current)), suppressed }
    const changes = startChanges(engine, current, moment)
    const run = await judgeMemories(engine, row, current, moment, retention)
    if (forgetInto(engine, changes, run, false).forgotten.length > 0)
      await commitChanges(engine, row, changes)
  })
}

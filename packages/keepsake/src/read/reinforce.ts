// Counts which memories a recall used.
import { forgetOverCapacity, isOverCapacity } from '../forget/forget-over-capacity.ts'
import type { MemoryForm } from '../memories/memory.ts'
import type { MemoryRef } from '../memories/operation.ts'
import type { Preset } from '../presets/preset.ts'
import type { RecalledMemory } from '../retrieval/recall-types.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { momentOf, originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import type { RecallRequest } from './query.ts'

/** Notes which memories a recall used. The counters are written later, together with those of other recalls. */
export async function reinforceLater(
  { engine, resolved }: RecallRequest,
  state: UserState,
  ranked: readonly Ranked[],
): Promise<void> {
  const touched = listTouched(engine, ranked)
  for (const row of resolved.rows) {
    const own = touched.filter(({ memory }) => state.memories.get(memory)?.scope === row.scope)
    if (own.length === 0) continue
    engine.usage.note(row, own, momentOf({ engine, row, state }))
    if (isOverCapacity(engine, state, row.scope)) engine.worker.later(() => forgetOverCapacity(engine, row))
  }
}

/** Lists the forms that a preset recalls and its policy judges. */
export function competingForms({ recalls, exempt }: Pick<Preset, 'recalls' | 'exempt'>): MemoryForm[] {
  return recalls.filter((form) => !exempt.includes(form))
}

export type Ranked = Pick<RecalledMemory, 'memory' | 'pending'>

/**
 * Lists the memories whose usage a recall counts: the first ones as used, the next ones only as found. Some presets (LUFY) recall for every
 * round of the conversation (`eachRound`). In these, only forms that the policy judges count.
 */
export function listTouched({ preset }: Engine, ranked: readonly Ranked[]): MemoryRef[] {
  const { first, second, passesOverShown = false, eachRound = false } = preset.use
  const competing = competingForms(preset)
  const counted = eachRound ? ranked.filter(({ memory }) => competing.includes(memory.form)) : ranked
  // A pending memory has no counters. With `passesOverShown` it still takes a place, because the reply used it instead of another.
  const places = passesOverShown ? counted : counted.filter(({ pending }) => !pending)
  return places.slice(0, first + second).flatMap(({ memory, pending }, index): MemoryRef[] => {
    return pending ? [] : [{ memory: memory.id, rank: index < first ? 'first' : 'second' }]
  })
}

/** Counts the usage of memories that are still live. */
export function reinforceInto({ engine, changes }: UnitOfWork, touched: readonly MemoryRef[]): void {
  const live = touched.filter((entry) => changes.read(entry.memory)?.status === 'live')
  if (live.length > 0) changes.reinforce(live, originOf(engine, 'recall'))
}

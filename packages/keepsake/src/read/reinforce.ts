import { forgetOverCapacity } from '../forget/forget-over-capacity.ts'
import type { MemoryForm } from '../memories/memory.ts'
import type { MemoryRef } from '../memories/operation.ts'
import type { Preset } from '../presets/preset.ts'
import type { RecalledMemory } from '../retrieval/recall-types.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { momentOf, originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import type { RecallRequest } from './query.ts'

/** Takes note of what a recall reinforced; it is written off the caller's path, with what others did. */
export async function reinforceLater(
  { engine, resolved }: RecallRequest,
  state: UserState,
  ranked: readonly Ranked[],
): Promise<void> {
  const scopeOf = new Map(ranked.map(({ memory }) => [memory.id, memory.scope]))
  const touched = listTouched(engine, ranked)
  for (const row of resolved.rows) {
    const own = touched.filter((entry) => scopeOf.get(entry.memory) === row.scope)
    if (own.length === 0) continue
    engine.usage.note(row, own, momentOf({ engine, row, state: state }))
    if (engine.preset.retention.when === 'capacity')
      engine.worker.later(() => forgetOverCapacity(engine, row))
  }
}

/** Forms that a preset recalls and its policy judges: what competes to be kept. */
export function competingForms({ recalls, exempt }: Pick<Preset, 'recalls' | 'exempt'>): MemoryForm[] {
  return recalls.filter((form) => !exempt.includes(form))
}

export type Ranked = Pick<RecalledMemory, 'memory' | 'pending'>

/**
 * Which memories a recall touches: the first ones count as used, the next are only counted. Where each round is a recall, places
 * are for those that compete.
 */
export function listTouched({ preset }: Engine, ranked: readonly Ranked[]): MemoryRef[] {
  const { first, second, passesOverShown = false, eachRound = false } = preset.use
  const competing = competingForms(preset)
  const among = eachRound ? ranked.filter(({ memory }) => competing.includes(memory.form)) : ranked
  // What waits to be kept has nothing to count on. Where it took the place of the one that is used, nothing else was used.
  const placed = passesOverShown ? among : among.filter(({ pending }) => !pending)
  return placed.slice(0, first + second).flatMap(({ memory, pending }, index): MemoryRef[] => {
    return pending ? [] : [{ memory: memory.id, rank: index < first ? 'first' : 'second' }]
  })
}

/** Counts what a recall brought up, as far as it is still live. */
export function reinforceInto({ engine, changes }: UnitOfWork, touched: readonly MemoryRef[]): void {
  const live = touched.filter((entry) => changes.read(entry.memory)?.status === 'live')
  if (live.length > 0) changes.reinforce(live, originOf(engine, 'recall'))
}

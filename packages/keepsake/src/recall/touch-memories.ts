import type { MemoryForm } from '../memories/memory.ts'
import type { Touched } from '../memories/operation.ts'
import type { Preset } from '../presets/preset.ts'
import type { RecalledMemory } from '../retrieval/recall-types.ts'
import type { Engine } from '../work/engine.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'

/** Forms that a preset recalls and its policy judges: what competes to be kept. */
export function competingForms({ recalls, exempt }: Pick<Preset, 'recalls' | 'exempt'>): MemoryForm[] {
  return recalls.filter((form) => !exempt.includes(form))
}

export type Ranked = Pick<RecalledMemory, 'memory' | 'pending'>

/**
 * Which memories a recall touches: the first ones count as used, the next are only counted. Where each round is a recall, places
 * are for those that compete.
 */
export function touchedBy({ preset }: Engine, ranked: readonly Ranked[]): Touched[] {
  const { first, second, passesOverShown = false, eachRound = false } = preset.use
  const competing = competingForms(preset)
  const among = eachRound ? ranked.filter(({ memory }) => competing.includes(memory.form)) : ranked
  // What waits to be kept has nothing to count on. Where it took the place of the one that is used, nothing else was used.
  const placed = passesOverShown ? among : among.filter(({ pending }) => !pending)
  return placed.slice(0, first + second).flatMap(({ memory, pending }, index): Touched[] => {
    return pending ? [] : [{ memory: memory.id, rank: index < first ? 'first' : 'second' }]
  })
}

/** Counts what a recall brought up, as far as it is still live. */
export function reinforceInto({ engine, changes }: UnitOfWork, touched: readonly Touched[]): void {
  const live = touched.filter((entry) => changes.read(entry.memory)?.status === 'live')
  if (live.length > 0) changes.reinforce(live, originOf(engine, 'recall'))
}

import type { Memory, MemoryForm } from '../memories/memory.ts'
import type { Touched } from '../memories/operation.ts'
import type { Preset } from '../presets/preset.ts'
import type { Engine } from '../work/engine.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'

/** Forms that a preset recalls and its policy judges: what competes to be kept. */
export function competingForms({ recalls, exempt }: Pick<Preset, 'recalls' | 'exempt'>): MemoryForm[] {
  return recalls.filter((form) => !exempt.includes(form))
}

/**
 * Which memories a recall touches: the first ones count as used, the next are only counted. Where each round is a recall, places
 * are for those that compete.
 */
export function touchedBy({ preset }: Engine, ranked: readonly Memory[]): Touched[] {
  const { first, second, eachRound = false } = preset.use
  const competing = competingForms(preset)
  const lasting = ranked.filter(({ form }) => !eachRound || competing.includes(form)).slice(0, first + second)
  return lasting.map((memory, index) => ({ memory: memory.id, rank: index < first ? 'first' : 'second' }))
}

/** Counts what a recall brought up, as far as it is still live. */
export function reinforceInto({ engine, changes }: UnitOfWork, touched: readonly Touched[]): void {
  const live = touched.filter((entry) => changes.read(entry.memory)?.status === 'live')
  if (live.length > 0) changes.reinforce(live, originOf(engine, 'recall'))
}

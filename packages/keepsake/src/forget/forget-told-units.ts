import { isRawUnit } from '../memories/is-raw-unit.ts'
import type { Memory } from '../memories/memory.ts'
import { originOf, type ScopeView } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'

const REASON = 'Some of its talk was let go, and a summary of the story tells of it.'

/**
 * The story's raw units that are needed no more: they are the talk itself on its way to be summarised, a summary tells of them by now,
 * and some of their turns no live utterance keeps any longer.
 */
function neededNoMore({ state, row }: ScopeView): Memory[] {
  const units = state.memoriesOf(row.scope, 'story')
  const told = new Set(units.flatMap(({ level, sources }) => (level > 1 ? sources : [])))
  return units.filter(
    (unit) =>
      unit.status === 'live' &&
      !unit.pinned &&
      isRawUnit(unit) &&
      told.has(unit.id) &&
      unit.evidence.some(({ turn }) => state.utteranceOf(turn) === undefined),
  )
}

/**
 * Lets go of the raw units whose talk a capacity let go, where the preset's policy judges utterances and leaves the story alone.
 *
 * @param most so many at most
 * @returns whether there may be more
 */
export function forgetToldUnits(unit: UnitOfWork, most: number): boolean {
  const { engine, changes } = unit
  const { exempt, policy } = engine.preset
  if (!exempt.includes('story') || exempt.includes('utterance')) return false
  const gone = neededNoMore(unit)
  const origin = originOf(engine, `policy:${policy.name}`)
  for (const { id } of gone.slice(0, most))
    changes.change('forget', id, { status: 'forgotten', reason: REASON }, origin)
  return gone.length > most
}

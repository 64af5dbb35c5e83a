// Reads what a scope's memories add up to: persona sheet, portrait and story.
import type { Memory } from '../memories/memory.ts'
import { buildPersonaSheet, type PersonaSheet } from '../persona/persona-sheet.ts'
import { portraitVersions } from '../portrait/compressor.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { listMemories } from './list-memories.ts'

export async function readPersona(engine: Engine, resolved: ResolvedScope | null): Promise<PersonaSheet> {
  if (resolved === null) return { subjects: [] }
  const facts = await listMemories(engine, resolved, { forms: ['fact'] })
  const state = await engine.users.load(resolved.owner)
  const roundOf = (scope: number): number => state.roundAt(scope, Number.POSITIVE_INFINITY)
  return buildPersonaSheet(facts, engine.preset.keyTable, { now: engine.now(), roundOf })
}

/** The portrait of a user: a compressed memory of all sessions, as in COMEDY. */
export interface Portrait {
  /** The newest version; `null` if there is none. */
  readonly current: Memory | null
  /** All versions, oldest first. Each holds from its `validFrom` until the next. `sources` names the session memories it rests on. */
  readonly versions: readonly Memory[]
}

export async function readPortrait(engine: Engine, resolved: ResolvedScope | null): Promise<Portrait> {
  const versions = portraitVersions(await listMemories(engine, resolved, { forms: ['portrait'] }))
  return { current: versions.at(-1) ?? null, versions }
}

/** Units of one level of the story, oldest first. Level 0 has the summaries of sessions, level 1 the raw units. */
export interface StoryLevel {
  readonly level: number
  readonly units: readonly Memory[]
}

export async function readStory(
  engine: Engine,
  resolved: ResolvedScope | null,
): Promise<readonly StoryLevel[]> {
  const units = await listMemories(engine, resolved, { forms: ['story', 'summary'] })
  const levels = new Map<number, Memory[]>()
  for (const unit of units) levels.set(unit.level, [...(levels.get(unit.level) ?? []), unit])
  return [...levels].sort(([a], [b]) => b - a).map(([level, ofLevel]) => ({ level, units: ofLevel }))
}

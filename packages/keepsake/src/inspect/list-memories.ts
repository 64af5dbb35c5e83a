import { NotFoundError } from '../errors/not-found-error.ts'
import type { Memory, MemoryForm, MemoryStatus, MemoryType } from '../memories/memory.ts'
import type { Operation } from '../memories/operation.ts'
import { portraitVersions } from '../portrait/portrait-versions.ts'
import { buildPersonaSheet, type PersonaSheet } from '../persona/persona-sheet.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'
import { TurnReader } from '../work/read-memories.ts'

export interface MemoryFilter {
  /** Live ones when absent. */
  readonly statuses?: readonly MemoryStatus[]
  readonly forms?: readonly MemoryForm[]
  readonly types?: readonly MemoryType[]
  readonly session?: string
}

/** Units of one level of the story, oldest first. Level 1 are raw units, 0 the sessions' summaries. */
export interface StoryLevel {
  readonly level: number
  readonly units: readonly Memory[]
}

export async function listMemories(
  engine: Engine,
  resolved: ResolvedScope | null,
  filter: MemoryFilter,
): Promise<Memory[]> {
  if (resolved === null) return []
  const stored = await engine.store.memories({
    owner: resolved.owner,
    scopes: resolved.scopes,
    statuses: filter.statuses ?? ['live'],
    ...(filter.forms === undefined ? {} : { forms: filter.forms }),
    ...(filter.session === undefined ? {} : { session: filter.session }),
  })
  const memories = stored.map(({ memory }) => memory)
  const { types } = filter
  return new TurnReader(engine, resolved.owner).withTexts(
    types === undefined ? memories : memories.filter((memory) => types.includes(memory.type)),
  )
}

/** A memory of this scope, by id. @throws NotFoundError */
export async function requireMemory(
  engine: Engine,
  resolved: ResolvedScope | null,
  id: string,
): Promise<Memory> {
  const found =
    resolved === null
      ? []
      : await engine.store.memories({ owner: resolved.owner, scopes: resolved.scopes, ids: [id] })
  const memory = found[0]?.memory
  if (memory === undefined || resolved === null) throw new NotFoundError('memory', id)
  const [whole] = await new TurnReader(engine, resolved.owner).withTexts([memory])
  return whole ?? memory
}

export async function memoryHistory(
  engine: Engine,
  resolved: ResolvedScope | null,
  id: string,
): Promise<readonly Operation[]> {
  await requireMemory(engine, resolved, id)
  if (resolved === null) return []
  return engine.store.operations({ owner: resolved.owner, scopes: resolved.scopes, memory: id })
}

export async function readPersona(engine: Engine, resolved: ResolvedScope | null): Promise<PersonaSheet> {
  const facts = await listMemories(engine, resolved, { forms: ['fact'] })
  return buildPersonaSheet(facts, engine.preset.keyTable, { now: engine.now() })
}

/** The compressed whole (COMEDY), as it is and as it was. */
export interface Portrait {
  /** The newest version; `null` while there is none. */
  readonly current: Memory | null
  /** All versions, oldest first; each holds from `validFrom` until the next, and names in `sources` the session memories it rests on. */
  readonly versions: readonly Memory[]
}

export async function readPortrait(engine: Engine, resolved: ResolvedScope | null): Promise<Portrait> {
  const versions = portraitVersions(await listMemories(engine, resolved, { forms: ['portrait'] }))
  return { current: versions.at(-1) ?? null, versions }
}

export async function readStory(
  engine: Engine,
  resolved: ResolvedScope | null,
): Promise<readonly StoryLevel[]> {
  const units = await listMemories(engine, resolved, { forms: ['story', 'summary'] })
  const levels = new Map<number, Memory[]>()
  for (const unit of units) levels.set(unit.level, [...(levels.get(unit.level) ?? []), unit])
  return [...levels]
    .sort(([one], [other]) => other - one)
    .map(([level, ofLevel]) => ({ level, units: ofLevel }))
}

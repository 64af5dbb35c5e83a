import { InvalidInputError } from '../errors/invalid-input-error.ts'
import { NotFoundError } from '../errors/not-found-error.ts'
import type { Memory, MemoryForm, MemoryStatus, MemoryType } from '../memories/memory.ts'
import type { Operation, OperationKind } from '../memories/operation.ts'
import type { MetadataFilter } from '../metadata/metadata-filter.ts'
import { readMetadataFilter } from '../metadata/read-filter.ts'
import { portraitVersions } from '../portrait/portrait-versions.ts'
import { buildPersonaSheet, type PersonaSheet } from '../persona/persona-sheet.ts'
import { describeValue } from '../errors/describe-value.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'
import { TurnReader } from '../work/read-memories.ts'
import type { ScopeKey } from '../scopes/scope.ts'

export interface MemoryFilter {
  /** Live ones when absent. */
  readonly statuses?: readonly MemoryStatus[]
  readonly forms?: readonly MemoryForm[]
  readonly types?: readonly MemoryType[]
  readonly session?: string
  readonly ids?: readonly string[]
  /** Live notes of these names. */
  readonly names?: readonly string[]
  /** Only memories whose metadata matches this filter. */
  readonly where?: MetadataFilter
  /** Only memories about this: `user`, `agent`, or a name. */
  readonly subject?: string
  /** Only facts of this persona key. */
  readonly key?: string
  readonly pinned?: boolean
  /** Only memories whose text holds this, in any case. To search by meaning, recall. */
  readonly contains?: string
  /** What was made last comes first. */
  readonly newestFirst?: boolean
  /** Only memories that come after this one in the list: where the page before ended. */
  readonly after?: string
  /** At most so many; all when absent. */
  readonly limit?: number
}

/** Which turns are listed. */
export interface TurnFilter {
  /** Only those of this very scope: of one that names no agent and app, none of those that its agents and apps see. */
  readonly own?: boolean
  readonly session?: string
  readonly ids?: readonly string[]
  /** Only turns whose metadata matches this filter. */
  readonly where?: MetadataFilter
  /** Only turns that came after this position of their scope. */
  readonly after?: number
  /** At most so many; all when absent. */
  readonly limit?: number
}

/** Which part of the log is listed. */
export interface LogFilter {
  /** Only operations after this place: {@link Remembered.logged}, or the `sequence` of the last one seen. */
  readonly after?: number
  /** Only operations before this place: with `newestFirst`, the `sequence` of the last one seen. */
  readonly before?: number
  readonly kinds?: readonly OperationKind[]
  /** What was done last comes first. */
  readonly newestFirst?: boolean
  /** At most so many; all when absent. */
  readonly limit?: number
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
  const { statuses = ['live'], subject, key, pinned, contains, ...rest } = filter
  requireLimit(filter.limit)
  const { owner, scopes } = resolved
  const query = { ...rest, where: readWhere(filter.where), owner, scopes, statuses }
  const read = async (page: Pick<MemoryFilter, 'after' | 'limit'>): Promise<Memory[]> => {
    const stored = await engine.store.memories({ ...query, ...page })
    return new TurnReader(engine, owner).withTexts(stored.map(({ memory }) => memory))
  }
  const told = { subject, key, pinned, contains }
  const isMeant = (memory: Memory): boolean => matchesTold(memory, told)
  if (Object.values(told).every((one) => one === undefined)) return read({})
  return filter.limit === undefined
    ? (await read({})).filter(isMeant)
    : readMatching(filter.limit, filter.after, read, isMeant)
}

/** What is looked at in memories rather than asked of the store. */
type Told = { readonly [Name in 'subject' | 'key' | 'pinned' | 'contains']: MemoryFilter[Name] | undefined }

function matchesTold(memory: Memory, { subject, key, pinned, contains }: Told): boolean {
  return (
    (subject === undefined || memory.subject === subject) &&
    (key === undefined || memory.key === key) &&
    (pinned === undefined || memory.pinned === pinned) &&
    (contains === undefined || fold(memory.text).includes(fold(contains)))
  )
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** Memories looked through at a time. */
const LOOKED_THROUGH = 500

/** As many of those that are meant as are asked for, read page by page. */
async function readMatching(
  limit: number,
  first: string | undefined,
  read: (page: { readonly after?: string; readonly limit: number }) => Promise<readonly Memory[]>,
  isMeant: (memory: Memory) => boolean,
): Promise<Memory[]> {
  const matching: Memory[] = []
  const size = Math.max(limit, LOOKED_THROUGH)
  for (let after = first; matching.length < limit;) {
    const page = await read({ limit: size, ...(after === undefined ? {} : { after }) })
    matching.push(...page.filter(isMeant))
    after = page.at(-1)?.id
    if (page.length < size) break
  }
  return matching.slice(0, limit)
}

/** Turns in order of arrival, each scope's by themselves. */
export async function listTurns(
  engine: Engine,
  resolved: ResolvedScope | null,
  key: ScopeKey,
  filter: TurnFilter,
): Promise<readonly Turn[]> {
  if (resolved === null) return []
  const { after: afterPosition, own = false, ...rest } = filter
  requireLimit(filter.limit)
  const { agent = null, app = null } = key
  const rows = own ? resolved.rows.filter((row) => row.agent === agent && row.app === app) : resolved.rows
  const scopes = rows.map(({ scope }) => scope)
  const { owner } = resolved
  return engine.store.turns({ ...rest, where: readWhere(filter.where), afterPosition, owner, scopes })
}

function readWhere(where: MetadataFilter | undefined): MetadataFilter | undefined {
  return where === undefined ? undefined : readMetadataFilter(where, 'where')
}

/** The log of these scopes, oldest first. */
export async function listOperations(
  engine: Engine,
  resolved: ResolvedScope | null,
  { after = 0, before, kinds, newestFirst, limit }: LogFilter,
): Promise<readonly Operation[]> {
  if (resolved === null) return []
  requireLimit(limit)
  const { owner, scopes } = resolved
  const place = { afterSequence: after, beforeSequence: before, newestFirst }
  return engine.store.operations({ owner, scopes, kinds, limit, ...place })
}

function requireLimit(limit: number | undefined): void {
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 0))
    throw new InvalidInputError(`limit must be a whole number from 0, but it is ${describeValue(limit)}.`)
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
  if (resolved === null) return { subjects: [] }
  const facts = await listMemories(engine, resolved, { forms: ['fact'] })
  const cache = await engine.caches.get(resolved.owner)
  const roundOf = (scope: number): number => cache.roundAt(scope, Number.POSITIVE_INFINITY)
  return buildPersonaSheet(facts, engine.preset.keyTable, { now: engine.now(), roundOf })
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

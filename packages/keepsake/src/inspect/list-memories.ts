import { InvalidInputError, describeValue, readTimeZone } from '@keepsake/text'
import { NotFoundError } from '../errors/errors.ts'
import type { Memory, MemoryForm, MemoryStatus, MemoryType } from '../memories/memory.ts'
import type { Operation, OperationKind } from '../memories/operation.ts'
import {
  type MetadataFilter,
  matchesMetadata,
  readMetadataFilter,
  inCategories,
} from '../metadata/metadata-filter.ts'
import { isInSpans, readSpan, type SpanFilters, type TimeSpan } from '../memories/time-span.ts'
import { portraitVersions } from '../portrait/compressor.ts'
import { buildPersonaSheet, type PersonaSheet } from '../persona/persona-sheet.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import type { MemoryQuery } from '../store/store.ts'
import { TurnReader, withTexts } from '../work/read-memories.ts'
import type { ScopeKey, ScopeRow } from '../scopes/scope.ts'

/** Selects and orders the memories of a list. An absent field does not narrow it. */
export interface MemoryFilter {
  /** Only those of this very scope: of one that names no agent and app, none of those that its agents and apps see. */
  readonly exactScope?: boolean
  /** Live ones when absent. */
  readonly statuses?: readonly MemoryStatus[]
  /**
   * When absent, a list of live memories shows statements: facts and notes, or all where the preset recalls no facts. `['utterance']` lists
   * messages. With `statuses`, `ids` or `names`, memories of every form are listed.
   */
  readonly forms?: readonly MemoryForm[]
  readonly types?: readonly MemoryType[]
  readonly session?: string
  readonly ids?: readonly string[]
  /** Live notes of these names. */
  readonly names?: readonly string[]
  /** Only memories whose metadata matches this filter. */
  readonly where?: MetadataFilter
  /** Only facts of these categories; see `openMemory({ categories })`. */
  readonly categories?: readonly string[]
  /** Only memories about this: `user`, `agent`, or a name. */
  readonly subject?: string
  /** Only facts of this persona key. */
  readonly key?: string
  readonly pinned?: boolean
  /** Only memories whose text contains this, ignoring case. Use recall to search by meaning. */
  readonly contains?: string
  /** Only memories that hold at this moment, milliseconds since 1970: those that are not over by it. */
  readonly validAt?: number
  /** Only what was said in this span, by the times of its turns. */
  readonly said?: TimeSpan
  /** Only what was so at some time in this span; of messages, those said in it. */
  readonly during?: TimeSpan
  /** The user's time zone, for plain days in spans; UTC when absent. */
  readonly timeZone?: string
  /** Only memories learned at this moment or after it, milliseconds since 1970. */
  readonly learnedFrom?: number
  /** Only memories learned at this moment or before it, milliseconds since 1970. */
  readonly learnedTo?: number
  /** In order of creation, or of the time learned (then by id). When absent: `learned` with `newestFirst`, else `made`. */
  readonly order?: 'made' | 'learned'
  /** The last of the order comes first. */
  readonly newestFirst?: boolean
  /** Only memories that come after this one in the list: where the page before ended. */
  readonly after?: string
  /** Number of results to skip. */
  readonly skip?: number
  /** Maximum number of results; all when absent. */
  readonly limit?: number
}

/** A memory filter without its page. */
export type CountFilter = Omit<MemoryFilter, 'order' | 'newestFirst' | 'after' | 'skip' | 'limit'>

export interface TurnFilter {
  /** Only those of this very scope: of one that names no agent and app, none of those that its agents and apps see. */
  readonly exactScope?: boolean
  readonly session?: string
  readonly ids?: readonly string[]
  /** Only turns whose metadata matches this filter. */
  readonly where?: MetadataFilter
  /** Only turns that came after this position of their scope. */
  readonly after?: number
  /** Maximum number of turns; all when absent. */
  readonly limit?: number
}

export interface LogFilter {
  /** Only operations after this place: {@link RememberResult.lastOperation}, or the `sequence` of the last one seen. */
  readonly after?: number
  /** Only operations before this place: with `newestFirst`, the `sequence` of the last one seen. */
  readonly before?: number
  readonly kinds?: readonly OperationKind[]
  readonly newestFirst?: boolean
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
  place: Place = {},
): Promise<Memory[]> {
  if (resolved === null) return []
  const { query, textFilter } = splitFilter(engine, resolved, filter, place)
  const read = async (page: Pick<MemoryFilter, 'after' | 'skip' | 'limit'>): Promise<Memory[]> => {
    const stored = await engine.store.listMemories({ ...query, ...page })
    return new TurnReader(engine, resolved.owner).withTexts(stored.map(({ memory }) => memory))
  }
  if (textFilter === null) return read({})
  const { turns } = await engine.users.load(resolved.owner)
  const isMeant = (memory: Memory): boolean => matchesText(memory, textFilter, turns)
  const { skip = 0, limit, after } = filter
  if (limit === undefined) return (await read({ skip: 0 })).filter(isMeant).slice(skip)
  const matching = await readMatching(skip + limit, after, (page) => read({ ...page, skip: 0 }), isMeant)
  return matching.slice(skip)
}

export async function countMemories(
  engine: Engine,
  resolved: ResolvedScope | null,
  filter: CountFilter,
  place: Place = {},
): Promise<number> {
  if (resolved === null) return 0
  const { query, textFilter } = splitFilter(engine, resolved, filter, place)
  const state = await engine.users.load(resolved.owner)
  const scopes = new Set(query.scopes)
  const memories = [...state.listMemories({ scopes, forms: query.forms, statuses: query.statuses })]
  const matching = memories.filter((memory) => matchesQuery(memory, query))
  if (textFilter === null) return matching.length
  return withTexts(state, matching).filter((memory) => matchesText(memory, textFilter, state.turns)).length
}

/** Whether a memory matches what is left of a query beside scopes, forms and statuses, as a store lists it. */
function matchesQuery(memory: Memory, query: MemoryQuery): boolean {
  const { ids, types, names, session, where, validAt, learnedFrom, learnedTo } = query
  const { id, type, name, status, validUntil, learnedAt, metadata } = memory
  return (
    ids?.includes(id) !== false &&
    types?.includes(type) !== false &&
    (names === undefined || (status === 'live' && name !== null && names.includes(name))) &&
    (session === undefined || memory.session === session) &&
    (where === undefined || matchesMetadata(where, metadata)) &&
    (validAt === undefined || validUntil === null || validUntil > validAt) &&
    (learnedFrom === undefined || learnedAt >= learnedFrom) &&
    (learnedTo === undefined || learnedAt <= learnedTo)
  )
}

/** Splits a filter into the store's part and the part checked in memory (`null` when empty). */
function splitFilter(
  { preset, filing }: Pick<Engine, 'preset' | 'filing'>,
  resolved: ResolvedScope,
  filter: MemoryFilter,
  place: Place,
): { readonly query: MemoryQuery; readonly textFilter: TextFilter | null } {
  const { exactScope: own = false, statuses = ['live'], ...named } = filter
  const { subject, key, pinned, contains, said, during, timeZone, ...rest } = named
  requireLimit(rest.limit)
  requireLimit(rest.skip, 'skip')
  const scopes = own ? ownScopes(resolved, place) : resolved.scopes
  const { forms = formsListed(preset, filter), order = rest.newestFirst === true ? 'learned' : 'made' } = rest
  const { categories, ...asked } = rest
  const where = inCategories(filing, readWhere(rest.where), categories)
  const query = { ...asked, order, forms, where, userId: resolved.owner, scopes, statuses }
  const zone = timeZone === undefined ? null : readTimeZone(timeZone, 'timeZone')
  const spans = {
    said: said === undefined ? null : readSpan(said, 'said', zone),
    during: during === undefined ? null : readSpan(during, 'during', zone),
  }
  const text = { subject, key, pinned, contains, ...spans }
  const isEmpty = Object.values(text).every((value) => value === undefined || value === null)
  return { query, textFilter: isEmpty ? null : text }
}

/** The forms that a list shows where it names none; all when `undefined`. */
function formsListed(
  { recalls }: Engine['preset'],
  { statuses, ids, names }: MemoryFilter,
): readonly MemoryForm[] | undefined {
  return recalls.includes('fact') && (statuses ?? ids ?? names) === undefined ? ['fact', 'note'] : undefined
}

/** The part of a key that selects a user's scopes. */
type Place = Pick<ScopeKey, 'agent' | 'app'>

/** The very scope that a key names, if there is any. */
function ownScopes({ rows }: ResolvedScope, { agent, app }: Place): readonly number[] {
  const isOwn = (row: ScopeRow): boolean => row.agent === (agent ?? null) && row.app === (app ?? null)
  return rows.filter(isOwn).map(({ scope }) => scope)
}

/** The part of a filter that is checked in memory. */
type TextFilter = SpanFilters & {
  readonly [Name in 'subject' | 'key' | 'pinned' | 'contains']: MemoryFilter[Name] | undefined
}

function matchesText(
  memory: Memory,
  filter: TextFilter,
  turns: ReadonlyMap<string, Pick<Turn, 'at'>>,
): boolean {
  const { subject, key, pinned, contains } = filter
  return (
    isInSpans(filter, memory, (turn) => turns.get(turn)?.at) &&
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

/** Reads the matching memories page by page, up to the limit. */
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

export async function listTurns(
  engine: Engine,
  resolved: ResolvedScope | null,
  key: ScopeKey,
  filter: TurnFilter,
): Promise<readonly Turn[]> {
  if (resolved === null) return []
  const { after: afterPosition, exactScope: own = false, ...rest } = filter
  requireLimit(filter.limit)
  const scopes = own ? ownScopes(resolved, key) : resolved.scopes
  const { owner } = resolved
  return engine.store.listTurns({
    ...rest,
    where: readWhere(filter.where),
    afterPosition,
    userId: owner,
    scopes,
  })
}

function readWhere(where: MetadataFilter | undefined): MetadataFilter | undefined {
  return where === undefined ? undefined : readMetadataFilter(where, 'where')
}

export async function listOperations(
  engine: Engine,
  resolved: ResolvedScope | null,
  { after = 0, before, kinds, newestFirst, limit }: LogFilter,
): Promise<readonly Operation[]> {
  if (resolved === null) return []
  requireLimit(limit)
  const { owner, scopes } = resolved
  const bounds = { afterSequence: after, beforeSequence: before, newestFirst }
  return engine.store.listOperations({ userId: owner, scopes, kinds, limit, ...bounds })
}

function requireLimit(limit: number | undefined, name = 'limit'): void {
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 0))
    throw new InvalidInputError(`${name} must be a whole number from 0, but it is ${describeValue(limit)}.`)
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
      : await engine.store.listMemories({ userId: resolved.owner, scopes: resolved.scopes, ids: [id] })
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
  return engine.store.listOperations({ userId: resolved.owner, scopes: resolved.scopes, memory: id })
}

export async function readPersona(engine: Engine, resolved: ResolvedScope | null): Promise<PersonaSheet> {
  if (resolved === null) return { subjects: [] }
  const facts = await listMemories(engine, resolved, { forms: ['fact'] })
  const state = await engine.users.load(resolved.owner)
  const roundOf = (scope: number): number => state.roundAt(scope, Number.POSITIVE_INFINITY)
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
  return [...levels].sort(([a], [b]) => b - a).map(([level, ofLevel]) => ({ level, units: ofLevel }))
}

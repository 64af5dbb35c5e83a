import { InvalidInputError, describeValue, readTimeZone } from '@keepsake/text'
import { NotFoundError } from '../errors/errors.ts'
import type { Memory, MemoryForm, MemoryStatus, MemoryType } from '../memories/memory.ts'
import { isRequestNote } from '../memories/kept-request.ts'
import type { Operation, OperationKind } from '../memories/operation.ts'
import {
  type MetadataFilter,
  matchesMetadata,
  readMetadataFilter,
  inCategories,
} from '../metadata/metadata-filter.ts'
import { isInSpans, readSpan, type TimeSpan } from '../memories/time-span.ts'
import type { SessionRow } from '../store/store.ts'
import { portraitVersions } from '../portrait/compressor.ts'
import { buildPersonaSheet, type PersonaSheet } from '../persona/persona-sheet.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import type { UserState } from '../user-state/user-state.ts'
import { textOf, withTextsAndUsage } from '../work/read-memories.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { ScopeKey } from '../scopes/scope.ts'

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

/** A filter for turns. */
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

/** A filter for the log. */
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
  const { skip = 0, limit } = filter
  requireLimit(limit)
  requireLimit(skip, 'skip')
  const most = limit === undefined ? Number.POSITIVE_INFINITY : skip + limit
  const matching = await findMatching(engine, resolved, filter, { place, most })
  return withTextsAndUsage(engine, resolved.owner, matching.slice(skip, most))
}

/** Items looked through at a time. */
const LOOKED_THROUGH = 500

/** The memories that match a filter, in its order, from the one after which it begins; about as many as are wanted. */
async function findMatching(
  engine: Engine,
  resolved: ResolvedScope,
  filter: MemoryFilter,
  { place, most = Number.POSITIVE_INFINITY }: { readonly place: Place; readonly most?: number },
): Promise<Memory[]> {
  const { after, newestFirst = false, order = newestFirst ? 'learned' : 'made' } = filter
  const state = await engine.users.load(resolved.owner)
  const memories = [...state.memories.values()]
  if (order === 'learned') memories.sort(compareLearned)
  if (newestFirst) memories.reverse()
  const start = after === undefined ? 0 : memories.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && start === 0) return []
  const isMatching = matcherOf(engine, resolved, { state, filter, place })
  return filterInPieces(memories.slice(start), isMatching, most)
}

/** The first items that match, about as many as are wanted. Other calls go on between pieces. */
async function filterInPieces<Item>(
  items: readonly Item[],
  isMatching: (item: Item) => boolean,
  most = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const matching: Item[] = []
  for (let from = 0; from < items.length && matching.length < most; from += LOOKED_THROUGH) {
    matching.push(...items.slice(from, from + LOOKED_THROUGH).filter(isMatching))
    await yieldToEventLoop()
  }
  return matching
}

function compareLearned(first: Memory, second: Memory): number {
  return first.learnedAt - second.learnedAt || (first.id < second.id ? -1 : 1)
}

export async function countMemories(
  engine: Engine,
  resolved: ResolvedScope | null,
  filter: CountFilter,
  place: Place = {},
): Promise<number> {
  return resolved === null ? 0 : (await findMatching(engine, resolved, filter, { place })).length
}

/** Reads a filter into a test of one memory. @throws InvalidInputError */
function matcherOf(
  { preset, filing }: Pick<Engine, 'preset' | 'filing'>,
  resolved: ResolvedScope,
  {
    state,
    filter,
    place,
  }: { readonly state: UserState; readonly filter: MemoryFilter; readonly place: Place },
): (memory: Memory) => boolean {
  const { statuses = ['live'], forms = formsListed(preset, filter), types, session, names } = filter
  const { categories, subject, key, pinned, contains, validAt, learnedFrom, learnedTo, timeZone } = filter
  const scopes = scopesListed(resolved, filter, place)
  const ids = filter.ids && new Set(filter.ids)
  const words = contains && fold(contains)
  const where = inCategories(filing, readWhere(filter.where), categories)
  // A request that waits is no statement about the user. `pendingRequests()` lists it.
  const showsRequests = (filter.statuses ?? filter.ids) !== undefined
  const zone = timeZone === undefined ? null : readTimeZone(timeZone, 'timeZone')
  const spans = {
    said: filter.said === undefined ? null : readSpan(filter.said, 'said', zone),
    during: filter.during === undefined ? null : readSpan(filter.during, 'during', zone),
  }
  return (memory) =>
    scopes.includes(memory.scope) &&
    statuses.includes(memory.status) &&
    forms?.includes(memory.form) !== false &&
    types?.includes(memory.type) !== false &&
    ids?.has(memory.id) !== false &&
    (showsRequests || !isRequestNote(memory)) &&
    (names === undefined || (memory.status === 'live' && names.includes(memory.name ?? ''))) &&
    (session === undefined || memory.session === session) &&
    (where === undefined || matchesMetadata(where, memory.metadata)) &&
    (validAt === undefined || memory.validUntil === null || memory.validUntil > validAt) &&
    (learnedFrom === undefined || memory.learnedAt >= learnedFrom) &&
    (learnedTo === undefined || memory.learnedAt <= learnedTo) &&
    isInSpans(spans, memory, (turn) => state.turns.get(turn)?.at) &&
    (subject === undefined || memory.subject === subject) &&
    (key === undefined || memory.key === key) &&
    (pinned === undefined || memory.pinned === pinned) &&
    (words === undefined || fold(textOf(state, memory)).includes(words))
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

/** The scopes that a list shows: with `exactScope` the very one that a key names, if there is any. */
function scopesListed(
  { rows, scopes }: ResolvedScope,
  { exactScope = false }: Pick<MemoryFilter, 'exactScope'>,
  { agent, app }: Place,
): readonly number[] {
  if (!exactScope) return scopes
  return rows
    .filter((row) => row.agent === (agent ?? null) && row.app === (app ?? null))
    .map(({ scope }) => scope)
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

export async function listTurns(
  engine: Engine,
  resolved: ResolvedScope | null,
  key: ScopeKey,
  filter: TurnFilter,
): Promise<readonly Turn[]> {
  if (resolved === null) return []
  const { after = 0, limit, session } = filter
  requireLimit(limit)
  const ids = filter.ids && new Set(filter.ids)
  const where = readWhere(filter.where)
  const state = await engine.users.load(resolved.owner)
  const turns = scopesListed(resolved, filter, key).flatMap((scope) => state.turnsAfter(scope, after))
  const isMatching = (turn: Turn): boolean =>
    (session === undefined || turn.session === session) &&
    ids?.has(turn.id) !== false &&
    (where === undefined || matchesMetadata(where, turn.metadata))
  return (await filterInPieces(turns, isMatching, limit)).slice(0, limit)
}

/** Sessions in order of scope and number. */
export async function listSessions(engine: Engine, resolved: ResolvedScope | null): Promise<SessionRow[]> {
  const state = resolved && (await engine.users.load(resolved.owner))
  return resolved?.scopes.flatMap((scope) => state?.sessions(scope) ?? []) ?? []
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
  const memory = resolved && (await engine.users.load(resolved.owner)).memories.get(id)
  if (!memory || !resolved?.scopes.includes(memory.scope)) throw new NotFoundError('memory', id)
  const [whole] = await withTextsAndUsage(engine, resolved.owner, [memory])
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

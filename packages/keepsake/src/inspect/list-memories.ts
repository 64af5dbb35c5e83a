// Lists memories and the operations on them.
import { readTimeZone } from '@keepsake/text'
import { NotFoundError } from '../errors/errors.ts'
import type { Memory, MemoryForm, MemoryStatus, MemoryType } from '../memories/memory.ts'
import { isRequestNote } from '../memories/kept-request.ts'
import type { Operation, OperationKind } from '../memories/operation.ts'
import { type MetadataFilter, matchesMetadata, inCategories } from '../metadata/metadata-filter.ts'
import { isInSpans, readSpan, type TimeSpan } from '../memories/time-span.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import type { UserState } from '../user-state/user-state.ts'
import { textOf, withTextsAndUsage } from '../work/read-memories.ts'
import { filterInBatches, readWhere, requireLimit, selectScopes, type Place } from './filter-parts.ts'

/** Selects and orders the memories of a list. A field that is absent does not filter. */
export interface MemoryFilter {
  /** Only memories of exactly this scope. Without it, a scope without agent and app shows those of all agents and apps. */
  readonly exactScope?: boolean
  /** Only memories with one of these statuses; live memories when absent. */
  readonly statuses?: readonly MemoryStatus[]
  /** Forms to list, such as `['utterance']` for messages. Default: facts and notes; all with `statuses`, `ids` or `names`. */
  readonly forms?: readonly MemoryForm[]
  readonly types?: readonly MemoryType[]
  readonly session?: string
  readonly ids?: readonly string[]
  /** Only live notes with these names. */
  readonly names?: readonly string[]
  /** Only memories whose metadata matches this filter. */
  readonly where?: MetadataFilter
  /** Only facts of these categories; see `openMemory({ categories })`. */
  readonly categories?: readonly string[]
  /** Only memories about this subject: `user`, `agent`, or a name. */
  readonly subject?: string
  /** Only facts of this persona key. */
  readonly key?: string
  readonly pinned?: boolean
  /** Only memories whose text contains this, ignoring case. Use recall to search by meaning. */
  readonly contains?: string
  /** Only memories that have not ended by this moment, milliseconds since 1970. */
  readonly validAt?: number
  /** Only memories that were said in this span, by the times of their turns. */
  readonly said?: TimeSpan
  /** Only memories that held at some time in this span, and messages that were said in it. */
  readonly during?: TimeSpan
  /** The user's time zone, for plain days in spans; UTC when absent. */
  readonly timeZone?: string
  /** Only memories learned at this moment or after it, milliseconds since 1970. */
  readonly learnedFrom?: number
  /** Only memories learned at this moment or before it, milliseconds since 1970. */
  readonly learnedTo?: number
  /** `made`: in order of creation. `learned`: by the time learned, then by id. The default with `newestFirst` is `learned`, otherwise `made`. */
  readonly order?: 'made' | 'learned'
  /** Reverses the order. */
  readonly newestFirst?: boolean
  /** Only memories after the one with this id, which is the last of the page before. */
  readonly after?: string
  /** Number of results to skip. */
  readonly skip?: number
  /** Maximum number of results; all when absent. */
  readonly limit?: number
}

/** A memory filter without order and page. */
export type CountFilter = Omit<MemoryFilter, 'order' | 'newestFirst' | 'after' | 'skip' | 'limit'>

/** A filter for the log. */
export interface LogFilter {
  /** Only operations after this sequence: that of the last page, or {@link RememberResult.lastOperation}. */
  readonly after?: number
  /** Only operations before this sequence. With `newestFirst`, give the last sequence of the page before. */
  readonly before?: number
  readonly kinds?: readonly OperationKind[]
  readonly newestFirst?: boolean
  readonly limit?: number
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
  const end = limit === undefined ? Number.POSITIVE_INFINITY : skip + limit
  const matching = await findMatching(engine, resolved, filter, { place, minCount: end })
  return withTextsAndUsage(engine, resolved.owner, matching.slice(skip, end))
}

/** Finds the memories that match a filter, in its order. Stops once at least `minCount` are found. */
async function findMatching(
  engine: Engine,
  resolved: ResolvedScope,
  filter: MemoryFilter,
  { place, minCount }: { readonly place: Place; readonly minCount?: number },
): Promise<Memory[]> {
  const { after, newestFirst = false, order = newestFirst ? 'learned' : 'made' } = filter
  const state = await engine.users.load(resolved.owner)
  const memories = [...state.memories.values()]
  if (order === 'learned') memories.sort(compareLearned)
  if (newestFirst) memories.reverse()
  const start = after === undefined ? 0 : memories.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && start === 0) return []
  const isMatching = makeMatcher(engine, resolved, { state, filter, place })
  return filterInBatches(memories.slice(start), isMatching, minCount)
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

/** Checks a filter and returns a function that tests one memory. @throws InvalidInputError */
function makeMatcher(
  { preset, filing }: Pick<Engine, 'preset' | 'filing'>,
  resolved: ResolvedScope,
  {
    state,
    filter,
    place,
  }: { readonly state: UserState; readonly filter: MemoryFilter; readonly place: Place },
): (memory: Memory) => boolean {
  const { statuses = ['live'], forms = defaultForms(preset, filter), types, session, names } = filter
  const { categories, subject, key, pinned, contains, validAt, learnedFrom, learnedTo, timeZone } = filter
  const scopes = selectScopes(resolved, filter, place)
  const ids = filter.ids && new Set(filter.ids)
  const words = contains && fold(contains)
  const where = inCategories(filing, readWhere(filter.where), categories)
  // Requests that wait for a confirmation are stored as notes, but say nothing about the user. `pendingRequests()` lists them.
  const showsRequests = filter.ids !== undefined || statuses.some((status) => status !== 'live')
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

/** Returns the forms that a list without `forms` shows; `undefined` for all forms. */
function defaultForms(
  { recalls }: Engine['preset'],
  { statuses, ids, names }: MemoryFilter,
): readonly MemoryForm[] | undefined {
  const listsAllForms = !recalls.includes('fact') || (statuses ?? ids ?? names) !== undefined
  return listsAllForms ? undefined : ['fact', 'note']
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
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

/** Finds a memory of the resolved scopes by id, with its text and usage. @throws NotFoundError */
export async function requireMemory(
  engine: Engine,
  resolved: ResolvedScope | null,
  id: string,
): Promise<Memory> {
  const memory = resolved && (await engine.users.load(resolved.owner)).memories.get(id)
  if (!memory || !resolved?.scopes.includes(memory.scope)) throw new NotFoundError('memory', id)
  const [withText] = await withTextsAndUsage(engine, resolved.owner, [memory])
  return withText ?? memory
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

import type { ServerDeps, ServerRequest } from '@keepsake/server'
import type { CountFilter, Memory, MemoryFilter, MetadataFilter, ScopeKey, ScopeRow } from 'keepsake'
import { z } from 'zod'
import { ENTITIES } from './add-memories.ts'
import { removeIfLive } from './find-memory.ts'
import { given } from './given.ts'
import { keyOf, noteIds, personOf, runOf, sessionOf, shownForms, type Mem0Door } from './mem0-names.ts'
import { isoTime, presentMemory, publicId, type Mem0Memory } from './present-memory.ts'
import { asPage, partOf, readJsonBody, readPage, readQuery, wholeNumber, type Part } from './read-body.ts'
import { fieldOf } from './read-filters.ts'
import {
  entityFilter,
  ifGiven,
  limit,
  LOOKUP,
  MOST_RESULTS,
  readFilter,
  readOver,
  time,
} from './search-memories.ts'
import {
  pushedDown,
  scopeIfMeant,
  selectPeople,
  type SelectedPerson,
  type SelectedScope,
} from './select-people.ts'

const DEFAULT_RESULTS = 100

const listSchema = z.strictObject({
  ...LOOKUP,
  page: limit.nullish(),
  page_size: limit.nullish(),
  start_date: time,
  end_date: time,
})

/** `POST /v3/memories/`: all that filters mean, in pages, newest first. Pages may stand in the body or in the query. */
export async function answerList(door: Mem0Door, c: ServerRequest): Promise<object> {
  const asked = readPage(c)
  const body = await readJsonBody(c, listSchema)
  const filter: MetadataFilter = {
    all: [
      readFilter(body, 'hosted'),
      ...ifGiven(body.start_date).map((at) => ({ path: 'created_at', atLeast: isoTime(at) })),
      ...ifGiven(body.end_date).map((at) => ({ path: 'created_at', atMost: isoTime(at) })),
    ],
  }
  const list = new MeantMemories(door.deps, await selectPeople(door, c, filter, 'read'), readOver(body))
  const { page = body.page, pageSize = body.page_size } = asked
  const place = { page, pageSize }
  const { count, results } = await list.part(partOf(place))
  return asPage(c, place, { count, results: await showAll(door, results) })
}

const selfHostedSchema = z.strictObject({
  ...ENTITIES,
  top_k: wholeNumber(MOST_RESULTS).optional(),
  limit: wholeNumber(MOST_RESULTS).optional(),
})

/** `GET /memories` of the self-hosted server: names in the query, no pages. */
export async function answerSelfHostedList(door: Mem0Door, c: ServerRequest): Promise<object> {
  const { top_k, limit, ...names } = readQuery(c, selfHostedSchema)
  const people = await selectPeople(door, c, entityFilter(names), 'read')
  const size = top_k ?? limit ?? DEFAULT_RESULTS
  const { results } = await new MeantMemories(door.deps, people, false).part({ start: 0, size })
  return { results: await showAll(door, results) }
}

/**
 * Deletes all memories of the named entities, and what of their messages is no memory yet. History keeps them; erasing for
 * good is what deleting the entity does.
 *
 * @throws Problem 400 when none is named.
 */
export async function deleteAll(door: Mem0Door, c: ServerRequest): Promise<object> {
  const { keepsake } = door.deps
  const entities = readQuery(c, z.strictObject(ENTITIES))
  const people = await selectPeople(door, c, entityFilter(entities), 'write')
  // A message that waits for its answer would still be found, and become a memory later.
  for (const { scopes } of people)
    for (const { row } of scopes) await closeSessions(door, row, entities.run_id)
  for await (const { memory, row } of new MeantMemories(door.deps, people, true).each())
    await removeIfLive(keepsake.scope(personOf(row)), memory.id)
  return { message: 'Memories deleted successfully!' }
}

async function closeSessions({ deps }: Mem0Door, row: ScopeRow, run: string | null): Promise<void> {
  const scope = deps.keepsake.scope(keyOf(row))
  const isMeant = (id: string): boolean => run === null || run === '*' || id === sessionOf(run)
  const open = (await scope.sessions()).filter(({ endedAt, id }) => endedAt === null && isMeant(id))
  for (const { id } of open) await scope.endSession(id)
  if (open.length > 0) await scope.drain()
}

/** Shows memories, and notes whose they are, so that an id alone finds them afterwards. */
async function showAll({ deps }: Mem0Door, listed: readonly ListedMemory[]): Promise<readonly Mem0Memory[]> {
  for (const { memory, row } of listed) await noteIds(deps.keepsake.records, row, [publicId(memory)])
  return listed.map(({ memory, row }) => presentMemory(memory, row))
}

/** A memory that a filter means, and its scope. */
interface ListedMemory {
  readonly memory: Memory
  readonly row: ScopeRow
}

/** A list of the store, and whom it is of. */
interface ListOfPerson extends StoreList {
  readonly selected: SelectedPerson
}

/** Memories read at a time where it has to be looked into each. */
const LOOKED_THROUGH = 200

/**
 * All live memories that a filter means, newest first. No more of them than a page is in hand: of one list that the store can be
 * asked for as it is, a page is read and the rest counted there; several are read in step, and what the store cannot ask is looked
 * through.
 */
class MeantMemories {
  readonly #deps: ServerDeps
  readonly #lists: readonly ListOfPerson[]

  /** @param over those too that are no longer so */
  constructor(deps: ServerDeps, people: readonly SelectedPerson[], over: boolean) {
    this.#deps = deps
    const more = given({ forms: shownForms(deps), holdsAt: over ? undefined : deps.now() })
    this.#lists = people.flatMap((selected) =>
      storeLists(selected).map((list) => ({ ...list, selected, filter: { ...list.filter, ...more } })),
    )
  }

  /** So many from a place on, and how many there are in all. */
  async part({ start, size }: Part): Promise<{ readonly count: number; readonly results: ListedMemory[] }> {
    const [only, ...others] = this.#lists
    const isExact = this.#lists.every((list) => list.isExact)
    if (only !== undefined && others.length === 0 && isExact) {
      const results = await this.#read(only, { skip: start, limit: size })
      return { count: await this.#count(), results: results.flatMap((one) => meantOf(only, one)) }
    }
    const results: ListedMemory[] = []
    let seen = 0
    for await (const listed of this.#newestFirst()) {
      if (isExact && seen === start + size) break
      if (seen >= start && seen < start + size) results.push(listed)
      seen += 1
    }
    return { count: isExact ? await this.#count() : seen, results }
  }

  /** One after another, person by person; some may be removed meanwhile. */
  async *each(): AsyncGenerator<ListedMemory, void> {
    for (const list of this.#lists) yield* this.#eachOf(list)
  }

  async *#newestFirst(): AsyncGenerator<ListedMemory, void> {
    const readers = this.#lists.map((list) => this.#eachOf(list))
    const heads = await Promise.all(readers.map(async (reader) => nextOf(reader)))
    for (;;) {
      const newest = heads.reduce((best, head, at) => (isNewer(head, heads[best]) ? at : best), 0)
      const [head, reader] = [heads[newest], readers[newest]]
      if (head === undefined || head === null || reader === undefined) return
      yield head
      heads[newest] = await nextOf(reader)
    }
  }

  async *#eachOf(list: ListOfPerson): AsyncGenerator<ListedMemory, void> {
    for (let after: string | undefined; ;) {
      const read = await this.#read(list, { ...given({ after }), limit: LOOKED_THROUGH })
      for (const memory of read) yield* meantOf(list, memory)
      after = read.at(-1)?.id
      if (read.length < LOOKED_THROUGH) return
    }
  }

  #read({ key, filter }: StoreList, page: MemoryFilter): Promise<readonly Memory[]> {
    return this.#deps.keepsake
      .scope(key)
      .memories({ order: 'learned', newestFirst: true, ...filter, ...page })
  }

  async #count(): Promise<number> {
    let count = 0
    for (const { key, filter } of this.#lists)
      count += await this.#deps.keepsake.scope(key).countMemories(filter)
    return count
  }
}

function meantOf({ selected }: ListOfPerson, memory: Memory): ListedMemory[] {
  const row = scopeIfMeant(selected, memory)
  return row === null ? [] : [{ memory, row }]
}

async function nextOf(reader: AsyncGenerator<ListedMemory, void>): Promise<ListedMemory | null> {
  const { value } = await reader.next()
  return value ?? null
}

/** Whether a memory comes before another in a list: what was learned later, of equal ones that of the greater id. */
function isNewer(one: ListedMemory | null, other: ListedMemory | null | undefined): boolean {
  if (one === null || other === null || other === undefined) return one !== null
  const [mine, theirs] = [one.memory, other.memory]
  return mine.learnedAt === theirs.learnedAt ? mine.id > theirs.id : mine.learnedAt > theirs.learnedAt
}

/** A list that the store is asked for, of one person or one of their scopes. */
interface StoreList {
  readonly key: ScopeKey
  readonly filter: CountFilter
  /** Whether all that the store finds is meant. */
  readonly isExact: boolean
}

/** What the store is asked of a person: all at once where one question means all of their scopes, otherwise scope by scope. */
function storeLists({ scopes, key, isWhole }: SelectedPerson): readonly StoreList[] {
  const [first] = scopes
  const isOne = scopes.every(({ left }) => JSON.stringify(left) === JSON.stringify(first?.left))
  if (first !== undefined && isWhole && isOne) return [{ key, ...askOfStore(first.left) }]
  return scopes.map(ofScope)
}

function ofScope({ row, left }: SelectedScope): StoreList {
  const { filter, isExact } = askOfStore(left)
  return { key: keyOf(row), filter: { ...filter, own: true }, isExact }
}

/** What of a filter the store can be asked. */
interface Asked {
  readonly run?: string
  readonly from?: number
  readonly to?: number
  /** Conditions on what is kept with memories. */
  readonly kept: readonly MetadataFilter[]
  readonly isExact: boolean
}

/** What a filter asks of the store: of conditions that all have to hold, those that it knows. */
function askOfStore(left: true | MetadataFilter): Pick<StoreList, 'filter' | 'isExact'> {
  let asked: Asked = { kept: [], isExact: true }
  for (const condition of left === true ? [] : conditionsOf(left))
    asked = askRun(asked, condition) ?? askTime(asked, condition) ?? askKept(asked, condition)
  const { run, from: learnedFrom, to: learnedTo, kept, isExact } = asked
  const session = run === undefined ? undefined : sessionOf(run)
  const where = kept.length === 0 ? undefined : (pushedDown({ all: kept }) ?? undefined)
  return { filter: given({ session, learnedFrom, learnedTo, where }), isExact }
}

function conditionsOf(filter: MetadataFilter): readonly MetadataFilter[] {
  return 'all' in filter ? filter.all.flatMap(conditionsOf) : [filter]
}

/** A run is a session, but for names that the engine gives. */
function askRun(asked: Asked, condition: MetadataFilter): Asked | null {
  if (asked.run !== undefined || !('path' in condition) || fieldOf(condition.path) !== 'run_id') return null
  const { path: _, in: among, ...others } = condition
  const [run, ...more] = new Set((among ?? []).map(String))
  const isThatAlone = run !== undefined && more.length === 0 && Object.keys(others).length === 0
  return isThatAlone && runOf(sessionOf(run)) === run ? { ...asked, run } : null
}

/** When it was made known, from a moment on or until one. */
function askTime(asked: Asked, condition: MetadataFilter): Asked | null {
  if (!('path' in condition) || fieldOf(condition.path) !== 'created_at') return null
  const { path: _, atLeast, atMost, ...others } = condition
  if (Object.keys(others).length > 0) return null
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, ...rest } = asked
  const times = { from: Math.max(from, momentOf(atLeast) ?? from), to: Math.min(to, momentOf(atMost) ?? to) }
  if (Number.isNaN(times.from) || Number.isNaN(times.to)) return null
  return { ...rest, ...Object.fromEntries(Object.entries(times).filter(([, at]) => Number.isFinite(at))) }
}

/** NaN for what is no moment as moments are shown. */
function momentOf(value: string | number | undefined): number | undefined {
  if (value === undefined) return undefined
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) || isoTime(at) !== value ? Number.NaN : at
}

function askKept(asked: Asked, condition: MetadataFilter): Asked {
  const kept = [...asked.kept, condition]
  return pushedDown({ all: kept }) === null ? { ...asked, isExact: false } : { ...asked, kept }
}

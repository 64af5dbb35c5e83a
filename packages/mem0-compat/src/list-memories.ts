import type { ServerDeps, ServerRequest } from '@keepsake/server'
import { given } from '@keepsake/text/names'
import type { CountFilter, Memory, MemoryFilter, MemoryForm, MetadataFilter, ScopeRow } from 'keepsake'
import { z } from 'zod'
import { ENTITIES } from './add-memories.ts'
import { removeIfLive } from './find-memory.ts'
import {
  keyOf,
  listedForms,
  recordIds,
  personOf,
  recalledForms,
  sessionOf,
  type Mem0Context,
} from './mem0-names.ts'
import { isoTime, presentMemory, publicId, type Mem0Memory } from './present-memory.ts'
import { asPage, partOf, readJsonBody, readPage, readQuery, wholeNumber, type Part } from './read-body.ts'
import {
  entityFilter,
  ifGiven,
  limit,
  lookupFields,
  MAX_RESULTS,
  readBodyFilter,
  includesExpired,
  time,
} from './search-memories.ts'
import { scopeIfMatching, selectPeople, type SelectedPerson } from './select-people.ts'

const DEFAULT_RESULTS = 100

const listSchema = z.strictObject({
  ...lookupFields,
  page: limit.nullish(),
  page_size: limit.nullish(),
  start_date: time,
  end_date: time,
})

/** Answers `POST /v3/memories/`: all matching memories in pages, newest first. The page may be in the body or the query. */
export async function answerList(context: Mem0Context, c: ServerRequest): Promise<object> {
  const queryPage = readPage(c)
  const body = await readJsonBody(c, listSchema)
  const filter: MetadataFilter = {
    all: [
      readBodyFilter(body, 'hosted'),
      ...ifGiven(body.start_date).map((at) => ({ path: 'created_at', atLeast: isoTime(at) })),
      ...ifGiven(body.end_date).map((at) => ({ path: 'created_at', atMost: isoTime(at) })),
    ],
  }
  // Messages are listed only when a filter names a form of memory.
  const isOfForm = JSON.stringify(filter).includes('"memory_type"')
  const forms = isOfForm ? recalledForms(context.deps) : listedForms(context.deps)
  const people = await selectPeople(context, c, filter, 'read')
  const list = new MatchingMemories(context.deps, people, { includeExpired: includesExpired(body), forms })
  const { page = body.page, pageSize = body.page_size } = queryPage
  const pageRequest = { page, pageSize }
  const { count, results } = await list.part(partOf(pageRequest))
  return asPage(c, pageRequest, { count, results: await presentAll(context, results) })
}

const selfHostedSchema = z.strictObject({
  ...ENTITIES,
  top_k: wholeNumber(MAX_RESULTS).optional(),
  limit: wholeNumber(MAX_RESULTS).optional(),
})

/** Answers `GET /memories` of the self-hosted server. Its query contains entity names, and it has no pages. */
export async function answerSelfHostedList(context: Mem0Context, c: ServerRequest): Promise<object> {
  const { top_k, limit, ...names } = readQuery(c, selfHostedSchema)
  const part = { start: 0, size: top_k ?? limit ?? DEFAULT_RESULTS }
  const { results } = await listByEntities(context, c, names, part)
  return { results }
}

const olderSchema = z.strictObject({
  ...ENTITIES,
  page: wholeNumber(1_000_000).optional(),
  page_size: wholeNumber(MAX_RESULTS).optional(),
})

/** Answers `GET /v1/memories/` of clients before version 2: a page if the query has one, else a plain list. */
export async function answerOlderList(context: Mem0Context, c: ServerRequest): Promise<object> {
  const { page, page_size: pageSize, ...names } = readQuery(c, olderSchema)
  const pageRequest = { page, pageSize }
  const { count, results } = await listByEntities(context, c, names, partOf(pageRequest))
  return page === undefined && pageSize === undefined ? results : asPage(c, pageRequest, { count, results })
}

async function listByEntities(
  context: Mem0Context,
  c: ServerRequest,
  names: Parameters<typeof entityFilter>[0],
  part: ReturnType<typeof partOf>,
): Promise<{ readonly count: number; readonly results: readonly Mem0Memory[] }> {
  const people = await selectPeople(context, c, entityFilter(names), 'read')
  const list = new MatchingMemories(context.deps, people, {
    includeExpired: false,
    forms: listedForms(context.deps),
  })
  const { count, results } = await list.part(part)
  return { count, results: await presentAll(context, results) }
}

/** Deletes the named entities' memories and waiting messages. The history still has them. @throws Problem 400 without an entity */
export async function deleteAll(context: Mem0Context, c: ServerRequest): Promise<object> {
  const { keepsake } = context.deps
  const entities = readQuery(c, z.strictObject(ENTITIES))
  const people = await selectPeople(context, c, entityFilter(entities), 'write')
  // Ends the sessions first. Otherwise a message that waits for extraction would become a memory later.
  for (const { scopes } of people)
    for (const { row } of scopes) await closeSessions(context, row, entities.run_id)
  for await (const { memory, row } of new MatchingMemories(context.deps, people, {
    includeExpired: true,
  }).each())
    await removeIfLive(keepsake.scope(personOf(row)), memory.id)
  return { message: 'Memories deleted successfully!' }
}

async function closeSessions({ deps }: Mem0Context, row: ScopeRow, run: string | null): Promise<void> {
  const scope = deps.keepsake.scope(keyOf(row))
  const matches = (id: string): boolean => run === null || run === '*' || id === sessionOf(run)
  const open = (await scope.sessions()).filter(({ endedAt, id }) => endedAt === null && matches(id))
  for (const { id } of open) await scope.endSession(id)
  if (open.length > 0) await scope.drain()
}

/** Formats memories, and records their users, so that later requests find them by id. */
async function presentAll(
  { deps }: Mem0Context,
  listed: readonly ListedMemory[],
): Promise<readonly Mem0Memory[]> {
  for (const { memory, row } of listed) await recordIds(deps.keepsake.records, row, [publicId(memory)])
  return listed.map(({ memory, row }) => presentMemory(memory, row))
}

interface ListedMemory {
  readonly memory: Memory
  readonly row: ScopeRow
}

interface UserList {
  readonly selected: SelectedPerson
  readonly filter: CountFilter
}

const BATCH = 200

/** Lists live memories that a filter matches, newest first. The store selects and counts where it can apply the filter. */
class MatchingMemories {
  readonly #deps: ServerDeps
  readonly #lists: readonly UserList[]

  constructor(
    deps: ServerDeps,
    people: readonly SelectedPerson[],
    {
      includeExpired,
      forms = recalledForms(deps),
    }: { readonly includeExpired: boolean; readonly forms?: readonly MemoryForm[] },
  ) {
    this.#deps = deps
    const more = given({ forms, validAt: includeExpired ? undefined : deps.now() })
    this.#lists = people.map((selected) => ({
      selected,
      filter: { ...given({ where: selected.where ?? undefined }), ...more },
    }))
  }

  /** Reads `size` memories from `start` on, and counts all. */
  async part({ start, size }: Part): Promise<{ readonly count: number; readonly results: ListedMemory[] }> {
    const isExact = this.#lists.every(({ selected }) => selected.isExact)
    const isSingleUser = this.#lists.length === 1
    if (!isExact) {
      const all = (await Array.fromAsync(this.each())).toSorted(newestFirst)
      return { count: all.length, results: all.slice(start, start + size) }
    }
    const page = isSingleUser ? { skip: start, limit: size } : { limit: start + size }
    const listed: ListedMemory[] = []
    for (const list of this.#lists)
      for (const memory of await this.#read(list, page)) listed.push(...asListed(list, memory))
    const results = isSingleUser ? listed : listed.toSorted(newestFirst).slice(start, start + size)
    return { count: await this.#count(), results }
  }

  /** Iterates over all memories, user by user. The caller may remove them meanwhile. */
  async *each(): AsyncGenerator<ListedMemory, void> {
    for (const list of this.#lists) yield* this.#eachOfUser(list)
  }

  async *#eachOfUser(list: UserList): AsyncGenerator<ListedMemory, void> {
    for (let after: string | undefined; ;) {
      const read = await this.#read(list, { ...given({ after }), limit: BATCH })
      for (const memory of read) yield* asListed(list, memory)
      after = read.at(-1)?.id
      if (read.length < BATCH) return
    }
  }

  #read({ selected, filter }: UserList, page: MemoryFilter): Promise<readonly Memory[]> {
    const scope = this.#deps.keepsake.scope(selected.key)
    return scope.memories({ order: 'learned', newestFirst: true, ...filter, ...page })
  }

  async #count(): Promise<number> {
    let count = 0
    for (const { selected, filter } of this.#lists)
      count += await this.#deps.keepsake.scope(selected.key).admin.countMemories(filter)
    return count
  }
}

function asListed({ selected }: UserList, memory: Memory): ListedMemory[] {
  const row = scopeIfMatching(selected, memory)
  return row === null ? [] : [{ memory, row }]
}

/** Sorts by descending time of learning, then by descending id. */
function newestFirst({ memory: left }: ListedMemory, { memory: right }: ListedMemory): number {
  return right.learnedAt - left.learnedAt || (left.id < right.id ? 1 : -1)
}

import type { ServerDeps, ServerRequest } from '@keepsake/server'
import { given } from '@keepsake/text/names'
import type { Memory, MemoryForm, MetadataFilter, ScopeRow } from 'keepsake'
import { z } from 'zod'
import { ENTITIES } from './read-add.ts'
import { removeIfLive } from './find-memory.ts'
import { keyOf, listedForms, recordIds, personOf, recalledForms, sessionOf } from './mem0-names.ts'
import { isoTime, presentMemory, publicId, type Mem0Memory } from './present-memory.ts'
import { pageOf, pageSchema, readJsonBody, readPage, readQuery, wholeNumber } from './read-body.ts'
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
export async function answerList(deps: ServerDeps, c: ServerRequest): Promise<object> {
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
  const namesForm = JSON.stringify(filter).includes('"memory_type"')
  const forms = namesForm ? recalledForms(deps) : listedForms(deps)
  const people = await selectPeople(deps, c, filter, 'read')
  const listed = await findMatching(deps, people, { includeExpired: includesExpired(body), forms })
  const { page = body.page, pageSize = body.page_size } = queryPage
  const found = pageOf(c, listed, { page, pageSize })
  return { ...found, results: await presentAll(deps, found.results) }
}

const selfHostedSchema = z.strictObject({
  ...ENTITIES,
  top_k: wholeNumber(MAX_RESULTS).optional(),
  limit: wholeNumber(MAX_RESULTS).optional(),
})

/** Answers `GET /memories` of the self-hosted server. Its query contains entity names, and it has no pages. */
export async function answerSelfHostedList(deps: ServerDeps, c: ServerRequest): Promise<object> {
  const { top_k, limit, ...names } = readQuery(c, selfHostedSchema)
  const listed = await listByEntities(deps, c, names)
  return { results: await presentAll(deps, listed.slice(0, top_k ?? limit ?? DEFAULT_RESULTS)) }
}

const olderSchema = pageSchema.extend(ENTITIES)

/** Answers `GET /v1/memories/` of clients before version 2: a page if the query has one, else a plain list. */
export async function answerOlderList(deps: ServerDeps, c: ServerRequest): Promise<object> {
  const { page, page_size: pageSize, ...names } = readQuery(c, olderSchema)
  const listed = await listByEntities(deps, c, names)
  const found = pageOf(c, listed, { page, pageSize })
  const results = await presentAll(deps, found.results)
  return page === undefined && pageSize === undefined ? results : { ...found, results }
}

/** Lists the memories of the entities that a query names. */
async function listByEntities(
  deps: ServerDeps,
  c: ServerRequest,
  names: Parameters<typeof entityFilter>[0],
): Promise<readonly ListedMemory[]> {
  const people = await selectPeople(deps, c, entityFilter(names), 'read')
  return findMatching(deps, people, { includeExpired: false, forms: listedForms(deps) })
}

/** Deletes the named entities' memories and waiting messages. The history still has them. @throws Problem 400 without an entity */
export async function deleteAll(deps: ServerDeps, c: ServerRequest): Promise<object> {
  const { keepsake } = deps
  const entities = readQuery(c, z.strictObject(ENTITIES))
  const people = await selectPeople(deps, c, entityFilter(entities), 'write')
  // Ends the sessions first. Otherwise a message that waits for extraction would become a memory later.
  for (const { scopes } of people)
    for (const { row } of scopes) await closeSessions(deps, row, entities.run_id)
  const forms = recalledForms(deps)
  for (const { memory, row } of await findMatching(deps, people, { includeExpired: true, forms }))
    await removeIfLive(keepsake.scope(personOf(row)), memory.id)
  return { message: 'Memories deleted successfully!' }
}

async function closeSessions(deps: ServerDeps, row: ScopeRow, run: string | null): Promise<void> {
  const scope = deps.keepsake.scope(keyOf(row))
  const matches = (id: string): boolean => run === null || run === '*' || id === sessionOf(run)
  const open = (await scope.sessions()).filter(({ endedAt, id }) => endedAt === null && matches(id))
  for (const { id } of open) await scope.endSession(id)
  if (open.length > 0) await scope.drain()
}

/** Formats memories, and records their users, so that later requests find them by id. */
async function presentAll(deps: ServerDeps, listed: readonly ListedMemory[]): Promise<readonly Mem0Memory[]> {
  for (const { memory, row } of listed) await recordIds(deps.keepsake.records, row, [publicId(memory)])
  return listed.map(({ memory, row }) => presentMemory(memory, row))
}

interface ListedMemory {
  readonly memory: Memory
  readonly row: ScopeRow
}

/** Finds the live memories that a filter matches, newest first. */
async function findMatching(
  deps: ServerDeps,
  people: readonly SelectedPerson[],
  { includeExpired, forms }: { readonly includeExpired: boolean; readonly forms: readonly MemoryForm[] },
): Promise<readonly ListedMemory[]> {
  const validAt = includeExpired ? undefined : deps.now()
  const listed: ListedMemory[] = []
  for (const selected of people) {
    const filter = given({ forms, validAt, where: selected.where ?? undefined })
    for (const memory of await deps.keepsake.scope(selected.key).memories(filter)) {
      const row = scopeIfMatching(selected, memory)
      if (row !== null) listed.push({ memory, row })
    }
  }
  return listed.sort(newestFirst)
}

/** Sorts by descending time of learning, then by descending id. */
function newestFirst({ memory: left }: ListedMemory, { memory: right }: ListedMemory): number {
  return right.learnedAt - left.learnedAt || (left.id < right.id ? 1 : -1)
}

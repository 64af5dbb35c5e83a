import type { Memory, MetadataFilter, ScopeRow } from 'keepsake'
import { z } from 'zod'
import type { Action } from '../access/access.ts'
import { given } from '../given.ts'
import type { ServerRequest } from '../server-context.ts'
import { removeIfLive } from './find-memory.ts'
import { noteIds } from './known-names.ts'
import { keyOf, personOf, shownForms, type Mem0Door } from './mem0-door.ts'
import { sessionOf } from './mem0-names.ts'
import { pageOf, readPage, wholeNumber, type Mem0Page } from './mem0-page.ts'
import { isOver, presentMemory, publicId, type Mem0Memory } from './present-memory.ts'
import { ENTITIES, readEntities } from './read-add.ts'
import { readQuery } from './read-body.ts'
import { entityFilter, MOST_RESULTS, readList } from './read-lookups.ts'
import { scopeIfMeant, selectPeople, type SelectedPerson } from './select-people.ts'

/** A memory that a filter means, and its scope. */
interface ListedMemory {
  readonly memory: Memory
  readonly row: ScopeRow
}

const DEFAULT_RESULTS = 100

/** `POST /v3/memories/`: all that filters mean, in pages, newest first. */
export async function answerList(door: Mem0Door, c: ServerRequest): Promise<Mem0Page<Mem0Memory>> {
  const asked = readPage(c)
  const { filter, over, page, pageSize } = await readList(c)
  const listed = await listMemories(door, await selectPeople(door, c, filter, 'read'), over)
  const found = pageOf(c, listed, { page: asked.page ?? page, pageSize: asked.pageSize ?? pageSize })
  return { ...found, results: await showAll(door, found.results) }
}

const selfHostedSchema = z.strictObject({
  ...ENTITIES,
  top_k: wholeNumber(MOST_RESULTS).optional(),
  limit: wholeNumber(MOST_RESULTS).optional(),
})

/** `GET /memories` of the self-hosted server: names in the query, no pages. */
export async function answerSelfHostedList(
  door: Mem0Door,
  c: ServerRequest,
): Promise<{ readonly results: readonly Mem0Memory[] }> {
  const { top_k, limit, ...names } = readQuery(c, selfHostedSchema)
  const people = await selectPeople(door, c, entityFilter(readEntities(names)), 'read')
  const listed = await listMemories(door, people, false)
  return { results: await showAll(door, listed.slice(0, top_k ?? limit ?? DEFAULT_RESULTS)) }
}

/**
 * Deletes all memories of the named entities, and what of their messages is no memory yet. History keeps them; erasing for
 * good is what deleting the entity does.
 *
 * @throws Problem 400 when none is named.
 */
export async function deleteAll(door: Mem0Door, c: ServerRequest): Promise<void> {
  const { keepsake } = door.deps
  const entities = readEntities(readQuery(c, z.strictObject(ENTITIES)))
  const action: Action = 'write'
  const people = await selectPeople(door, c, entityFilter(entities), action)
  // A message that waits for its answer would still be found, and become a memory later.
  for (const { scopes } of people) for (const { row } of scopes) await closeSessions(door, row, entities.run)
  for (const { memory, row } of await listMemories(door, people, true))
    await removeIfLive(keepsake.scope(personOf(row)), memory.id)
}

async function closeSessions({ deps }: Mem0Door, row: ScopeRow, run: string | null): Promise<void> {
  const scope = deps.keepsake.scope(keyOf(row))
  const isMeant = (id: string): boolean => run === null || run === '*' || id === sessionOf(run)
  const open = (await scope.sessions()).filter(({ endedAt, id }) => endedAt === null && isMeant(id))
  for (const { id } of open) await scope.endSession(id)
  if (open.length > 0) await scope.drain()
}

/** All live memories that are meant, newest first. @param over those too that are no longer so */
async function listMemories(
  { deps }: Mem0Door,
  people: readonly SelectedPerson[],
  over: boolean,
): Promise<readonly ListedMemory[]> {
  const now = deps.now()
  const listed: ListedMemory[] = []
  for (const selected of people) {
    const where: MetadataFilter | undefined = selected.where ?? undefined
    const scope = deps.keepsake.scope(selected.person)
    for (const memory of await scope.memories({ forms: shownForms(deps), ...given({ where }) })) {
      const row = !over && isOver(memory, now) ? null : scopeIfMeant(selected, memory)
      if (row !== null) listed.push({ memory, row })
    }
  }
  return listed.sort((one, other) => compareNewest(one.memory, other.memory))
}

function compareNewest(one: Memory, other: Memory): number {
  if (one.learnedAt !== other.learnedAt) return other.learnedAt - one.learnedAt
  return one.id < other.id ? 1 : -1
}

/** Shows memories, and notes whose they are, so that an id alone finds them afterwards. */
async function showAll({ deps }: Mem0Door, listed: readonly ListedMemory[]): Promise<readonly Mem0Memory[]> {
  for (const { memory, row } of listed) await noteIds(deps.keepsake.records, row, [publicId(memory)])
  return listed.map(({ memory, row }) => presentMemory(memory, row))
}

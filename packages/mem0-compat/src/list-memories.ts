import type { MetadataFilter, ScopeRow } from 'keepsake'
import { z } from 'zod'
import type { ServerRequest } from '@keepsake/server'
import { removeIfLive } from './find-memory.ts'
import { noteIds } from './known-names.ts'
import type { Mem0Door } from './mem0-door.ts'
import { keyOf, personOf, sessionOf } from './mem0-names.ts'
import { MeantMemories, type ListedMemory } from './meant-memories.ts'
import { asPage, partOf, readPage, wholeNumber } from './mem0-page.ts'
import { isoTime, presentMemory, publicId, type Mem0Memory } from './present-memory.ts'
import { ENTITIES } from './read-add.ts'
import { readJsonBody, readQuery } from './read-body.ts'
import {
  entityFilter,
  ifGiven,
  limit,
  LOOKUP,
  MOST_RESULTS,
  readFilter,
  readOver,
  time,
} from './read-lookups.ts'
import { selectPeople } from './select-people.ts'

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

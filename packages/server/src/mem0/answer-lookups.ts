import { z } from 'zod'
import { Problem } from '../problem.ts'
import type { ServerRequest } from '../server-context.ts'
import { findEntities, presentEntity, type Mem0Entity } from './list-entities.ts'
import { listMemories, type ListedMemory } from './list-memories.ts'
import { tenantOf, type Mem0Door } from './mem0-door.ts'
import type { Mem0Event } from './mem0-events.ts'
import type { Mem0Memory } from './present-memory.ts'
import { ENTITIES, readEntities } from './read-add.ts'
import { readQuery } from './read-body.ts'
import { entityFilter, readList } from './read-lookups.ts'

/** A page of anything, as Mem0 has it. */
export interface Mem0Page<Entry> {
  readonly count: number
  /** Addresses; `null` at the ends. */
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Entry[]
}

interface PageRequest {
  readonly page: number
  readonly pageSize: number
}

const DEFAULT_PAGE_SIZE = 100
const LARGEST_PAGE = 1_000
const NUMBER = 'must be a whole number from 1'
const number = (most: number) =>
  z.coerce.number(NUMBER).int(NUMBER).min(1, NUMBER).max(most, `must be at most ${most}`)
const pageFields = { page: number(1_000_000).optional(), page_size: number(LARGEST_PAGE).optional() }
const pageSchema = z.strictObject(pageFields)
const selfHostedSchema = z.strictObject({
  ...ENTITIES,
  top_k: number(LARGEST_PAGE).optional(),
  limit: number(LARGEST_PAGE).optional(),
})

function readPage(c: ServerRequest): {
  readonly page?: number | undefined
  readonly page_size?: number | undefined
} {
  return readQuery(c, pageSchema)
}

/** `GET /v1/ping/`. Whoever asks has a key; it names no e-mail address, under which the client would report its use. */
export function answerPing(c: ServerRequest): Promise<object> {
  return Promise.resolve({ status: 'ok', org_id: 'keepsake', project_id: tenantOf(c), user_email: null })
}

/** `POST /v3/memories/`: all that filters mean, in pages, newest first. */
export async function answerList(door: Mem0Door, c: ServerRequest): Promise<Mem0Page<Mem0Memory>> {
  const query = readPage(c)
  const { filter, over, page, pageSize } = await readList(c, 'hosted')
  const listed = await listMemories(door, c, filter, { over })
  const request = {
    page: query.page ?? page ?? 1,
    pageSize: query.page_size ?? pageSize ?? DEFAULT_PAGE_SIZE,
  }
  const found = pageOf(c, listed, request)
  return { ...found, results: showAll(door, found.results) }
}

/** `GET /memories` of the self-hosted server: names in the query, no pages. */
export async function answerSelfHostedList(
  door: Mem0Door,
  c: ServerRequest,
): Promise<{ readonly results: readonly Mem0Memory[] }> {
  const { top_k, limit, ...names } = readQuery(c, selfHostedSchema)
  const listed = await listMemories(door, c, entityFilter(readEntities(names)), { over: false })
  return { results: showAll(door, listed.slice(0, top_k ?? limit ?? DEFAULT_PAGE_SIZE)) }
}

/** Shows memories, and notes whose they are, so that an id alone finds them afterwards. Those that are known cost no write. */
function showAll({ notes }: Mem0Door, listed: readonly ListedMemory[]): readonly Mem0Memory[] {
  const all = listed.map((one) => ({ person: one.person, shown: one.show() }))
  for (const [person, memories] of Map.groupBy(all, (one) => one.person)) {
    const own = notes.of(person)
    const fresh = memories.flatMap(({ shown }) => (own.memory(shown.id) === null ? [shown.id] : []))
    if (fresh.length > 0) notes.place(person, fresh)
  }
  return all.map((one) => one.shown)
}

/** `GET /v1/entities/`: users, agents, apps and runs that the key opens. Only those of the page are counted. */
export async function answerEntities(door: Mem0Door, c: ServerRequest): Promise<Mem0Page<Mem0Entity>> {
  const { page = 1, page_size: pageSize = DEFAULT_PAGE_SIZE } = readPage(c)
  const found = pageOf(c, await findEntities(door, c, 'read'), { page, pageSize })
  const results: Mem0Entity[] = []
  for (const entity of found.results) results.push(await presentEntity(door, c, entity))
  return { ...found, results }
}

/** `GET /v1/event/{id}/`. @throws Problem 404 for an event that is not this key's, or is not known any more. */
export function answerEvent(door: Mem0Door, c: ServerRequest, id: string): Promise<Mem0Event> {
  const event = door.events.find(id, c.get('grant').id)
  if (event !== null) return Promise.resolve(event)
  return Promise.reject(
    new Problem(
      404,
      'not-found',
      'There is no such event of this key. Events are known until the server restarts.',
    ),
  )
}

/** `GET /v1/events/`: the key's own, newest first. */
export function answerEvents(door: Mem0Door, c: ServerRequest): Promise<Mem0Page<Mem0Event>> {
  const { page = 1, page_size: pageSize = DEFAULT_PAGE_SIZE } = readPage(c)
  return Promise.resolve(pageOf(c, door.events.list(c.get('grant').id), { page, pageSize }))
}

function pageOf<Entry>(
  c: ServerRequest,
  all: readonly Entry[],
  { page, pageSize }: PageRequest,
): Mem0Page<Entry> {
  const start = (page - 1) * pageSize
  return {
    count: all.length,
    next: start + pageSize < all.length ? addressOf(c, page + 1, pageSize) : null,
    previous:
      page > 1
        ? addressOf(c, Math.min(page - 1, Math.max(1, Math.ceil(all.length / pageSize))), pageSize)
        : null,
    results: all.slice(start, start + pageSize),
  }
}

function addressOf(c: ServerRequest, page: number, pageSize: number): string {
  const address = new URL(c.req.url)
  address.searchParams.set('page', String(page))
  address.searchParams.set('page_size', String(pageSize))
  return address.href
}

import type { MetadataFilter } from 'keepsake'
import { z } from 'zod'
import type { ServerRequest } from '../server-context.ts'
import { ENTITY_TYPES, type Entities } from './mem0-names.ts'
import type { PageRequest } from './mem0-page.ts'
import { ENTITIES, readEntities } from './read-add.ts'
import { isoTime } from './present-memory.ts'
import { readJsonBody } from './read-body.ts'
import { readFilters, toTime } from './read-filters.ts'

const flag = z.boolean('must be true or false').nullish()
const filters = z
  .record(z.string(), z.unknown(), { error: 'must be an object such as {"user_id": "ana"}' })
  .nullish()
const TIME = 'must be a time such as 2026-03-01'
/** Seconds or ISO 8601; milliseconds since 1970 from here on. */
const time = z
  .union([z.string(), z.number()], { error: TIME })
  .transform(toTime)
  .refine((at) => !Number.isNaN(at), TIME)
  .nullish()

/** Fields that older and self-hosted dialects have at the top, and those that say what else to show. */
const LOOKUP = { ...ENTITIES, filters, metadata: filters, latest_only: flag, show_expired: flag }

export const MOST_RESULTS = 1_000
const limit = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(MOST_RESULTS, `must be at most ${MOST_RESULTS}`)

const searchSchema = z.strictObject({
  ...LOOKUP,
  query: z.string('must be a string').refine((text) => text.trim() !== '', 'must not be empty'),
  reference_date: time,
  top_k: limit.nullish(),
  limit: limit.nullish(),
  threshold: z
    .number('must be a number from 0 to 1')
    .min(0, 'must be a number from 0 to 1')
    .max(1, 'must be a number from 0 to 1')
    .nullish(),
})

const listSchema = z.strictObject({
  ...LOOKUP,
  page: limit.nullish(),
  page_size: limit.nullish(),
  start_date: time,
  end_date: time,
})

/** How the dialects differ: what a name means in `filters` that is no field. */
export type Dialect = 'hosted' | 'self-hosted'

export interface SearchRequest {
  readonly query: string
  readonly filter: MetadataFilter
  readonly limit: number
  readonly threshold: number
  /** The moment of asking, milliseconds since 1970; `null`: now. */
  readonly now: number | null
  readonly over: boolean
}

export interface ListRequest extends PageRequest {
  readonly filter: MetadataFilter
  readonly over: boolean
}

const DEFAULT_RESULTS = 10

/** Reads the body of a search. @throws Problem 400 naming the field. */
export async function readSearch(c: ServerRequest, dialect: Dialect): Promise<SearchRequest> {
  const body = await readJsonBody(c, searchSchema)
  return {
    query: body.query,
    filter: readFilter(body, dialect),
    limit: body.top_k ?? body.limit ?? DEFAULT_RESULTS,
    threshold: body.threshold ?? 0,
    now: body.reference_date ?? null,
    over: readOver(body),
  }
}

/** Reads the body of a listing. Pages may stand in it or in the query. @throws Problem 400 naming the field. */
export async function readList(c: ServerRequest): Promise<ListRequest> {
  const body = await readJsonBody(c, listSchema)
  const { start_date: from, end_date: to, page, page_size: pageSize } = body
  const dates: MetadataFilter[] = [
    ...given(from).map((at) => ({ path: 'created_at', atLeast: isoTime(at) })),
    ...given(to).map((at) => ({ path: 'created_at', atMost: isoTime(at) })),
  ]
  return { filter: { all: [readFilter(body, 'hosted'), ...dates] }, over: readOver(body), page, pageSize }
}

type Lookup = z.infer<z.ZodObject<typeof LOOKUP>>

/** Mem0 hides what is no longer so unless it is asked for, in either of two words. */
function readOver({ latest_only: latest, show_expired: expired }: Lookup): boolean {
  return expired === true || latest === false
}

/** Names at the top and in `filters` all have to hold. */
function readFilter(body: Lookup, dialect: Dialect): MetadataFilter {
  const { filters, metadata } = body
  return {
    all: [
      ...conditionsOf(readEntities(body)),
      ...given(filters).map((one) => readFilters(one, dialect === 'hosted' ? 'refuse' : 'metadata')),
      ...given(metadata).map((one) => readFilters({ metadata: one })),
    ],
  }
}

/** A filter by names alone; `*` stands for any. */
export function entityFilter(entities: Entities): MetadataFilter {
  return { all: conditionsOf(entities) }
}

function conditionsOf(entities: Entities): readonly MetadataFilter[] {
  return ENTITY_TYPES.flatMap((type) =>
    given(entities[type]).map((name) => readFilters({ [`${type}_id`]: name })),
  )
}

function given<Value>(value: Value | null | undefined): readonly Value[] {
  return value === null || value === undefined ? [] : [value]
}

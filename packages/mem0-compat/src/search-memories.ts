import type { ServerRequest } from '@keepsake/server'
import { given } from '@keepsake/text/names'
import type { MetadataFilter, Recall, RecalledMemory } from 'keepsake'
import { z } from 'zod'
import { ENTITIES } from './add-memories.ts'
import { ENTITY_TYPES, noteIds, type Entities, type Mem0Context } from './mem0-names.ts'
import { isOver, presentMemory, type Mem0Memory } from './present-memory.ts'
import { readJsonBody } from './read-body.ts'
import { readFilters, toTime } from './read-filters.ts'
import { scopeIfMeant, selectPeople, type SelectedPerson } from './select-people.ts'

const flag = z.boolean('must be true or false').nullish()
const filters = z
  .record(z.string(), z.unknown(), { error: 'must be an object such as {"user_id": "ana"}' })
  .nullish()
const TIME = 'must be a time such as 2026-03-01'
/** Seconds or ISO 8601, converted to milliseconds since 1970. */
export const time = z
  .union([z.string(), z.number()], { error: TIME })
  .transform(toTime)
  .refine((at) => !Number.isNaN(at), TIME)
  .nullish()

/** Top-level fields of older and self-hosted dialects, and options of display. */
export const LOOKUP = { ...ENTITIES, filters, metadata: filters, latest_only: flag, show_expired: flag }

export const MOST_RESULTS = 1_000
export const limit = z.preprocess(
  (given) => (typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given),
  z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(MOST_RESULTS, `must be at most ${MOST_RESULTS}`),
)

/** The dialects differ in unknown names in `filters`. */
export type Dialect = 'hosted' | 'self-hosted'

type Lookup = z.infer<z.ZodObject<typeof LOOKUP>>

/** Mem0 hides expired memories unless one of two fields requests them. */
export function readOver({ latest_only: latest, show_expired: expired }: Lookup): boolean {
  return expired === true || latest === false
}

/** Combines top-level names and `filters`; all have to hold. */
export function readFilter(body: Lookup, dialect: Dialect): MetadataFilter {
  const { filters, metadata } = body
  return {
    all: [
      ...conditionsOf(body),
      ...ifGiven(filters).map((one) => readFilters(one, dialect === 'hosted' ? 'refuse' : 'metadata')),
      ...ifGiven(metadata).map((one) => readFilters({ metadata: one })),
    ],
  }
}

/** A filter by names alone; `*` matches any. */
export function entityFilter(entities: Entities): MetadataFilter {
  return { all: conditionsOf(entities) }
}

function conditionsOf(entities: Entities): readonly MetadataFilter[] {
  return ENTITY_TYPES.flatMap((type) =>
    ifGiven(entities[`${type}_id`]).map((name) => readFilters({ [`${type}_id`]: name })),
  )
}

/** A list of the value, or an empty one. */
export function ifGiven<Value>(value: Value | null | undefined): readonly Value[] {
  return value === null || value === undefined ? [] : [value]
}

const DEFAULT_RESULTS = 10

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

/** The query of a search, its users and its limit. */
interface Search {
  readonly query: string
  readonly limit: number
  readonly threshold: number
  /** The query's time, milliseconds since 1970; `null`: now. */
  readonly at: number | null
  readonly over: boolean
}

/** A found memory with its score, 0 to 1. */
interface Mem0Found extends Mem0Memory {
  readonly score: number
}

/** The engine's maximum: filters that it cannot apply choose among these. */
const MOST = 1_000

/** Searches memories that are relevant to a query, best first. @throws Problem 400, 403 */
export async function searchMemories(
  context: Mem0Context,
  c: ServerRequest,
  dialect: Dialect,
): Promise<{ readonly results: readonly Mem0Found[] }> {
  const body = await readJsonBody(c, searchSchema)
  const search = {
    query: body.query,
    limit: body.top_k ?? body.limit ?? DEFAULT_RESULTS,
    threshold: body.threshold ?? 0,
    at: body.reference_date ?? null,
    over: readOver(body),
  }
  const people = await selectPeople(context, c, readFilter(body, dialect), 'read')
  const found: Mem0Found[] = []
  for (const person of people) found.push(...(await searchOne(context, person, search, c.req.raw.signal)))
  return { results: found.sort((one, other) => other.score - one.score).slice(0, search.limit) }
}

async function searchOne(
  { deps }: Mem0Context,
  selected: SelectedPerson,
  search: Search,
  abortSignal: AbortSignal,
): Promise<readonly Mem0Found[]> {
  const { key, isExact, where } = selected
  const recall = await deps.keepsake.scope(key).recall(search.query, {
    // Twice as many: some have ended.
    limit: isExact ? Math.min(MOST, search.limit * 2) : MOST,
    // Mem0's answer has no context, so the smallest is composed.
    tokens: 1,
    // Memories that a filter hides were not used.
    ...(isExact ? {} : { reinforce: false }),
    ...given({ now: search.at ?? undefined, where: where ?? undefined }),
    abortSignal,
  })
  const found = choose(selected, search, recall, search.at ?? deps.now())
  const [any] = selected.scopes
  const lasting = found.map(({ id }) => id).filter((id) => !id.startsWith('pending:'))
  if (any !== undefined) await noteIds(deps.keepsake.records, any.row, lasting)
  return found
}

/** Keeps the matching memories of a recall, up to the limit. */
function choose(
  selected: SelectedPerson,
  { threshold, over, limit }: Search,
  recall: Recall,
  now: number,
): readonly Mem0Found[] {
  const best = Math.max(...recall.memories.map((one) => one.score))
  const found: Mem0Found[] = []
  for (const recalled of recall.memories) {
    const memory = withSession(recalled)
    const score = scoreOf(recalled, recall, best)
    if (score < threshold || (!over && isOver(memory, now))) continue
    const row = scopeIfMeant(selected, memory)
    if (row !== null) found.push({ ...presentMemory(memory, row), score })
    if (found.length === limit) break
  }
  return found
}

/** A turn not consolidated yet has its own session. */
function withSession({ memory, pending, evidence }: RecalledMemory): RecalledMemory['memory'] {
  return pending ? { ...memory, session: evidence[0]?.session ?? '' } : memory
}

/**
 * Converts a score. Mem0's lie between 0 and 1 and are compared with a threshold; Keepsake's are comparable within one recall only. So each
 * is taken relative to the best, times the recall's confidence.
 */
function scoreOf({ score }: RecalledMemory, { confidence }: Recall, best: number): number {
  return best > 0 ? Math.max(0, (confidence * score) / best) : 0
}

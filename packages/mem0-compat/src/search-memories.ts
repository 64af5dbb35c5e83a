import type { ServerRequest, ServerDeps } from '@keepsake/server'
import { given } from '@keepsake/text/names'
import type { MetadataFilter, Recall, RecalledMemory } from 'keepsake'
import { z } from 'zod'
import { ENTITIES, flag } from './read-add.ts'
import { ENTITY_TYPES, recordIds, type Entities } from './mem0-names.ts'
import { hasEnded, presentMemory, type Mem0Memory } from './present-memory.ts'
import { readJsonBody } from './read-body.ts'
import { readFilters, toTime } from './read-filters.ts'
import { scopeIfMatching, selectPeople, type SelectedPerson } from './select-people.ts'

const filters = z
  .record(z.string(), z.unknown(), { error: 'must be an object such as {"user_id": "ana"}' })
  .nullish()
const TIME_PROBLEM = 'must be a time such as 2026-03-01'
/** Seconds or ISO 8601, converted to milliseconds since 1970. */
export const time = z
  .union([z.string(), z.number()], { error: TIME_PROBLEM })
  .transform(toTime)
  .refine((at) => !Number.isNaN(at), TIME_PROBLEM)
  .nullish()

/** Fields by which lists and searches choose memories, in all dialects. */
export const lookupFields = { ...ENTITIES, filters, metadata: filters, latest_only: flag, show_expired: flag }

export const MAX_RESULTS = 1_000
export const limit = z.preprocess(
  (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
  z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(MAX_RESULTS, `must be at most ${MAX_RESULTS}`),
)

/** Mem0's two dialects. In `filters`, the hosted one refuses unknown names, and the self-hosted one reads them as metadata. */
export type Dialect = 'hosted' | 'self-hosted'

type Lookup = z.infer<z.ZodObject<typeof lookupFields>>

/** Mem0 hides expired memories unless one of two fields requests them. */
export function includesExpired({ latest_only: latest, show_expired: expired }: Lookup): boolean {
  return expired === true || latest === false
}

/** Combines top-level names and `filters` into one filter. A memory must match all of them. */
export function readBodyFilter(body: Lookup, dialect: Dialect): MetadataFilter {
  const { filters, metadata } = body
  return {
    all: [
      ...conditionsOf(body),
      ...ifGiven(filters).map((filter) => readFilters(filter, dialect === 'hosted' ? 'refuse' : 'metadata')),
      ...ifGiven(metadata).map((fields) => readFilters({ metadata: fields })),
    ],
  }
}

/** Returns a filter by names of entities; `*` matches any name. */
export function entityFilter(entities: Entities): MetadataFilter {
  return { all: conditionsOf(entities) }
}

function conditionsOf(entities: Entities): readonly MetadataFilter[] {
  return ENTITY_TYPES.flatMap((type) =>
    ifGiven(entities[`${type}_id`]).map((name) => readFilters({ [`${type}_id`]: name })),
  )
}

/** Returns a list of the value, or an empty list for no value. */
export function ifGiven<Value>(value: Value | null | undefined): readonly Value[] {
  return value === null || value === undefined ? [] : [value]
}

const DEFAULT_RESULTS = 10

const searchSchema = z.strictObject({
  ...lookupFields,
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

interface Search {
  readonly query: string
  readonly limit: number
  readonly threshold: number
  /** The time of the query, milliseconds since 1970; `null` means now. */
  readonly at: number | null
  readonly includeExpired: boolean
}

/** A found memory with its score, 0 to 1. */
interface Mem0Found extends Mem0Memory {
  readonly score: number
}

/** The engine's maximum. Filters that the engine cannot apply are applied to these memories. */
const MAX_RECALLED = 1_000

/** Searches memories that are relevant to a query, best first. @throws Problem 400, 403 */
export async function searchMemories(
  deps: ServerDeps,
  c: ServerRequest,
  dialect: Dialect,
): Promise<{ readonly results: readonly Mem0Found[] }> {
  const body = await readJsonBody(c, searchSchema)
  const search = {
    query: body.query,
    limit: body.top_k ?? body.limit ?? DEFAULT_RESULTS,
    threshold: body.threshold ?? 0,
    at: body.reference_date ?? null,
    includeExpired: includesExpired(body),
  }
  const people = await selectPeople(deps, c, readBodyFilter(body, dialect), 'read')
  const results: Mem0Found[] = []
  for (const person of people) results.push(...(await searchUser(deps, person, search, c.req.raw.signal)))
  return { results: results.sort((left, right) => right.score - left.score).slice(0, search.limit) }
}

async function searchUser(
  deps: ServerDeps,
  selected: SelectedPerson,
  search: Search,
  abortSignal: AbortSignal,
): Promise<readonly Mem0Found[]> {
  // If the engine cannot apply the whole filter, all memories that it recalls are checked here.
  const { key, isExact, where } = selected
  const recall = await deps.keepsake.scope(key).recall(search.query, {
    // Recalls twice as many as requested, because some may have expired.
    limit: isExact ? Math.min(MAX_RECALLED, search.limit * 2) : MAX_RECALLED,
    // Mem0's answer contains no context, so the shortest possible context is enough.
    tokens: 1,
    // Memories that a filter hides must not be strengthened.
    ...(isExact ? {} : { reinforce: false }),
    ...given({ now: search.at ?? undefined, where: where ?? undefined }),
    abortSignal,
  })
  const matches = keepMatching(selected, search, recall, search.at ?? deps.now())
  const [scope] = selected.scopes
  const ids = matches.map(({ id }) => id).filter((id) => !id.startsWith('pending:'))
  if (scope !== undefined) await recordIds(deps.keepsake.records, scope.row, ids)
  return matches
}

/** Puts before each message the best statement that was extracted from it, with the score of the message. */
function withStatementsFirst(memories: readonly RecalledMemory[]): readonly RecalledMemory[] {
  const ordered: RecalledMemory[] = []
  const moved = new Set<RecalledMemory>()
  for (const [index, recalled] of memories.entries()) {
    if (moved.has(recalled)) continue
    const turns = new Set(recalled.evidence.map(({ turn }) => turn))
    const isFromTurns = ({ memory, evidence }: RecalledMemory): boolean =>
      memory.form === 'fact' && evidence.some(({ turn }) => turns.has(turn))
    const needsStatement = recalled.memory.form === 'utterance' && !ordered.some(isFromTurns)
    const statement = needsStatement ? memories.slice(index + 1).find(isFromTurns) : undefined
    if (statement !== undefined) {
      moved.add(statement)
      ordered.push({ ...statement, score: recalled.score })
    }
    ordered.push(recalled)
  }
  return ordered
}

/** Keeps the matching memories of a recall, up to the limit. */
function keepMatching(
  selected: SelectedPerson,
  { threshold, includeExpired, limit }: Search,
  recall: Recall,
  now: number,
): readonly Mem0Found[] {
  const bestScore = Math.max(...recall.memories.map(({ score }) => score))
  const matches: Mem0Found[] = []
  for (const recalled of withStatementsFirst(recall.memories)) {
    // A turn that is not consolidated yet has its session in the evidence.
    const session = recalled.pending ? (recalled.evidence[0]?.session ?? '') : recalled.memory.session
    const memory = { ...recalled.memory, session }
    const score = scoreOf(recalled, recall, bestScore)
    if (score < threshold || (!includeExpired && hasEnded(memory, now))) continue
    const row = scopeIfMatching(selected, memory)
    if (row !== null) matches.push({ ...presentMemory(memory, row), score })
    if (matches.length === limit) break
  }
  return matches
}

/** Converts a score to Mem0's 0 to 1: relative to the recall's best, times the recall's confidence. */
function scoreOf({ score }: RecalledMemory, { confidence }: Recall, bestScore: number): number {
  return bestScore > 0 ? Math.max(0, (confidence * score) / bestScore) : 0
}

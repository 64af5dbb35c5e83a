import type { MetadataFilter } from 'keepsake'
import { z } from 'zod'
import { ENTITY_TYPES, type Entities } from './mem0-names.ts'
import { ENTITIES } from './read-add.ts'
import { readFilters, toTime } from './read-filters.ts'

const flag = z.boolean('must be true or false').nullish()
const filters = z
  .record(z.string(), z.unknown(), { error: 'must be an object such as {"user_id": "ana"}' })
  .nullish()
const TIME = 'must be a time such as 2026-03-01'
/** Seconds or ISO 8601; milliseconds since 1970 from here on. */
export const time = z
  .union([z.string(), z.number()], { error: TIME })
  .transform(toTime)
  .refine((at) => !Number.isNaN(at), TIME)
  .nullish()

/** Fields that older and self-hosted dialects have at the top, and those that say what else to show. */
export const LOOKUP = { ...ENTITIES, filters, metadata: filters, latest_only: flag, show_expired: flag }

export const MOST_RESULTS = 1_000
export const limit = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(MOST_RESULTS, `must be at most ${MOST_RESULTS}`)

/** How the dialects differ: what a name means in `filters` that is no field. */
export type Dialect = 'hosted' | 'self-hosted'

export type Lookup = z.infer<z.ZodObject<typeof LOOKUP>>

/** Mem0 hides what is no longer so unless it is asked for, in either of two words. */
export function readOver({ latest_only: latest, show_expired: expired }: Lookup): boolean {
  return expired === true || latest === false
}

/** Names at the top and in `filters` all have to hold. */
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

/** A filter by names alone; `*` stands for any. */
export function entityFilter(entities: Entities): MetadataFilter {
  return { all: conditionsOf(entities) }
}

function conditionsOf(entities: Entities): readonly MetadataFilter[] {
  return ENTITY_TYPES.flatMap((type) =>
    ifGiven(entities[`${type}_id`]).map((name) => readFilters({ [`${type}_id`]: name })),
  )
}

/** A list of a value, empty where there is none. */
export function ifGiven<Value>(value: Value | null | undefined): readonly Value[] {
  return value === null || value === undefined ? [] : [value]
}

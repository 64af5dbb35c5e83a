import type { Comparison, Filter, FilterField, Scalar } from './read-filters.ts'
import type { Metadata } from './mem0-notes.ts'

/** What a filter looks at. A field that is absent is not known yet, which is not the same as null. */
export interface Filterable {
  readonly fields: { readonly [Field in FilterField]?: string | number | null | readonly string[] }
  readonly metadata?: Metadata | null
}

/** Times are compared as times. */
const TIMES: ReadonlySet<FilterField> = new Set(['created_at', 'updated_at'])

/**
 * Whether a filter holds; `null` where that depends on fields that are not known. So the same filter chooses scopes
 * by their names before it chooses memories by all they have.
 */
export function matches(filter: Filter, of: Filterable): boolean | null {
  switch (filter.kind) {
    case 'all':
      return every(filter.of.map((inner) => matches(inner, of)))
    case 'any':
      return not(every(filter.of.map((inner) => not(matches(inner, of)))))
    case 'none':
      return every(filter.of.map((inner) => not(matches(inner, of))))
    case 'field': {
      const value = of.fields[filter.field]
      if (value === undefined) return null
      return compares(value, filter.is, TIMES.has(filter.field))
    }
    case 'metadata':
      if (of.metadata === undefined) return null
      return compares(ownValue(of.metadata, filter.name), filter.is, false)
  }
}

/** Not what every object inherits. */
function ownValue(metadata: Metadata | null, name: string): unknown {
  return metadata !== null && Object.hasOwn(metadata, name) ? metadata[name] : null
}

const not = (value: boolean | null): boolean | null => (value === null ? null : !value)

function every(values: readonly (boolean | null)[]): boolean | null {
  if (values.includes(false)) return false
  return values.includes(null) ? null : true
}

function compares(value: unknown, is: Comparison, asTime: boolean): boolean {
  if (Array.isArray(value) && is.kind !== 'exists') return comparesList(value, is)
  switch (is.kind) {
    case 'exists':
      return value !== null && !(Array.isArray(value) && value.length === 0)
    case 'equals':
      return same(value, is.value, asTime)
    case 'differs':
      return !same(value, is.value, asTime)
    case 'in':
      return is.values.some((one) => same(value, one, asTime))
    case 'contains':
      return typeof value === 'string' && value.includes(is.value)
    case 'icontains':
      return typeof value === 'string' && value.toLowerCase().includes(is.value.toLowerCase())
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return inOrder(value, is.kind, is.value, asTime)
  }
}

/** A list equals or contains what one of its values is. */
function comparesList(values: readonly unknown[], is: Comparison): boolean {
  if (is.kind === 'contains' || is.kind === 'icontains') return values.includes(is.value)
  if (is.kind === 'differs') return !values.includes(is.value)
  return values.some((value) => compares(value, is, false))
}

function same(value: unknown, wanted: Scalar, asTime: boolean): boolean {
  if (asTime && value !== null && wanted !== null) return toTime(value) === toTime(wanted)
  // Ids are given as numbers by some callers and are strings here.
  return (
    value === wanted || (typeof value === 'string' && typeof wanted === 'number' && value === String(wanted))
  )
}

function inOrder(
  value: unknown,
  kind: 'gt' | 'gte' | 'lt' | 'lte',
  wanted: string | number,
  asTime: boolean,
): boolean {
  const one = asTime || typeof value === 'string' ? toComparable(value, asTime) : value
  const other = asTime || typeof value === 'string' ? toComparable(wanted, asTime) : wanted
  if (typeof one === 'number' && typeof other === 'number') return holds(kind, one - other)
  if (typeof one === 'string' && typeof other === 'string')
    return holds(kind, one < other ? -1 : Number(one > other))
  return false
}

const toComparable = (value: unknown, asTime: boolean): unknown => (asTime ? toTime(value) : value)

function holds(kind: 'gt' | 'gte' | 'lt' | 'lte', difference: number): boolean {
  switch (kind) {
    case 'gt':
      return difference > 0
    case 'gte':
      return difference >= 0
    case 'lt':
      return difference < 0
    case 'lte':
      return difference <= 0
  }
}

/** Milliseconds since 1970, from those, seconds or ISO 8601; NaN for anything else, which compares to nothing. */
export function toTime(value: unknown): number {
  if (typeof value === 'number') return value < SECONDS_BELOW ? value * 1_000 : value
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}

/** Mem0 takes seconds. Milliseconds are larger than this from 1973 on, seconds until the year 5138. */
const SECONDS_BELOW = 1e11

const ENTITY_FIELDS: ReadonlySet<FilterField> = new Set(['user_id', 'agent_id', 'app_id', 'run_id'])

/** Whether a filter says anything about whose memories are meant. */
export function namesEntity(filter: Filter): boolean {
  if (filter.kind === 'field') return ENTITY_FIELDS.has(filter.field)
  return 'of' in filter && filter.of.some(namesEntity)
}

/** The only users a filter can hold for; `null` when it does not limit them. Its own words, so that each can be checked. */
export function usersNamed(filter: Filter): ReadonlySet<string> | null {
  switch (filter.kind) {
    case 'field':
      return filter.field === 'user_id' ? namesIn(filter.is) : null
    case 'metadata':
    case 'none':
      return null
    case 'all': {
      const limits = filter.of.map(usersNamed).filter((limit) => limit !== null)
      return limits.reduce<ReadonlySet<string> | null>(
        (all, limit) => (all === null ? limit : new Set([...all].filter((user) => limit.has(user)))),
        null,
      )
    }
    case 'any': {
      const limits = filter.of.map(usersNamed)
      return limits.some((limit) => limit === null)
        ? null
        : new Set(limits.flatMap((limit) => [...(limit ?? [])]))
    }
  }
}

function namesIn(is: Comparison): ReadonlySet<string> | null {
  if (is.kind === 'equals' && is.value !== null) return new Set([String(is.value)])
  if (is.kind === 'in') return new Set(is.values.map(String))
  return null
}

import type { Problem } from '@keepsake/server'
import type { Metadata, MetadataFilter } from 'keepsake'
import { matchesMetadata } from 'keepsake/store'
import { isoTime, OWN_FIELD } from './present-memory.ts'
import { refuse } from './read-body.ts'

type Json = Metadata[string]

const FIELDS = [
  'user_id',
  'agent_id',
  'app_id',
  'run_id',
  'created_at',
  'updated_at',
  'categories',
  'keywords',
  'memory_ids',
  'memory_type',
  'feedback',
  'feedback_reason',
] as const
/** Fields that are compared as times. */
const TIMES: ReadonlySet<string> = new Set(['created_at', 'updated_at'])

/** Deeper filters are a mistake. */
const DEEPEST = 10
/** Most conditions: more are a mistake, and would delay other requests. */
const MOST_VALUES = 1_000

const ORDERS = { gt: 'above', gte: 'atLeast', lt: 'below', lte: 'atMost' } as const

type Path = readonly string[]
type Scalar = string | number | boolean | null

/** What to do with unknown names: `refuse` them, or take them as fields of `metadata` (the self-hosted dialect). */
type UnknownNames = 'refuse' | 'metadata'

/**
 * Reads `filters` of Mem0's clients: `AND`, `OR` and `NOT`, fields in snake or camel case, a value, `*`, a list or operators. The result
 * applies to `filterable()`.
 *
 * @throws Problem 400 naming what cannot be read.
 */
export function readFilters(value: unknown, unknown: UnknownNames = 'refuse'): MetadataFilter {
  return readObject(value, 'filters', { unknown, depth: 0 })
}

interface Reading {
  readonly unknown: UnknownNames
  readonly depth: number
}

function readObject(value: unknown, where: string, reading: Reading): MetadataFilter {
  if (reading.depth > DEEPEST) throw cannot(where, `is nested deeper than ${DEEPEST} levels`)
  if (!isObject(value)) throw cannot(where, 'must be an object such as {"user_id": "ana"}')
  return all(Object.entries(value).map(([key, inner]) => readEntry(key, inner, `${where}.${key}`, reading)))
}

function readEntry(key: string, value: unknown, where: string, reading: Reading): MetadataFilter {
  const group = key.toUpperCase()
  if (group === 'AND' || group === 'OR' || group === 'NOT') {
    const of = readGroup(value, where, { ...reading, depth: reading.depth + 1 })
    if (group === 'AND') return { all: of }
    return group === 'OR' ? { any: of } : { not: { any: of } }
  }
  const field = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  if (field === 'metadata') return readMetadata(value, where)
  // Mem0's timestamp of a memory is its creation here.
  const known = FIELDS.find((one) => one === (field === 'timestamp' ? 'created_at' : field))
  if (known !== undefined) return readConditions([known], value, where)
  if (reading.unknown === 'metadata') return readConditions(['metadata', key], value, where)
  throw cannot(
    where,
    `is no field: those are ${FIELDS.join(', ')}, and metadata with names of your own in it`,
  )
}

function readGroup(value: unknown, where: string, reading: Reading): readonly MetadataFilter[] {
  const list = Array.isArray(value) ? (value as unknown[]) : [value]
  if (list.length === 0) throw cannot(where, 'is empty')
  if (list.length > MOST_VALUES) throw cannot(where, `has more than ${MOST_VALUES} conditions`)
  return list.map((inner, index) => readObject(inner, `${where}.${index}`, reading))
}

function readMetadata(value: unknown, where: string): MetadataFilter {
  if (!isObject(value)) throw cannot(where, 'must be an object such as {"topic": "travel"}')
  return all(
    Object.entries(value).map(([name, inner]) =>
      readConditions(['metadata', name], inner, `${where}.${name}`),
    ),
  )
}

function readConditions(path: Path, value: unknown, where: string): MetadataFilter {
  if (value === '*') return exists(path)
  if (isScalar(value)) return equals(path, value, where)
  if (Array.isArray(value)) return among(path, value, where)
  if (!isObject(value) || Object.keys(value).length === 0)
    throw cannot(where, 'must be a value, "*", a list or an operator such as {"in": ["a", "b"]}')
  return all(
    Object.entries(value).map(([operator, operand]) =>
      readOperator(path, operator, operand, `${where}.${operator}`),
    ),
  )
}

function readOperator(path: Path, operator: string, value: unknown, where: string): MetadataFilter {
  switch (operator) {
    case 'eq':
      return value === '*' ? exists(path) : equals(path, readScalar(value, where), where)
    case 'ne':
      return { not: equals(path, readScalar(value, where), where) }
    case 'in':
      if (!Array.isArray(value)) throw cannot(where, 'must be a list')
      return among(path, value, where)
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (typeof value !== 'string' && typeof value !== 'number')
        throw cannot(where, 'must be a time or a number')
      return { path, [ORDERS[operator]]: comparable(path, value, where) }
    case 'contains':
    case 'icontains':
      if (typeof value !== 'string') throw cannot(where, 'must be a string')
      return { path, contains: value, ignoreCase: operator === 'icontains' }
    default:
      throw cannot(where, 'is no operator: those are eq, ne, in, gt, gte, lt, lte, contains and icontains')
  }
}

/** Mem0's `*`: any value. */
function exists(path: Path): MetadataFilter {
  return {
    not: {
      any: [
        { path, exists: false },
        { path, in: [null, []] },
      ],
    },
  }
}

/** A list equals any of its values. Some callers give ids as numbers, which are strings here. */
function equals(path: Path, value: Scalar, where: string): MetadataFilter {
  if (value === null)
    return {
      any: [
        { path, exists: false },
        { path, is: null },
      ],
    }
  const wanted = comparable(path, value, where)
  const same: Json[] = typeof wanted === 'number' ? [wanted, String(wanted)] : [wanted]
  if (path[0] !== 'metadata') return { path, in: same }
  const isList: MetadataFilter = { path: [...path, 0], exists: true }
  const holds = same.map((one): MetadataFilter => ({ path, contains: one }))
  return { any: [{ path, in: same }, { all: [isList, { any: holds }] }] }
}

function among(path: Path, values: readonly unknown[], where: string): MetadataFilter {
  if (values.length > MOST_VALUES) throw cannot(where, `has more than ${MOST_VALUES} values`)
  const scalars = values.map((value, index) => readScalar(value, `${where}.${index}`))
  return { any: scalars.map((value) => equals(path, value, where)) }
}

/** A value in comparable form: times as they are shown. */
function comparable<Value extends Scalar>(path: Path, value: Value, where: string): Value | string {
  if (!TIMES.has(path[0] ?? '')) return value
  const at = toTime(value)
  if (Number.isNaN(at)) throw cannot(where, 'must be a time such as 2026-03-01')
  return isoTime(at)
}

/** Mem0 takes seconds. Milliseconds exceed this from 1973 on, seconds until the year 5138. */
const SECONDS_BELOW = 1e11

/** Milliseconds since 1970, from milliseconds, seconds or ISO 8601; NaN for anything else. */
export function toTime(value: unknown): number {
  if (typeof value === 'number') return value < SECONDS_BELOW ? value * 1_000 : value
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}

function readScalar(value: unknown, where: string): Scalar {
  if (isScalar(value)) return value
  throw cannot(where, 'must be a string, a number, true, false or null')
}

/** Joins conditions; a single one stays itself. */
function all(of: readonly MetadataFilter[]): MetadataFilter {
  const [only] = of
  return of.length === 1 && only !== undefined ? only : { all: of }
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const cannot = (where: string, problem: string): Problem =>
  refuse(`body.${where}`, problem, `${where} ${problem}.`)

/**
 * Evaluates a filter as far as some fields are known: a boolean, or the remaining filter. So one filter first chooses scopes by name, and
 * then memories by all fields.
 */
export function narrow(filter: MetadataFilter, known: Metadata): boolean | MetadataFilter {
  if ('not' in filter) {
    const inner = narrow(filter.not, known)
    return typeof inner === 'boolean' ? !inner : { not: inner }
  }
  if ('all' in filter || 'any' in filter) {
    const isAll = 'all' in filter
    const of = (isAll ? filter.all : filter.any).map((one) => narrow(one, known))
    if (of.includes(!isAll)) return !isAll
    const left = of.filter((one) => typeof one !== 'boolean')
    if (left.length === 0) return isAll
    return isAll ? { all: left } : { any: left }
  }
  return Object.hasOwn(known, fieldOf(filter.path)) ? matchesMetadata(filter, known) : filter
}

/** The filter on the engine's metadata; `null` where it uses other fields. */
export function asMetadataFilter(filter: MetadataFilter): MetadataFilter | null {
  if ('not' in filter) {
    const inner = asMetadataFilter(filter.not)
    return inner === null ? null : { not: inner }
  }
  if ('all' in filter || 'any' in filter) {
    const of = ('all' in filter ? filter.all : filter.any).map(asMetadataFilter)
    const known = of.filter((one) => one !== null)
    if (known.length < of.length) return null
    return 'all' in filter ? { all: known } : { any: known }
  }
  const [field, ...rest] = stepsOf(filter.path)
  if (field === 'metadata') return { ...filter, path: rest }
  return field === 'feedback' || field === 'feedback_reason' ? { ...filter, path: [OWN_FIELD, field] } : null
}

const ENTITY_FIELDS: ReadonlySet<string> = new Set(['user_id', 'agent_id', 'app_id', 'run_id'])

export function namesEntity(filter: MetadataFilter): boolean {
  if ('not' in filter) return namesEntity(filter.not)
  if ('all' in filter) return filter.all.some(namesEntity)
  if ('any' in filter) return filter.any.some(namesEntity)
  return ENTITY_FIELDS.has(fieldOf(filter.path))
}

/** The users to which a filter is limited; `null`: any. Unchanged names, so that each can be checked. */
export function usersNamed(filter: MetadataFilter): ReadonlySet<string> | null {
  if ('not' in filter) return null
  if ('all' in filter) {
    const limits = filter.all.map(usersNamed).filter((limit) => limit !== null)
    return limits.reduce<ReadonlySet<string> | null>((all, one) => all?.intersection(one) ?? one, null)
  }
  if ('any' in filter) {
    const limits = filter.any.map(usersNamed)
    return limits.reduce(
      (all, one) => (all === null || one === null ? null : all.union(one)),
      new Set<string>(),
    )
  }
  if (fieldOf(filter.path) !== 'user_id') return null
  const values: readonly Json[] | undefined = filter.is === undefined ? filter.in : [filter.is]
  return values === undefined || values.includes(null) ? null : new Set(values.map(String))
}

function stepsOf(path: string | readonly (string | number)[]): readonly (string | number)[] {
  return typeof path === 'string' ? [path] : path
}

function fieldOf(path: string | readonly (string | number)[]): string {
  return String(stepsOf(path)[0])
}

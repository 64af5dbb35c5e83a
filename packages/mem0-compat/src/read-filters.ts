import type { Problem } from '@keepsake/server'
import type { Metadata, MetadataFilter } from 'keepsake'
import { parseIsoTime } from '@keepsake/text'
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
const TIME_FIELDS: ReadonlySet<string> = new Set(['created_at', 'updated_at'])

const MAX_DEPTH = 10
/** Maximum of conditions of a group, and of values of a condition. More of them would delay other requests. */
const MAX_CONDITIONS = 1_000

const COMPARISONS = { gt: 'above', gte: 'atLeast', lt: 'below', lte: 'atMost' } as const

type Path = readonly string[]
type Scalar = string | number | boolean | null

/** Unknown names are refused, or read as fields of `metadata` (in the self-hosted dialect). */
type UnknownNames = 'refuse' | 'metadata'

/** Reads Mem0's `filters` (`AND`, `OR`, `NOT`, operators, lists, `*`) as a filter of `filterable()`. @throws Problem 400 */
export function readFilters(value: unknown, unknownNames: UnknownNames = 'refuse'): MetadataFilter {
  return readObject(value, 'filters', { unknownNames, depth: 0 })
}

interface ReadContext {
  readonly unknownNames: UnknownNames
  readonly depth: number
}

function readObject(value: unknown, where: string, context: ReadContext): MetadataFilter {
  if (context.depth > MAX_DEPTH) throw badFilter(where, `is nested deeper than ${MAX_DEPTH} levels`)
  if (!isObject(value)) throw badFilter(where, 'must be an object such as {"user_id": "ana"}')
  return joinFilters(
    Object.entries(value).map(([key, inner]) => readEntry(key, inner, `${where}.${key}`, context)),
  )
}

function readEntry(key: string, value: unknown, where: string, context: ReadContext): MetadataFilter {
  const group = key.toUpperCase()
  if (group === 'AND' || group === 'OR' || group === 'NOT') {
    const filters = readGroup(value, where, { ...context, depth: context.depth + 1 })
    if (group === 'AND') return { all: filters }
    return group === 'OR' ? { any: filters } : { not: { any: filters } }
  }
  const snakeName = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  if (snakeName === 'metadata') return readMetadata(value, where)
  // Mem0's timestamp of a memory is its creation here.
  const name = snakeName === 'timestamp' ? 'created_at' : snakeName
  const knownField = FIELDS.find((field) => field === name)
  if (knownField !== undefined) return readConditions([knownField], value, where)
  if (context.unknownNames === 'metadata') return readConditions(['metadata', key], value, where)
  throw badFilter(where, `is no field. The fields are ${FIELDS.join(', ')}, and metadata with your own names`)
}

function readGroup(value: unknown, where: string, context: ReadContext): readonly MetadataFilter[] {
  const list = Array.isArray(value) ? (value as unknown[]) : [value]
  if (list.length === 0) throw badFilter(where, 'is empty')
  if (list.length > MAX_CONDITIONS) throw badFilter(where, `has more than ${MAX_CONDITIONS} conditions`)
  return list.map((inner, index) => readObject(inner, `${where}.${index}`, context))
}

function readMetadata(value: unknown, where: string): MetadataFilter {
  if (!isObject(value)) throw badFilter(where, 'must be an object such as {"topic": "travel"}')
  return joinFilters(
    Object.entries(value).map(([name, inner]) =>
      readConditions(['metadata', name], inner, `${where}.${name}`),
    ),
  )
}

function readConditions(path: Path, value: unknown, where: string): MetadataFilter {
  if (value === '*') return exists(path)
  if (isScalar(value)) return equals(path, value, where)
  if (Array.isArray(value)) return equalsAny(path, value, where)
  if (!isObject(value) || Object.keys(value).length === 0)
    throw badFilter(where, 'must be a value, "*", a list or an operator such as {"in": ["a", "b"]}')
  return joinFilters(
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
      if (!Array.isArray(value)) throw badFilter(where, 'must be a list')
      return equalsAny(path, value, where)
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (typeof value !== 'string' && typeof value !== 'number')
        throw badFilter(where, 'must be a time or a number')
      return { path, [COMPARISONS[operator]]: comparable(path, value, where) }
    case 'contains':
    case 'icontains':
      if (typeof value !== 'string') throw badFilter(where, 'must be a string')
      return { path, contains: value, ignoreCase: operator === 'icontains' }
    default:
      throw badFilter(
        where,
        'is no operator. The operators are eq, ne, in, gt, gte, lt, lte, contains and icontains',
      )
  }
}

/** Returns the filter for Mem0's `*`, which any value matches. */
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

/** Returns a filter by equality. A list equals any of its values. A number also equals its text, because some callers use numbers as ids. */
function equals(path: Path, value: Scalar, where: string): MetadataFilter {
  if (value === null)
    return {
      any: [
        { path, exists: false },
        { path, is: null },
      ],
    }
  const expected = comparable(path, value, where)
  const equalValues: Json[] = typeof expected === 'number' ? [expected, String(expected)] : [expected]
  if (path[0] !== 'metadata') return { path, in: equalValues }
  const isList: MetadataFilter = { path: [...path, 0], exists: true }
  const containsAny: MetadataFilter = { any: equalValues.map((contains) => ({ path, contains })) }
  return { any: [{ path, in: equalValues }, { all: [isList, containsAny] }] }
}

function equalsAny(path: Path, values: readonly unknown[], where: string): MetadataFilter {
  if (values.length > MAX_CONDITIONS) throw badFilter(where, `has more than ${MAX_CONDITIONS} values`)
  const scalars = values.map((value, index) => readScalar(value, `${where}.${index}`))
  return { any: scalars.map((value) => equals(path, value, where)) }
}

/** Converts times to ISO 8601, in which they can be compared. */
function comparable<Value extends Scalar>(path: Path, value: Value, where: string): Value | string {
  if (!TIME_FIELDS.has(path[0] ?? '')) return value
  const at = toTime(value)
  if (Number.isNaN(at)) throw badFilter(where, 'must be a time such as 2026-03-01')
  return isoTime(at)
}

/** A smaller number is in seconds, a larger one in milliseconds. The limit is the year 5138 in seconds and 1973 in milliseconds. */
const MAX_SECONDS = 1e11

/** Converts milliseconds, seconds or ISO 8601 to milliseconds since 1970; NaN for anything else. */
export function toTime(value: unknown): number {
  if (typeof value === 'number') return value < MAX_SECONDS ? value * 1_000 : value
  return typeof value === 'string' ? parseIsoTime(value) : Number.NaN
}

function readScalar(value: unknown, where: string): Scalar {
  if (isScalar(value)) return value
  throw badFilter(where, 'must be a string, a number, true, false or null')
}

function joinFilters(filters: readonly MetadataFilter[]): MetadataFilter {
  const [only] = filters
  return filters.length === 1 && only !== undefined ? only : { all: filters }
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const badFilter = (where: string, problem: string): Problem =>
  refuse(`body.${where}`, problem, `${where} ${problem}.`)

/** Evaluates a filter by the fields that are known. Returns a boolean if they decide it, else the remaining filter. */
export function narrow(filter: MetadataFilter, known: Metadata): boolean | MetadataFilter {
  if ('not' in filter) {
    const inner = narrow(filter.not, known)
    return typeof inner === 'boolean' ? !inner : { not: inner }
  }
  if ('all' in filter || 'any' in filter) {
    const isAll = 'all' in filter
    const results = (isAll ? filter.all : filter.any).map((part) => narrow(part, known))
    // One false part decides `all`, and one true part decides `any`.
    if (results.includes(!isAll)) return !isAll
    const rest = results.filter((result) => typeof result !== 'boolean')
    if (rest.length === 0) return isAll
    return isAll ? { all: rest } : { any: rest }
  }
  return Object.hasOwn(known, fieldOf(filter.path)) ? matchesMetadata(filter, known) : filter
}

/** Converts a filter to one on the engine's metadata; `null` when it uses other fields. */
export function asMetadataFilter(filter: MetadataFilter): MetadataFilter | null {
  if ('not' in filter) {
    const inner = asMetadataFilter(filter.not)
    return inner === null ? null : { not: inner }
  }
  if ('all' in filter || 'any' in filter) {
    const parts = ('all' in filter ? filter.all : filter.any).map(asMetadataFilter)
    const usable = parts.filter((part) => part !== null)
    if (usable.length < parts.length) return null
    return 'all' in filter ? { all: usable } : { any: usable }
  }
  const [field, ...rest] = pathSteps(filter.path)
  if (field === 'metadata') return { ...filter, path: rest }
  return field === 'feedback' || field === 'feedback_reason' ? { ...filter, path: [OWN_FIELD, field] } : null
}

const ENTITY_FIELDS: ReadonlySet<string> = new Set(['user_id', 'agent_id', 'app_id', 'run_id'])

/** Whether a filter has a condition on a user, agent, app or run. */
export function namesEntity(filter: MetadataFilter): boolean {
  if ('not' in filter) return namesEntity(filter.not)
  if ('all' in filter) return filter.all.some(namesEntity)
  if ('any' in filter) return filter.any.some(namesEntity)
  return ENTITY_FIELDS.has(fieldOf(filter.path))
}

/** The names of the users to which a filter is limited; `null` when it is not. */
export function usersIn(filter: MetadataFilter): ReadonlySet<string> | null {
  if ('not' in filter) return null
  if ('all' in filter) {
    const limits = filter.all.map(usersIn).filter((limit) => limit !== null)
    return limits.reduce<ReadonlySet<string> | null>(
      (users, limit) => users?.intersection(limit) ?? limit,
      null,
    )
  }
  if ('any' in filter) {
    const limits = filter.any.map(usersIn)
    return limits.reduce(
      (users, limit) => (users === null || limit === null ? null : users.union(limit)),
      new Set<string>(),
    )
  }
  if (fieldOf(filter.path) !== 'user_id') return null
  const values: readonly Json[] | undefined = filter.is === undefined ? filter.in : [filter.is]
  return values === undefined || values.includes(null) ? null : new Set(values.map(String))
}

function pathSteps(path: string | readonly (string | number)[]): readonly (string | number)[] {
  return typeof path === 'string' ? [path] : path
}

function fieldOf(path: string | readonly (string | number)[]): string {
  return String(pathSteps(path)[0])
}

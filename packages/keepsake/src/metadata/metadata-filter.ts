// Reads filters of metadata (the option `where`), and tests metadata against them.
import { isDeepStrictEqual } from 'node:util'
import { InvalidInputError, describeValue, didYouMean } from '@keepsake/text'
import { type Json, type Metadata, isObject, readMetadata } from '@keepsake/text/names'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { Filing } from '../filing/own-keys.ts'

/** Maximum nesting of a filter. */
const MAX_DEPTH = 10
/** Maximum number of conditions of a filter. More are likely a mistake, and would delay the calls of other users. */
const MAX_CONDITIONS = 250
const ORDERS = ['above', 'atLeast', 'below', 'atMost'] as const
const COMPARISONS = ['is', 'in', 'exists', ...ORDERS, 'contains', 'ignoreCase'] as const

/** Checks a filter. @throws InvalidInputError naming the invalid field, such as `where.all[1].path` */
export function readMetadataFilter(value: unknown, name: string): MetadataFilter {
  return readFilter(value, name, { conditions: MAX_CONDITIONS }, 1)
}

/** @param where path of the value, for messages. @param budget the number of further conditions that are allowed */
function readFilter(
  value: unknown,
  where: string,
  budget: { conditions: number },
  depth: number,
): MetadataFilter {
  if (depth > MAX_DEPTH) throw refuse(where, `is nested deeper than ${MAX_DEPTH} levels`)
  if ((budget.conditions -= 1) < 0) throw tooMany(where)
  if (!isObject(value)) throw refuse(where, 'must be a condition such as {path: "topic", is: "travel"}')
  const inner = (item: unknown, path: string): MetadataFilter => readFilter(item, path, budget, depth + 1)
  if ('not' in value) return { not: inner(onlyField(value, 'not', where), `${where}.not`) }
  for (const group of ['all', 'any'] as const) {
    if (!(group in value)) continue
    const list = onlyField(value, group, where)
    if (!Array.isArray(list)) throw refuse(`${where}.${group}`, 'must be a list of conditions')
    const filters = list.map((item, index) => inner(item, `${where}.${group}[${index}]`))
    return group === 'all' ? { all: filters } : { any: filters }
  }
  return readCondition(value, where, budget)
}

/** Returns the field of an object that may have no other field. */
function onlyField(value: Readonly<Record<string, unknown>>, name: string, where: string): unknown {
  const other = Object.keys(value).find((key) => key !== name)
  if (other !== undefined) throw refuse(`${where}.${other}`, `stands beside "${name}", which stands alone`)
  return value[name]
}

function readCondition(
  value: Readonly<Record<string, unknown>>,
  where: string,
  budget: { conditions: number },
): MetadataFilter {
  const given = Object.keys(value).filter((key) => value[key] !== undefined && key !== 'path')
  const unknown = given.find((key) => !COMPARISONS.some((comparison) => comparison === key))
  if (unknown !== undefined)
    throw refuse(`${where}.${unknown}`, `is no comparison: those are ${COMPARISONS.join(', ')}`)
  if (given.every((key) => key === 'ignoreCase'))
    throw refuse(where, `compares nothing: name one of ${COMPARISONS.slice(0, -1).join(', ')}`)
  const path = readPath(value['path'], `${where}.path`)
  for (const flag of ['exists', 'ignoreCase'] as const)
    if (given.includes(flag) && typeof value[flag] !== 'boolean')
      throw refuse(`${where}.${flag}`, 'must be true or false')
  for (const order of ORDERS)
    if (given.includes(order) && typeof value[order] !== 'number' && typeof value[order] !== 'string')
      throw refuse(`${where}.${order}`, 'must be a number or a text')
  if (given.includes('in') && !Array.isArray(value['in']))
    throw refuse(`${where}.in`, 'must be a list of values')
  // Objects and lists are compared one by one, so each costs as much as a condition.
  if (given.includes('in'))
    budget.conditions -= (value['in'] as unknown[]).filter((item) => typeof item === 'object').length
  if (budget.conditions < 0) throw tooMany(where)
  // The values to compare with must be JSON, like metadata.
  const comparisons = readMetadata(Object.fromEntries(given.map((key) => [key, value[key]])), where)
  return { path, ...comparisons }
}

function readPath(value: unknown, where: string): string | (string | number)[] {
  if (typeof value === 'string') return value
  const isStep = (step: unknown): step is string | number =>
    typeof step === 'string' || Number.isInteger(step)
  if (Array.isArray(value) && value.length > 0 && value.every(isStep)) return value
  throw refuse(where, 'must be the name of a field, or a list of names and places such as ["tags", 0]')
}

const tooMany = (where: string): InvalidInputError =>
  refuse(where, `is one condition more than the ${MAX_CONDITIONS} that are taken`)

function refuse(where: string, problem: string): InvalidInputError {
  return new InvalidInputError(`${where} ${problem}.`)
}

/** A field: its name, or its path through objects and lists, `['author', 'name']`, `['tags', 0]`. */
type MetadataPath = string | readonly (string | number)[]

/** A condition on one field, with at least one comparison; all must hold. An absent field matches only `exists: false`. */
interface MetadataCondition {
  readonly path: MetadataPath
  /** The field must equal this value, which may be an object, a list or `null`. */
  readonly is?: Json
  /** The field must equal one of these values. */
  readonly in?: readonly Json[]
  readonly exists?: boolean
  /** Numbers are compared with numbers, and texts with texts by character codes, so that ISO 8601 times can be compared. */
  readonly above?: number | string
  readonly atLeast?: number | string
  readonly below?: number | string
  readonly atMost?: number | string
  /** The field must be a text that contains this text, or a list that contains this value. */
  readonly contains?: Json
  /** Whether `contains` ignores the difference between capital and small letters. */
  readonly ignoreCase?: boolean
}

/**
 * A metadata filter, for `recall`, lists and stores.
 *
 * @example
 * const where: MetadataFilter = {
 *   all: [{ path: 'topic', in: ['travel', 'food'] }, { not: { path: ['rating', 'stars'], below: 3 } }],
 * }
 */
export type MetadataFilter =
  | { readonly all: readonly MetadataFilter[] }
  | { readonly any: readonly MetadataFilter[] }
  | { readonly not: MetadataFilter }
  | MetadataCondition

const NO_FIELDS: Metadata = {}
/** Results of long filters, computed before the search. */
const COMPUTED = new WeakMap<MetadataFilter, WeakMap<Metadata, boolean>>()
/** Length as JSON from which the results of a filter are computed before the search. */
const LONG_FILTER = 1_000

/** Computes the results of a long filter before the search, because a search cannot yield. Returns `false` for a short filter. */
export async function prepareFilter(
  filter: MetadataFilter | null,
  collections: readonly ReadonlyMap<string, { readonly metadata: Metadata | null }>[],
): Promise<boolean> {
  if (filter === null || JSON.stringify(filter).length < LONG_FILTER) return false
  const results = new WeakMap<Metadata, boolean>()
  for (const { metadata } of collections.flatMap((collection) => [...collection.values()])) {
    await yieldToEventLoop()
    const fields = metadata ?? NO_FIELDS
    if (!results.has(fields)) results.set(fields, matchesMetadata(filter, fields))
  }
  COMPUTED.set(filter, results)
  return true
}

/** Checks metadata against a filter. `null` counts as metadata without fields. */
export function matchesMetadata(filter: MetadataFilter, metadata: Metadata | null): boolean {
  const computed = COMPUTED.get(filter)?.get(metadata ?? NO_FIELDS)
  if (computed !== undefined) return computed
  if ('all' in filter) return filter.all.every((inner) => matchesMetadata(inner, metadata))
  if ('any' in filter) return filter.any.some((inner) => matchesMetadata(inner, metadata))
  if ('not' in filter) return !matchesMetadata(filter.not, metadata)
  return matchesCondition(filter, valueAt(metadata, filter.path))
}

function valueAt(metadata: Metadata | null, path: MetadataPath): Json | undefined {
  const steps = typeof path === 'string' ? [path] : path
  return steps.reduce<Json | undefined>((value, step) => {
    if (Array.isArray(value)) return typeof step === 'number' ? (value as readonly Json[])[step] : undefined
    return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  }, metadata ?? undefined)
}

function matchesCondition(condition: MetadataCondition, value: Json | undefined): boolean {
  const { is, exists, above, atLeast, below, atMost, contains, ignoreCase = false } = condition
  if (exists !== undefined && exists !== (value !== undefined)) return false
  // No other comparison holds for an absent field.
  if (value === undefined)
    return [is, condition.in, above, atLeast, below, atMost, contains].every(
      (comparison) => comparison === undefined,
    )
  return (
    (is === undefined || isEqual(value, is)) &&
    (condition.in === undefined || isInList(value, condition.in)) &&
    (above === undefined || compare(value, above) > 0) &&
    (atLeast === undefined || compare(value, atLeast) >= 0) &&
    (below === undefined || compare(value, below) < 0) &&
    (atMost === undefined || compare(value, atMost) <= 0) &&
    (contains === undefined || containsValue(value, contains, ignoreCase))
  )
}

/** Cached sets of the values of lists, because a list may be long. */
const SETS = new WeakMap<readonly Json[], ReadonlySet<Json>>()

function isInList(value: Json, list: readonly Json[]): boolean {
  // A set would compare objects by identity, not by their fields.
  if (typeof value === 'object' && value !== null) return list.some((item) => isEqual(value, item))
  const set = SETS.get(list) ?? new Set(list)
  SETS.set(list, set)
  return set.has(value)
}

function isEqual(value: Json, other: Json): boolean {
  return value === other || isDeepStrictEqual(value, other)
}

/** Compares two values, as `sort` expects. Returns NaN for a number and a text, since no comparison with NaN holds. */
function compare(value: Json, limit: number | string): number {
  if (typeof value === 'number' && typeof limit === 'number') return value - limit
  if (typeof value !== 'string' || typeof limit !== 'string') return Number.NaN
  return value < limit ? -1 : Number(value > limit)
}

function containsValue(value: Json, wanted: Json, ignoreCase: boolean): boolean {
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text)
  const foldIfText = (json: Json): Json => (typeof json === 'string' ? fold(json) : json)
  if (Array.isArray(value)) return value.some((item: Json) => isEqual(foldIfText(item), foldIfText(wanted)))
  return typeof value === 'string' && typeof wanted === 'string' && fold(value).includes(fold(wanted))
}

/** Limits a filter to facts of categories, which their metadata holds. @throws InvalidInputError for unknown categories */
export function inCategories(
  { categories: known }: Pick<Filing, 'categories'>,
  where: MetadataFilter | undefined,
  categories: readonly string[] | undefined,
): MetadataFilter | undefined {
  if (categories === undefined) return where
  if (!Array.isArray(categories))
    throw new InvalidInputError(`categories must be a list of names, but it is ${describeValue(categories)}.`)
  // Without categories of its own, a memory accepts every name: another process may have written the facts.
  const unknown = categories.find((name) => known.size > 0 && !known.has(name))
  if (unknown !== undefined)
    throw new InvalidInputError(
      `There is no category ${describeValue(unknown)}. ${didYouMean(unknown, [...known.keys()])}`,
    )
  const filter: MetadataFilter = { path: 'category', in: [...categories] }
  return where === undefined ? filter : { all: [where, filter] }
}

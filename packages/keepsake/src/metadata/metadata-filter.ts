import { isDeepStrictEqual } from 'node:util'
import { InvalidInputError, describeValue, didYouMean } from '@keepsake/text'
import { type Json, type Metadata, isObject, readMetadata } from '@keepsake/text/names'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { Filing } from '../filing/own-keys.ts'

/** Maximum nesting of a filter. */
const DEEPEST = 10
/** Conditions in all: more are a mistake, and would hold up everybody else. */
const MOST_CONDITIONS = 250
const ORDERS = ['above', 'atLeast', 'below', 'atMost'] as const
const COMPARISONS = ['is', 'in', 'exists', ...ORDERS, 'contains', 'ignoreCase'] as const

/** Reads a caller's filter once, at the boundary. @throws InvalidInputError naming the place that cannot be read. */
export function readMetadataFilter(value: unknown, what: string): MetadataFilter {
  const left = { conditions: MOST_CONDITIONS }
  return readFilter(value, what, left, 1)
}

function readFilter(
  value: unknown,
  where: string,
  left: { conditions: number },
  depth: number,
): MetadataFilter {
  if (depth > DEEPEST) throw refuse(where, `is nested deeper than ${DEEPEST} levels`)
  if ((left.conditions -= 1) < 0) throw tooMany(where)
  if (!isObject(value)) throw refuse(where, 'must be a condition such as {path: "topic", is: "travel"}')
  const inner = (one: unknown, at: string): MetadataFilter => readFilter(one, at, left, depth + 1)
  if ('not' in value) return { not: inner(onlyField(value, 'not', where), `${where}.not`) }
  for (const group of ['all', 'any'] as const) {
    if (!(group in value)) continue
    const list = onlyField(value, group, where)
    if (!Array.isArray(list)) throw refuse(`${where}.${group}`, 'must be a list of conditions')
    const of = list.map((one, index) => inner(one, `${where}.${group}[${index}]`))
    return group === 'all' ? { all: of } : { any: of }
  }
  return readCondition(value, where, left)
}

function onlyField(value: Readonly<Record<string, unknown>>, name: string, where: string): unknown {
  const other = Object.keys(value).find((key) => key !== name)
  if (other !== undefined) throw refuse(`${where}.${other}`, `stands beside "${name}", which stands alone`)
  return value[name]
}

function readCondition(
  value: Readonly<Record<string, unknown>>,
  where: string,
  left: { conditions: number },
): MetadataFilter {
  const named = Object.keys(value).filter((key) => value[key] !== undefined && key !== 'path')
  const unknown = named.find((key) => !COMPARISONS.some((one) => one === key))
  if (unknown !== undefined)
    throw refuse(`${where}.${unknown}`, `is no comparison: those are ${COMPARISONS.join(', ')}`)
  if (named.every((key) => key === 'ignoreCase'))
    throw refuse(where, `compares nothing: name one of ${COMPARISONS.slice(0, -1).join(', ')}`)
  const path = readPath(value['path'], `${where}.path`)
  for (const flag of ['exists', 'ignoreCase'] as const)
    if (named.includes(flag) && typeof value[flag] !== 'boolean')
      throw refuse(`${where}.${flag}`, 'must be true or false')
  for (const order of ORDERS)
    if (named.includes(order) && typeof value[order] !== 'number' && typeof value[order] !== 'string')
      throw refuse(`${where}.${order}`, 'must be a number or a text')
  if (named.includes('in') && !Array.isArray(value['in']))
    throw refuse(`${where}.in`, 'must be a list of values')
  // Objects and lists are compared one by one, so each costs as much as a condition.
  if (named.includes('in'))
    left.conditions -= (value['in'] as unknown[]).filter((one) => typeof one === 'object').length
  if (left.conditions < 0) throw tooMany(where)
  // What is compared with is JSON, as what it is compared to.
  const compared = readMetadata(Object.fromEntries(named.map((key) => [key, value[key]])), where)
  return { path, ...compared }
}

function readPath(value: unknown, where: string): string | (string | number)[] {
  if (typeof value === 'string') return value
  const isStep = (step: unknown): step is string | number =>
    typeof step === 'string' || Number.isInteger(step)
  if (Array.isArray(value) && value.length > 0 && value.every(isStep)) return value
  throw refuse(where, 'must be the name of a field, or a list of names and places such as ["tags", 0]')
}

const tooMany = (where: string): InvalidInputError =>
  refuse(where, `is one condition more than the ${MOST_CONDITIONS} that are taken`)

function refuse(where: string, problem: string): InvalidInputError {
  return new InvalidInputError(`${where} ${problem}.`)
}

/** A field: its name, or its path through objects and lists, `['author', 'name']`, `['tags', 0]`. */
type MetadataPath = string | readonly (string | number)[]

/** A condition on one field, with at least one comparison; all must hold. An absent field matches only `exists: false`. */
interface MetadataCondition {
  readonly path: MetadataPath
  /** The very value, of objects and lists too; `null` is a value. */
  readonly is?: Json
  /** One of these values. */
  readonly in?: readonly Json[]
  readonly exists?: boolean
  /** Comparisons of numbers with numbers, and of texts with texts by their characters' codes, as ISO 8601 times are compared. */
  readonly above?: number | string
  readonly atLeast?: number | string
  readonly below?: number | string
  readonly atMost?: number | string
  /** A text that holds this text, or a list that holds this value. */
  readonly contains?: Json
  /** `contains` takes capitals and small letters for the same. */
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
/** What long filters said of metadata, found out beforehand in pieces. */
const KNOWN = new WeakMap<MetadataFilter, WeakMap<Metadata, boolean>>()
/** Length as JSON from which a filter is tried in pieces. */
const LONG_FILTER = 1_000

/** Tries a long filter on all that a search may meet, and lets others run between. @returns `false` for a short one, which is left */
export async function tryFilter(
  filter: MetadataFilter | null,
  all: readonly ReadonlyMap<string, { readonly metadata: Metadata | null }>[],
): Promise<boolean> {
  if (filter === null || JSON.stringify(filter).length < LONG_FILTER) return false
  const known = new WeakMap<Metadata, boolean>()
  for (const { metadata } of all.flatMap((some) => [...some.values()])) {
    await yieldToEventLoop()
    const fields = metadata ?? NO_FIELDS
    if (!known.has(fields)) known.set(fields, matchesMetadata(filter, fields))
  }
  KNOWN.set(filter, known)
  return true
}

/** Checks metadata against a filter. `null` counts as no fields. Pure; every store filters like this. */
export function matchesMetadata(filter: MetadataFilter, metadata: Metadata | null): boolean {
  const known = KNOWN.get(filter)?.get(metadata ?? NO_FIELDS)
  if (known !== undefined) return known
  if ('all' in filter) return filter.all.every((one) => matchesMetadata(one, metadata))
  if ('any' in filter) return filter.any.some((one) => matchesMetadata(one, metadata))
  if ('not' in filter) return !matchesMetadata(filter.not, metadata)
  return meets(filter, valueAt(metadata, filter.path))
}

function valueAt(metadata: Metadata | null, path: MetadataPath): Json | undefined {
  const steps = typeof path === 'string' ? [path] : path
  return steps.reduce<Json | undefined>((value, step) => {
    if (Array.isArray(value)) return typeof step === 'number' ? (value as readonly Json[])[step] : undefined
    return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  }, metadata ?? undefined)
}

function meets(condition: MetadataCondition, value: Json | undefined): boolean {
  const { is, exists, above, atLeast, below, atMost, contains, ignoreCase = false } = condition
  if (exists !== undefined && exists !== (value !== undefined)) return false
  if (value === undefined)
    return [is, condition.in, above, atLeast, below, atMost, contains].every((one) => one === undefined)
  return (
    (is === undefined || isSame(value, is)) &&
    (condition.in === undefined || isAmong(value, condition.in)) &&
    (above === undefined || compare(value, above) > 0) &&
    (atLeast === undefined || compare(value, atLeast) >= 0) &&
    (below === undefined || compare(value, below) < 0) &&
    (atMost === undefined || compare(value, atMost) <= 0) &&
    (contains === undefined || holds(value, contains, ignoreCase))
  )
}

/** The values of long lists, as sets. */
const SETS = new WeakMap<readonly Json[], ReadonlySet<Json>>()

function isAmong(value: Json, list: readonly Json[]): boolean {
  // Objects are the same by their fields.
  if (typeof value === 'object' && value !== null) return list.some((one) => isSame(value, one))
  const set = SETS.get(list) ?? new Set(list)
  SETS.set(list, set)
  return set.has(value)
}

function isSame(one: Json, other: Json): boolean {
  return one === other || isDeepStrictEqual(one, other)
}

/** Below 0, 0 or above; NaN, to which nothing compares, where the two are not of one kind. */
function compare(one: Json, other: number | string): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one !== 'string' || typeof other !== 'string') return Number.NaN
  return one < other ? -1 : Number(one > other)
}

function holds(value: Json, wanted: Json, ignoreCase: boolean): boolean {
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text)
  const folded = (one: Json): Json => (typeof one === 'string' ? fold(one) : one)
  if (Array.isArray(value)) return value.some((one: Json) => isSame(folded(one), folded(wanted)))
  return typeof value === 'string' && typeof wanted === 'string' && fold(value).includes(fold(wanted))
}

/**
 * Narrows a filter to facts of these categories, which are kept as metadata.
 *
 * @throws InvalidInputError for what is no list of names, or a category that this memory was opened without
 */
export function inCategories(
  { categories: known }: Pick<Filing, 'categories'>,
  where: MetadataFilter | undefined,
  categories: readonly string[] | undefined,
): MetadataFilter | undefined {
  if (categories === undefined) return where
  if (!Array.isArray(categories))
    throw new InvalidInputError(`categories must be a list of names, but it is ${describeValue(categories)}.`)
  // A memory that was opened without any filters by what another wrote.
  const unknown = categories.find((name) => known.size > 0 && !known.has(name))
  if (unknown !== undefined)
    throw new InvalidInputError(
      `There is no category ${describeValue(unknown)}. ${didYouMean(unknown, [...known.keys()])}`,
    )
  const filter: MetadataFilter = { path: 'category', in: [...categories] }
  return where === undefined ? filter : { all: [where, filter] }
}

import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type Metadata } from './metadata.ts'

/** A field: its name, or its path through objects and lists, `['author', 'name']`, `['tags', 0]`. */
export type MetadataPath = string | readonly (string | number)[]

/**
 * A condition on one field. At least one comparison; all that are named must hold. Of a field that is not there, none holds but
 * `exists: false`.
 */
export interface MetadataCondition {
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
 * Which metadata is meant: one form for `recall`, for lists, and for stores.
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

/** Checks metadata against a filter. `null` counts as no fields. Pure; every store filters like this. */
export function matchesMetadata(filter: MetadataFilter, metadata: Metadata | null): boolean {
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
  const asked = [is, condition.in, above, atLeast, below, atMost, contains]
  if (value === undefined) return asked.every((one) => one === undefined)
  return (
    (is === undefined || isSame(value, is)) &&
    (condition.in === undefined || condition.in.some((one) => isSame(value, one))) &&
    (above === undefined || compare(value, above) > 0) &&
    (atLeast === undefined || compare(value, atLeast) >= 0) &&
    (below === undefined || compare(value, below) < 0) &&
    (atMost === undefined || compare(value, atMost) <= 0) &&
    (contains === undefined || holds(value, contains, ignoreCase))
  )
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

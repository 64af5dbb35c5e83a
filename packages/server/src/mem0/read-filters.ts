import { Problem } from '../problem.ts'

/** A condition on one field. `exists` is Mem0's `*`. */
export type Comparison =
  | { readonly kind: 'exists' }
  | { readonly kind: 'equals' | 'differs'; readonly value: Scalar }
  | { readonly kind: 'in'; readonly values: readonly Scalar[] }
  | { readonly kind: 'gt' | 'gte' | 'lt' | 'lte'; readonly value: string | number }
  | { readonly kind: 'contains' | 'icontains'; readonly value: string }

export type Scalar = string | number | boolean | null

/** `filters` as Mem0's clients write them, read. */
export type Filter =
  | { readonly kind: 'all' | 'any' | 'none'; readonly of: readonly Filter[] }
  | { readonly kind: 'field'; readonly field: FilterField; readonly is: Comparison }
  | { readonly kind: 'metadata'; readonly name: string; readonly is: Comparison }

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

export type FilterField = (typeof FIELDS)[number]

const GROUPS = { AND: 'all', OR: 'any', NOT: 'none' } as const
/** Deeper ones are no filter that a person wrote. */
const DEEPEST = 10
/** Conditions in all: more are a mistake, and would hold up everybody else. */
const MOST_VALUES = 1_000

/**
 * Reads `filters`: `AND`, `OR` and `NOT`, fields in snake or camel case, a value, `*`, a list or operators.
 *
 * @param atTop how an unknown name is taken: `refuse` it, or as a name within `metadata` (the self-hosted dialect)
 * @throws Problem 400 naming what cannot be read.
 */
export function readFilters(value: unknown, unknown: 'refuse' | 'metadata' = 'refuse'): Filter {
  return new FilterReader(unknown).object(value, 'filters', 0)
}

class FilterReader {
  readonly #unknown: 'refuse' | 'metadata'

  constructor(unknown: 'refuse' | 'metadata') {
    this.#unknown = unknown
  }

  object(value: unknown, where: string, depth: number): Filter {
    if (depth > DEEPEST) throw refuse(where, `is nested deeper than ${DEEPEST} levels`)
    if (!isObject(value)) throw refuse(where, 'must be an object such as {"user_id": "ana"}')
    const of = Object.entries(value).flatMap(([key, inner]) =>
      this.#entry(key, inner, `${where}.${key}`, depth),
    )
    return of.length === 1 && of[0] !== undefined ? of[0] : { kind: 'all', of }
  }

  #entry(key: string, value: unknown, where: string, depth: number): Filter[] {
    const group = key.toUpperCase()
    if (group === 'AND' || group === 'OR' || group === 'NOT') return [this.#group(group, value, where, depth)]
    const field = snakeCase(key)
    if (field === 'metadata') return this.#metadata(value, where)
    // What Mem0 calls the time a memory is of is when it was made here.
    const known = FIELDS.find((one) => one === (field === 'timestamp' ? 'created_at' : field))
    if (known !== undefined)
      return readComparisons(value, where).map((is) => ({ kind: 'field', field: known, is }))
    if (this.#unknown === 'metadata')
      return readComparisons(value, where).map((is) => ({ kind: 'metadata', name: key, is }))
    throw refuse(
      where,
      `is no field: those are ${FIELDS.join(', ')}, and metadata with names of your own in it`,
    )
  }

  #group(group: keyof typeof GROUPS, value: unknown, where: string, depth: number): Filter {
    const list = Array.isArray(value) ? (value as unknown[]) : [value]
    if (list.length === 0) throw refuse(where, 'is empty')
    if (list.length > MOST_VALUES) throw refuse(where, `has more than ${MOST_VALUES} conditions`)
    const of = list.map((inner, index) => this.object(inner, `${where}.${index}`, depth + 1))
    return { kind: GROUPS[group], of }
  }

  #metadata(value: unknown, where: string): Filter[] {
    if (!isObject(value)) throw refuse(where, 'must be an object such as {"topic": "travel"}')
    return Object.entries(value).flatMap(([name, inner]) =>
      readComparisons(inner, `${where}.${name}`).map((is): Filter => ({ kind: 'metadata', name, is })),
    )
  }
}

function readComparisons(value: unknown, where: string): Comparison[] {
  if (value === '*') return [{ kind: 'exists' }]
  if (isScalar(value)) return [{ kind: 'equals', value }]
  if (Array.isArray(value)) return [{ kind: 'in', values: readList(value, where) }]
  if (!isObject(value) || Object.keys(value).length === 0)
    throw refuse(where, 'must be a value, "*", a list or an operator such as {"in": ["a", "b"]}')
  return Object.entries(value).map(([operator, operand]) =>
    readOperator(operator, operand, `${where}.${operator}`),
  )
}

function readOperator(operator: string, value: unknown, where: string): Comparison {
  switch (operator) {
    case 'eq':
      return value === '*' ? { kind: 'exists' } : { kind: 'equals', value: readScalar(value, where) }
    case 'ne':
      return { kind: 'differs', value: readScalar(value, where) }
    case 'in':
      if (!Array.isArray(value)) throw refuse(where, 'must be a list')
      return { kind: 'in', values: readList(value, where) }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (typeof value !== 'string' && typeof value !== 'number')
        throw refuse(where, 'must be a time or a number')
      return { kind: operator, value }
    case 'contains':
    case 'icontains':
      if (typeof value !== 'string') throw refuse(where, 'must be a string')
      return { kind: operator, value }
    default:
      throw refuse(where, 'is no operator: those are eq, ne, in, gt, gte, lt, lte, contains and icontains')
  }
}

function readList(values: readonly unknown[], where: string): Scalar[] {
  if (values.length > MOST_VALUES) throw refuse(where, `has more than ${MOST_VALUES} values`)
  return values.map((value, index) => readScalar(value, `${where}.${index}`))
}

function readScalar(value: unknown, where: string): Scalar {
  if (isScalar(value)) return value
  throw refuse(where, 'must be a string, a number, true, false or null')
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function refuse(where: string, problem: string): Problem {
  return new Problem(400, 'invalid-input', `${where} ${problem}.`, {
    fields: [{ field: `body.${where}`, problem }],
  })
}

import { InvalidInputError } from '@keepsake/text'
import { isObject } from './metadata.ts'
import type { MetadataFilter } from './metadata-filter.ts'
import { readMetadata } from './read-metadata.ts'

/** Maximum nesting of a filter. */
const DEEPEST = 10
/** Conditions in all: more are a mistake, and would hold up everybody else. */
const MOST_CONDITIONS = 1_000
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
  if ((left.conditions -= 1) < 0)
    throw refuse(where, `is one condition more than the ${MOST_CONDITIONS} that are taken`)
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
  return readCondition(value, where)
}

function onlyField(value: Readonly<Record<string, unknown>>, name: string, where: string): unknown {
  const other = Object.keys(value).find((key) => key !== name)
  if (other !== undefined) throw refuse(`${where}.${other}`, `stands beside "${name}", which stands alone`)
  return value[name]
}

function readCondition(value: Readonly<Record<string, unknown>>, where: string): MetadataFilter {
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

function refuse(where: string, problem: string): InvalidInputError {
  return new InvalidInputError(`${where} ${problem}.`)
}

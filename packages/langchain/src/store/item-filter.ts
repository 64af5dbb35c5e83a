import { isDeepStrictEqual } from 'node:util'
import { InvalidInputError } from 'keepsake'

export type JsonObject = Readonly<Record<string, unknown>>

type Compare = (value: unknown, expected: unknown) => boolean

const compareNumbers =
  (compare: (one: number, other: number) => boolean): Compare =>
  (value, expected) =>
    compare(Number(value), Number(expected))

const OPERATORS: Readonly<Record<string, Compare>> = {
  $eq: (value, expected) => isDeepStrictEqual(value, expected),
  $ne: (value, expected) => !isDeepStrictEqual(value, expected),
  $gt: compareNumbers((one, other) => one > other),
  $gte: compareNumbers((one, other) => one >= other),
  $lt: compareNumbers((one, other) => one < other),
  $lte: compareNumbers((one, other) => one <= other),
  $in: (value, expected) => Array.isArray(expected) && expected.some((one) => isDeepStrictEqual(value, one)),
  $nin: (value, expected) =>
    Array.isArray(expected) && !expected.some((one) => isDeepStrictEqual(value, one)),
}

/** @throws InvalidInputError for an unknown operator */
export function checkFilter(filter: JsonObject): void {
  for (const [field, expected] of Object.entries(filter)) {
    const unknown = operatorsOf(expected)?.find((name) => !Object.hasOwn(OPERATORS, name))
    if (unknown !== undefined)
      throw new InvalidInputError(
        `filter.${field} uses the unknown operator "${unknown}". The operators are ${Object.keys(OPERATORS).join(', ')}.`,
      )
  }
}

/** Whether every field of the filter matches: by equality, or by its operators. Pure. */
export function matchesFilter(value: JsonObject, filter: JsonObject): boolean {
  return Object.entries(filter).every(([field, expected]) => {
    const fieldValue = Object.hasOwn(value, field) ? value[field] : undefined
    const operators = operatorsOf(expected)
    if (operators === null) return isDeepStrictEqual(fieldValue, expected)
    return operators.every(
      (name) => OPERATORS[name]?.(fieldValue, Reflect.get(expected as object, name)) === true,
    )
  })
}

/** The operators of a condition; `null` for a plain value. */
function operatorsOf(expected: unknown): string[] | null {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) return null
  const names = Object.keys(expected)
  return names.length > 0 && names.every((name) => name.startsWith('$')) ? names : null
}

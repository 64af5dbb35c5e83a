import { isDeepStrictEqual } from 'node:util'
import { InvalidInputError } from 'keepsake'

export type JsonObject = Readonly<Record<string, unknown>>

type Compare = (value: unknown, expected: unknown) => boolean

const compareNumbers =
  (compare: (left: number, right: number) => boolean): Compare =>
  (value, expected) =>
    compare(Number(value), Number(expected))

const OPERATORS: Readonly<Record<string, Compare>> = {
  $eq: (value, expected) => isDeepStrictEqual(value, expected),
  $ne: (value, expected) => !isDeepStrictEqual(value, expected),
  $gt: compareNumbers((left, right) => left > right),
  $gte: compareNumbers((left, right) => left >= right),
  $lt: compareNumbers((left, right) => left < right),
  $lte: compareNumbers((left, right) => left <= right),
  $in: (value, expected) =>
    Array.isArray(expected) && expected.some((item) => isDeepStrictEqual(value, item)),
  $nin: (value, expected) =>
    Array.isArray(expected) && !expected.some((item) => isDeepStrictEqual(value, item)),
}

/** Checks the operators of a filter. @throws InvalidInputError for an unknown operator */
export function checkFilter(filter: JsonObject): void {
  for (const [field, expected] of Object.entries(filter)) {
    const unknown = operatorsOf(expected)?.find((name) => !Object.hasOwn(OPERATORS, name))
    if (unknown !== undefined)
      throw new InvalidInputError(
        `filter.${field} uses the unknown operator "${unknown}". The operators are ${Object.keys(OPERATORS).join(', ')}.`,
      )
  }
}

/** Whether every field of the filter matches, by equality or by its operators. */
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

/** Returns the operators of a condition; `null` for a plain value. */
function operatorsOf(expected: unknown): string[] | null {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) return null
  const names = Object.keys(expected)
  return names.length > 0 && names.every((name) => name.startsWith('$')) ? names : null
}

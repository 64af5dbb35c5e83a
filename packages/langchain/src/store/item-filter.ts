import { isDeepStrictEqual } from 'node:util'
import { InvalidInputError } from 'keepsake'

/** An object as JSON holds it. */
export type JsonObject = Readonly<Record<string, unknown>>

type Compare = (value: unknown, wanted: unknown) => boolean

const numbers =
  (compare: (one: number, other: number) => boolean): Compare =>
  (value, wanted) =>
    compare(Number(value), Number(wanted))

/** The comparisons of LangGraph's stores. */
const OPERATORS: Readonly<Record<string, Compare>> = {
  $eq: (value, wanted) => isDeepStrictEqual(value, wanted),
  $ne: (value, wanted) => !isDeepStrictEqual(value, wanted),
  $gt: numbers((one, other) => one > other),
  $gte: numbers((one, other) => one >= other),
  $lt: numbers((one, other) => one < other),
  $lte: numbers((one, other) => one <= other),
  $in: (value, wanted) => Array.isArray(wanted) && wanted.some((one) => isDeepStrictEqual(value, one)),
  $nin: (value, wanted) => Array.isArray(wanted) && !wanted.some((one) => isDeepStrictEqual(value, one)),
}

/** Refuses a filter with an operator that there is not. @throws InvalidInputError naming it. */
export function checkFilter(filter: JsonObject): void {
  for (const [field, wanted] of Object.entries(filter)) {
    const unknown = operatorsOf(wanted)?.find((name) => !Object.hasOwn(OPERATORS, name))
    if (unknown !== undefined)
      throw new InvalidInputError(
        `filter.${field} uses the unknown operator "${unknown}". The operators are ${Object.keys(OPERATORS).join(', ')}.`,
      )
  }
}

/** Whether a value has every field as the filter wants it: equal, or as its operators say. Pure. */
export function matchesFilter(value: JsonObject, filter: JsonObject): boolean {
  return Object.entries(filter).every(([field, wanted]) => {
    const found = Object.hasOwn(value, field) ? value[field] : undefined
    const operators = operatorsOf(wanted)
    if (operators === null) return isDeepStrictEqual(found, wanted)
    return operators.every((name) => OPERATORS[name]?.(found, Reflect.get(wanted as object, name)) === true)
  })
}

/** The operators of a condition; `null` for a plain value. */
function operatorsOf(wanted: unknown): string[] | null {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return null
  const names = Object.keys(wanted)
  return names.length > 0 && names.every((name) => name.startsWith('$')) ? names : null
}

import { deepEqual } from 'node:assert/strict'

/** Asserts that a value has at least what is expected of it: fields that are not named are not looked at, lists are whole. */
export function assertHas(actual: unknown, expected: unknown): void {
  deepEqual(seenAs(actual, expected), expected)
}

/** As much of a value as the other tells of. */
function seenAs(value: unknown, like: unknown): unknown {
  if (typeof value !== 'object' || value === null || typeof like !== 'object' || like === null) return value
  if (Array.isArray(value) && Array.isArray(like)) return value.map((one, index) => seenAs(one, like[index]))
  if (Array.isArray(like) || Object.getPrototypeOf(like) !== Object.prototype) return value
  return Object.fromEntries(
    Object.keys(like).map((key) => [key, seenAs(Reflect.get(value, key), Reflect.get(like, key))]),
  )
}

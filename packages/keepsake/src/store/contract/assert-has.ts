import { deepEqual } from 'node:assert/strict'

/** Asserts that a value has all expected fields. Further fields of objects are ignored; lists must have the same length. */
export function assertHas(actual: unknown, expected: unknown): void {
  deepEqual(pickExpected(actual, expected), expected)
}

/** Returns a copy of `value` without the fields that `expected` does not name. */
function pickExpected(value: unknown, expected: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (typeof expected !== 'object' || expected === null) return value
  if (Array.isArray(value) && Array.isArray(expected))
    return value.map((item, index) => pickExpected(item, expected[index]))
  const isPlainObject = Object.getPrototypeOf(expected) === Object.prototype
  if (!isPlainObject) return value
  return Object.fromEntries(
    Object.keys(expected).map((key) => [
      key,
      pickExpected(Reflect.get(value, key), Reflect.get(expected, key)),
    ]),
  )
}

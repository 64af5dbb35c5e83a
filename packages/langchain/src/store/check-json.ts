import { InvalidInputError } from 'keepsake'

/** An object as JSON holds it. */
export type JsonObject = Record<string, unknown>

/**
 * The JSON of an item's value, which parses to the same value again. A field that is `undefined` is left out, as JSON
 * does; what JSON would silently change (dates, maps, NaN, big integers, classes) is refused.
 *
 * @throws InvalidInputError naming the place in the value.
 */
export function writeJson(value: unknown, where: string): string {
  if (!isPlainObject(value))
    throw new InvalidInputError(`${where} must be an object with string keys, but it is ${kindOf(value)}.`)
  check(value, where, [])
  return JSON.stringify(value)
}

function check(value: unknown, where: string, around: readonly object[]): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return
  if (typeof value === 'number' && Number.isFinite(value)) return
  const isArray = Array.isArray(value)
  if (!isArray && !isPlainObject(value))
    throw new InvalidInputError(
      `${where} is ${kindOf(value)}, which JSON cannot hold. Store it as text or numbers, such as a date's toISOString().`,
    )
  if (around.includes(value)) throw new InvalidInputError(`${where} contains itself, which JSON cannot hold.`)
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined && !isArray) continue
    check(inner, isArray ? `${where}[${key}]` : `${where}.${key}`, [...around, value])
  }
}

function isPlainObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'undefined'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? `a ${value.constructor?.name ?? 'object'}` : `a ${typeof value}`
}

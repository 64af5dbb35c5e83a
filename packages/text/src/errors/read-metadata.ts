import { InvalidInputError } from './invalid-input-error.ts'

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** JSON that the application stores with a turn or memory, to filter. No fact is extracted from it and no model sees it. */
export type Metadata = { readonly [key: string]: Json }

/** Reports whether a value is an object with fields, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Maximum length as JSON. Store documents elsewhere. */
export const LONGEST_METADATA = 1_000_000
/** Maximum depth of nested objects and lists. The outermost object is level 1. */
export const DEEPEST_METADATA = 32
const LONGEST_KEY = 512

/** Validates metadata: omits `undefined`, refuses what JSON would change, replaces lone surrogates. @throws InvalidInputError */
export function readMetadata(value: unknown, what: string): Metadata {
  if (!isPlain(value))
    throw new InvalidInputError(
      `${what} must be an object such as {topic: "travel"}, but it is ${kindOf(value)}.`,
    )
  const metadata = readObject(value, what, 1)
  const { length } = JSON.stringify(metadata)
  if (length <= LONGEST_METADATA) return metadata
  throw new InvalidInputError(
    `${what} is ${length} characters long as JSON; at most ${LONGEST_METADATA} are taken. Keep large things elsewhere, and their address here.`,
  )
}

function readObject(value: object, where: string, depth: number): Metadata {
  if (depth > DEEPEST_METADATA)
    throw new InvalidInputError(`${where} lies deeper than ${DEEPEST_METADATA} levels, or contains itself.`)
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(
    fields.map(([key, inner]) => [readKey(key, where), readJson(inner, `${where}.${key}`, depth + 1)]),
  )
}

function readKey(key: string, where: string): string {
  if (key === '__proto__')
    throw new InvalidInputError(`${where} has a field "__proto__", which is no name for one.`)
  if (key.length <= LONGEST_KEY) return key.toWellFormed()
  throw new InvalidInputError(
    `${where} has a field whose name is ${key.length} characters long; at most ${LONGEST_KEY} are taken.`,
  )
}

function readJson(value: unknown, where: string, depth: number): Json {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return value.toWellFormed()
  // JSON knows no negative zero. Adding 0 makes it 0, so that the same value is read back.
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0
  if (Array.isArray(value)) return readList(value, where, depth)
  if (isPlain(value)) return readObject(value, where, depth)
  throw new InvalidInputError(
    `${where} is ${kindOf(value)}, which JSON cannot hold. Give it as text or numbers, such as a date's toISOString().`,
  )
}

function readList(list: readonly unknown[], where: string, depth: number): Json[] {
  if (depth > DEEPEST_METADATA)
    throw new InvalidInputError(`${where} lies deeper than ${DEEPEST_METADATA} levels, or contains itself.`)
  return list.map((item, index) => readJson(item, `${where}[${index}]`, depth + 1))
}

/** Reports whether a value is a plain object. An instance of a class would lose its class in JSON. */
function isPlain(value: unknown): value is object {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && typeof value['toJSON'] !== 'function'
}

/** Names a value without quoting it. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'number') return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? `a ${value.constructor?.name ?? 'object'}` : `a ${typeof value}`
}

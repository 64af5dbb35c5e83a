// Reads the categories and keys that an application defines, and the values of these keys.
import {
  InvalidInputError,
  describeValue,
  didYouMean,
  extendKeyTable,
  requireKnownOptions,
  type KeyTable,
  type PersonaKeyInput,
} from '@keepsake/text'
import type { Json } from '@keepsake/text/names'
import { z } from 'zod'
import { describeForm, isListSchema, isNumberSchema, type JsonSchema } from './describe-form.ts'

/** A schema of zod, Valibot, ArkType or any other library of https://standardschema.dev, whose check is synchronous. */
export interface StandardSchema<Output = unknown> {
  /** The interface that the standard defines. */
  readonly '~standard': {
    /** The version of the standard. */
    readonly version: 1
    readonly vendor: string
    /** Checks a value. Returns `{ value }` or `{ issues }`. */
    readonly validate: (value: unknown) => unknown
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

/** A key that the application defines, with the schema of its value. */
export interface OwnKey {
  /** A sentence about the value, for the model: “Their level in the language they learn.” */
  readonly description: string
  /** A Standard Schema such as zod's, or JSON Schema. A list collects the entries of all statements. */
  readonly schema: StandardSchema | JsonSchema
  /** The unit of a number, such as `km`. A value in another unit is refused. */
  readonly unit?: string
  /** The category of all statements under the key. */
  readonly category?: string
  /** How a new value is merged. Default: `append` for lists, `trajectory` for numbers (with former values), else `replace`. */
  readonly merge?: 'replace' | 'trajectory' | 'append'
}

/** Keys by their ids, English kebab-case. */
export type OwnKeys = Readonly<Record<string, OwnKey>>

/** The type of a key's value: the output of its Standard Schema, or JSON for JSON Schema. */
export type ValueOf<Key extends OwnKey> = Key['schema'] extends StandardSchema<infer Output> ? Output : Json

/** A value that was read, or the reason why it does not fit. */
export type ReadTyped = { readonly value: unknown } | { readonly problem: string }

/** A validated key. */
export interface TypedKey extends OwnKey {
  readonly id: string
  readonly isList: boolean
  /** The schema as JSON Schema; `null` if its library does not support this. */
  readonly json: JsonSchema | null
  readonly merge: 'replace' | 'trajectory' | 'append'
}

/** The categories and keys that an application defines. */
export interface Filing {
  /** Descriptions of categories by their names. */
  readonly categories: ReadonlyMap<string, string>
  readonly keys: ReadonlyMap<string, TypedKey>
}

const FIELDS = ['description', 'schema', 'unit', 'category', 'merge'] as const satisfies (keyof OwnKey)[]
const MERGES: readonly unknown[] = ['replace', 'trajectory', 'append', undefined]
/** Maximum number of categories, and of keys, because a prompt contains all of them. */
const MAX_ENTRIES = 100

/** Validates an application's categories and keys. @throws InvalidInputError with the category or key, and its problem */
export function readFiling(categories: unknown = {}, keys: unknown = {}): Filing {
  const named = new Map<string, string>()
  for (const [name, description] of entriesOf(categories, 'categories')) {
    if (name.trim() === '' || typeof description !== 'string' || description.trim() === '')
      throw new InvalidInputError(
        `categories.${name} must be a sentence that says what belongs in it, but it is ${describeValue(description)}.`,
      )
    named.set(name, description.trim())
  }
  const typed = entriesOf(keys, 'keys').map(([id, key]) => readKey(id, key, named))
  return { categories: named, keys: new Map(typed.map((key) => [key.id, key])) }
}

function entriesOf(value: unknown, what: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidInputError(`${what} must be an object by name, but it is ${describeValue(value)}.`)
  const entries = Object.entries(value)
  if (entries.length > MAX_ENTRIES)
    throw new InvalidInputError(`${what} has ${entries.length} entries; at most ${MAX_ENTRIES} are taken.`)
  return entries
}

function readKey(id: string, value: unknown, categories: ReadonlyMap<string, string>): TypedKey {
  const what = `keys.${id}`
  if (typeof value !== 'object' || value === null)
    throw new InvalidInputError(
      `${what} must be an object with a description and a schema, but it is ${describeValue(value)}.`,
    )
  requireKnownOptions(value, FIELDS, what, 'field')
  const { description, schema, unit, category, merge } = value as Partial<OwnKey>
  if (typeof description !== 'string' || description.trim() === '')
    throw new InvalidInputError(`${what}.description must say in a sentence what the key holds.`)
  if (unit !== undefined && (typeof unit !== 'string' || unit.trim() === ''))
    throw new InvalidInputError(`${what}.unit must be a word such as "km".`)
  if (!MERGES.includes(merge))
    throw new InvalidInputError(`${what}.merge must be replace, trajectory or append.`)
  if (category !== undefined && !categories.has(category))
    throw new InvalidInputError(
      `${what}.category is "${category}", which is no category. ${didYouMean(category, [...categories.keys()])}`,
    )
  const read = readSchema(schema, `${what}.schema`)
  const isList = read.json === null ? merge === 'append' : isListSchema(read.json)
  const defaultOfSingle = isNumberSchema(read.json) ? 'trajectory' : 'replace'
  return {
    id,
    description: description.trim(),
    ...read,
    isList,
    merge: merge ?? (isList ? 'append' : defaultOfSingle),
    ...(unit === undefined ? {} : { unit: unit.trim() }),
    ...(category === undefined ? {} : { category }),
  }
}

/** Reads a schema. JSON Schema is converted to a Standard Schema. */
function readSchema(
  schema: unknown,
  what: string,
): { readonly schema: StandardSchema; readonly json: JsonSchema | null } {
  if (isStandard(schema)) return { schema, json: jsonOf(schema) }
  if (typeof schema !== 'object' || schema === null || Object.keys(schema).length === 0)
    throw new InvalidInputError(
      `${what} must be a Standard Schema such as z.string(), or JSON Schema such as { type: 'string' }, but it is ${describeValue(schema)}.`,
    )
  try {
    return {
      schema: z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]),
      json: schema as JsonSchema,
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new InvalidInputError(`${what} is no JSON Schema that can be checked: ${why}.`, {}, error)
  }
}

/** Checks for a Standard Schema, which may be a function (ArkType). */
function isStandard(schema: unknown): schema is StandardSchema {
  const isHolder = (typeof schema === 'object' || typeof schema === 'function') && schema !== null
  return isHolder && typeof Reflect.get(schema, '~standard') === 'object'
}

/** Returns the JSON Schema of a schema; `null` if its library cannot give it. */
function jsonOf(schema: StandardSchema): JsonSchema | null {
  const standard = schema['~standard'] as StandardSchema['~standard'] & {
    readonly jsonSchema?: { input(options: { target: string }): JsonSchema }
  }
  try {
    const { $schema: _dialect, ...json } = standard.jsonSchema?.input({ target: 'draft-07' }) ?? {}
    return Object.keys(json).length === 0 ? null : json
  } catch {
    return null
  }
}

/** Adds the keys to a preset's table. They replace keys of the table with the same id. */
export function withOwnKeys(table: KeyTable, { keys }: Filing): KeyTable {
  const added = [...keys.values()].map(({ id, merge, isList }): PersonaKeyInput => {
    const known = table.get(id)
    const { type = 'persona' } = known ?? {}
    const names = known?.names ?? { en: [id.replaceAll('-', ' ')], zh: [] }
    return {
      id,
      names: { en: [...names.en], zh: [...names.zh] },
      type,
      merge,
      partOf: isList ? 'other' : 'same',
    }
  })
  return added.length === 0 ? table : extendKeyTable(table, added)
}

/** Reads a value from texts, one for each entry of a list. Each text is tried as it is and as JSON, and the first that fits is taken. */
export function readTyped(key: TypedKey, texts: readonly string[]): ReadTyped {
  const plain = texts.map((text) => withoutUnit(text, key))
  const hasRightCount = key.isList ? plain.length > 0 : plain.length === 1
  if (!hasRightCount)
    return { problem: `${key.id} takes ${key.isList ? 'entries' : 'one value'}, not ${plain.length}` }
  const parsed = plain.map(parseIfJson)
  const [first] = parsed
  // A list may be written as one text with a JSON array.
  const jsonList = texts.length === 1 && Array.isArray(first) ? [first] : []
  const readings: unknown[] = key.isList ? [...jsonList, plain, parsed] : [plain[0], first]
  const checks = readings.map((reading) => check(key, reading))
  const fitting = checks.find((read) => 'value' in read)
  if (fitting !== undefined) return fitting
  const why = checks.flatMap((read) => ('problem' in read ? [read.problem] : [])).at(-1) ?? ''
  const form = describeForm(key, 'en')
  return { problem: `“${texts.join('”, “')}” does not fit ${key.id} (${form}): ${why}` }
}

/** Removes the key's unit from the end of a value. */
function withoutUnit(text: string, { unit }: TypedKey): string {
  const value = text.trim()
  return unit !== undefined && value.toLowerCase().endsWith(unit.toLowerCase())
    ? value.slice(0, -unit.length).trim()
    : value
}

/** Parses a text as JSON. Returns other texts unchanged. */
function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The result of a Standard Schema's check. */
interface CheckResult {
  readonly value?: unknown
  readonly issues?: readonly { readonly message: string }[]
}

function check({ id, schema }: TypedKey, value: unknown): ReadTyped {
  const checked = (schema as StandardSchema)['~standard'].validate(value) as
    CheckResult | Promise<CheckResult>
  if (checked instanceof Promise) {
    checked.catch(() => undefined)
    throw new InvalidInputError(`keys.${id}.schema checks asynchronously: give one that answers at once.`)
  }
  if (checked.issues === undefined) return { value: checked.value }
  return { problem: checked.issues.map(({ message }) => message).join('; ') }
}

/** Writes a value as text for a memory: a number with its unit, a list of several entries as JSON. */
export function writeTyped({ unit, isList }: TypedKey, texts: readonly string[], value: unknown): string {
  if (isList) return texts.length === 1 ? (texts[0] ?? '') : JSON.stringify(value)
  if (typeof value === 'number' && unit !== undefined) return `${value} ${unit}`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Reads an application's value for a key, as JSON or text, into the memory's text. @throws InvalidInputError */
export function readGiven(key: TypedKey, given: unknown, what: string): string {
  const texts = (key.isList ? [given].flat() : [given]).map((entry) =>
    typeof entry === 'string' ? entry : JSON.stringify(entry),
  )
  const read = readTyped(key, texts)
  if ('problem' in read) throw new InvalidInputError(`${what}: ${read.problem}.`, { key: key.id })
  return writeTyped(key, texts, read.value)
}

/** Reads the value of a memory; `null` if it does not fit, because the schema has changed. */
export function readStored(key: TypedKey, stored: string): { readonly value: unknown } | null {
  const read = readTyped(key, [stored])
  return 'value' in read ? read : null
}

import { z } from 'zod'
import { InvalidInputError } from '../errors/invalid-input-error.ts'
import type { MemoryType } from './memory-types.ts'

/**
 * How a new value merges with the known ones (the MOOM paper, section 3.2 and appendix B).
 * `replace`: the new value supersedes. `append`: both stay active.
 * `trajectory`: the new value is active from now, older ones keep their time.
 * `contradictory`: a new value deletes a similar one under the opposite key.
 * `complex`: a model merges. Without a model the value is appended.
 */
export type MergeClass = 'replace' | 'append' | 'trajectory' | 'contradictory' | 'complex'

/** A key of the user profile. */
export interface PersonaKey {
  /** English kebab-case, e.g. `favourite-food`. */
  readonly id: string
  readonly names: { readonly en: readonly string[]; readonly zh: readonly string[] }
  readonly type: MemoryType
  readonly merge: MergeClass
  /** The opposite of a contradictory key. */
  readonly opposite: string | null
  /** Further keys that cannot have the same value, such as a favourite and a disliked animal. Only one of two keys must list the other. */
  readonly contradicts: readonly string[]
  /** Whether a less specific value is the same (`Lyon` after `Lyon, France`) or another (`tea` after `green tea`). */
  readonly partOf: 'same' | 'other'
  /** Whether the same value at another time is another event ("went to the museum"). */
  readonly repeats: boolean
  /** Whether the day that a value names comes again each year, as a birthday does. */
  readonly yearly: boolean
}

/** Keys by id. */
export type KeyTable = ReadonlyMap<string, PersonaKey>

const keySchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'an id is English kebab-case, such as `favourite-food`'),
  names: z.strictObject({
    en: z.array(z.string().trim().min(1)).default([]),
    zh: z.array(z.string().trim().min(1)).default([]),
  }),
  type: z.enum(['persona', 'relationship', 'event']).default('persona'),
  merge: z.enum(['replace', 'append', 'trajectory', 'contradictory', 'complex']),
  opposite: z.string().nullable().default(null),
  contradicts: z.array(z.string()).default([]),
  partOf: z.enum(['same', 'other']).optional(),
  repeats: z.boolean().default(false),
  yearly: z.boolean().default(false),
})

/** A key in a caller's form. `type`, `opposite` and `partOf` have defaults. */
export type PersonaKeyInput = z.input<typeof keySchema>

/**
 * Returns a table with added or changed keys. The given table stays unchanged.
 *
 * @throws InvalidInputError for a wrong field, a repeated id, or a contradictory key without its opposite.
 * Also for an opposite that is missing or does not point back, and for a missing contradicted key.
 *
 * @example
 * const table = extendKeyTable(keyTable(), [
 *   { id: 'spirit-animal', names: { en: ['spirit animal'], zh: ['守护动物'] }, merge: 'replace' },
 * ])
 */
export function extendKeyTable(table: KeyTable, keys: readonly PersonaKeyInput[]): KeyTable {
  const extended = new Map(table)
  const given = new Set<string>()
  for (const [index, input] of keys.entries()) {
    const key = readKey(input, index)
    if (given.has(key.id))
      throw new InvalidInputError(`The persona key "${key.id}" is given twice.`, { key: key.id })
    given.add(key.id)
    extended.set(key.id, key)
  }
  for (const key of extended.values()) {
    checkOpposite(key, extended)
    checkContradicted(key, extended)
  }
  return extended
}

function readKey(input: PersonaKeyInput, index: number): PersonaKey {
  const parsed = keySchema.safeParse(input)
  if (!parsed.success) {
    const what = parsed.error.issues
      .map((issue) => `${issue.path.join('.') || 'key'}: ${issue.message}`)
      .join('; ')
    throw new InvalidInputError(`Persona key ${index + 1} is not valid: ${what}.`, { index }, parsed.error)
  }
  const key = parsed.data
  return {
    ...key,
    partOf: key.partOf ?? (key.merge === 'replace' || key.merge === 'trajectory' ? 'same' : 'other'),
  }
}

function checkOpposite(key: PersonaKey, table: KeyTable): void {
  if (key.merge !== 'contradictory') return
  if (key.opposite === null)
    throw new InvalidInputError(`The contradictory persona key "${key.id}" names no opposite.`, {
      key: key.id,
    })
  const opposite = table.get(key.opposite)
  if (opposite === undefined || opposite.merge !== 'contradictory' || opposite.opposite !== key.id)
    throw new InvalidInputError(
      `The opposite of persona key "${key.id}" is "${key.opposite}", which must be a contradictory key with the opposite "${key.id}".`,
      { key: key.id, opposite: key.opposite },
    )
}

function checkContradicted({ id, contradicts }: PersonaKey, table: KeyTable): void {
  const missing = contradicts.find((otherKey) => otherKey === id || !table.has(otherKey))
  if (missing !== undefined)
    throw new InvalidInputError(
      `The persona key "${id}" contradicts "${missing}", which must be another key of the table.`,
      { key: id, contradicts: missing },
    )
}

/** Returns the keys that cannot have the same value as this one. */
export function opposedKeys(table: KeyTable, key: PersonaKey): ReadonlySet<string> {
  const against = [...table.values()].flatMap(({ id, contradicts }) =>
    contradicts.includes(key.id) ? [id] : [],
  )
  return new Set([...(key.opposite === null ? [] : [key.opposite]), ...key.contradicts, ...against])
}

/** Finds a key by its id or by its name in either language. */
export function findKey(table: KeyTable, idOrName: string): PersonaKey | undefined {
  const known = table.get(idOrName)
  if (known !== undefined) return known
  const name = idOrName.trim().toLowerCase()
  for (const key of table.values()) {
    if (key.names.en.some((label) => label.toLowerCase() === name) || key.names.zh.includes(name)) return key
  }
  return undefined
}

import type { JsonObject } from './item-filter.ts'

/** Paths of the fields that can be searched, or `false` for none. `$` is the whole value. */
export type IndexedFields = false | readonly string[]

/**
 * Returns the searchable text of an item: one line for each field, such as `topic: food`. The text of a single field has no name.
 *
 * @param fields paths such as `title`, `meta.title`, `chapters[*].content`, `authors[-1].name`.
 * @example
 * itemText({ text: 'Likes pizza', by: { name: 'Ana' } }, ['$']) // 'text: Likes pizza\nby name: Ana'
 */
export function itemText(value: JsonObject, fields: IndexedFields): string {
  if (fields === false) return ''
  const leaves = fields.flatMap((path) => (path === '$' ? leavesOf(value, []) : leavesAtPath(value, path)))
  const [only] = leaves
  if (only !== undefined && leaves.length === 1) return only.text
  return leaves
    .map(({ names, text }) => (names.length === 0 ? text : `${names.join(' ')}: ${text}`))
    .join('\n')
}

/** A text inside a value, with the names of the fields around it. */
interface Leaf {
  readonly names: readonly string[]
  readonly text: string
}

function leavesOf(value: unknown, names: readonly string[]): Leaf[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [{ names, text: value }]
  if (typeof value === 'number' || typeof value === 'boolean') return [{ names, text: String(value) }]
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, names))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...names, name]))
}

function leavesAtPath(value: JsonObject, path: string): Leaf[] {
  const steps = path.split(/\.|(?=\[)/).filter((step) => step !== '')
  const values = steps.reduce<readonly unknown[]>(
    (values, step) => values.flatMap((value) => valuesAt(value, step)),
    [value],
  )
  const names = steps.filter((step) => !step.startsWith('[') && step !== '*')
  return values.flatMap((value) => leavesOf(value, names))
}

function valuesAt(value: unknown, step: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const index = /^\[(.*)\]$/.exec(step)?.[1]
  if (step === '*' || index === '*') return Object.values(value)
  if (index === undefined) return Object.hasOwn(value, step) ? [Reflect.get(value, step)] : []
  const found: unknown = Array.isArray(value) ? value.at(Number.parseInt(index, 10)) : undefined
  return found === undefined ? [] : [found]
}

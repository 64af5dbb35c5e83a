import type { JsonSchema } from 'keepsake/model'

/** The least that a schema lets pass: empty lists and texts, nulls, the first of choices. */
export function leastAnswer(schema: JsonSchema): unknown {
  const options = schema['anyOf'] as JsonSchema[] | undefined
  if (options !== undefined)
    return leastAnswer(options.find(({ type }) => type === 'null') ?? options[0] ?? {})
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown
  if (schema['type'] === 'array') return []
  if (schema['type'] === 'string') return ''
  if (schema['type'] === 'boolean') return false
  if (schema['type'] !== 'object') return schema['type'] === 'null' ? null : 1
  const fields = Object.entries(schema['properties'] as Record<string, JsonSchema>)
  return Object.fromEntries(fields.map(([name, field]) => [name, leastAnswer(field)]))
}

import type { JsonSchema } from 'keepsake/model'

/** Makes the smallest answer that fits a schema: null, the first choice, empty lists, and the same sentence for every text. */
export function smallestAnswer(schema: JsonSchema): unknown {
  const options = schema['anyOf'] as JsonSchema[] | undefined
  if (options !== undefined)
    return smallestAnswer(options.find(({ type }) => type === 'null') ?? options[0] ?? {})
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown
  if (schema['type'] === 'array') return []
  if (schema['type'] === 'string') return 'The user talks with people about this and that.'
  if (schema['type'] === 'boolean') return false
  if (schema['type'] !== 'object') return schema['type'] === 'null' ? null : 1
  const fields = Object.entries(schema['properties'] as Record<string, JsonSchema>)
  return Object.fromEntries(fields.map(([name, field]) => [name, smallestAnswer(field)]))
}

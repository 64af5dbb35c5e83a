import { z } from 'zod'
import type { JsonSchema } from './language-model.ts'

const made = new WeakMap<z.ZodType, JsonSchema>()

/**
 * A prompt's answer shape as the JSON Schema providers take: closed objects, what the model writes rather than
 * what parsing makes of it. A field that may be missing should be nullable instead of optional: strict modes ask
 * for every field.
 */
export function answerSchema(schema: z.ZodType): JsonSchema {
  const known = made.get(schema)
  if (known !== undefined) return known
  const { $schema: _dialect, ...document } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.type === 'object' && jsonSchema.properties !== undefined)
        jsonSchema.additionalProperties ??= false
    },
  })
  made.set(schema, document)
  return document
}

/** A prompt's id as a name for its shape: letters, digits and `_`. */
export function schemaName(prompt: { readonly id: string }): string {
  return prompt.id.replace(/[^a-zA-Z0-9]+/g, '_')
}

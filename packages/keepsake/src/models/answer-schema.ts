import { z } from 'zod'
import { LEFT_OUT } from '../prompts/answer-shape.ts'
import type { JsonSchema } from './language-model.ts'

const made = new WeakMap<z.ZodType, JsonSchema>()

/**
 * Converts an answer shape to JSON Schema as providers take it: closed objects before parsing. All fields are
 * required, as strict modes ask, except those marked by `leftOut`, which save tokens.
 */
export function answerSchema(schema: z.ZodType): JsonSchema {
  const known = made.get(schema)
  if (known !== undefined) return known
  const { $schema: _dialect, ...document } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.type !== 'object' || jsonSchema.properties === undefined) return
      jsonSchema.additionalProperties ??= false
      withoutMarks(jsonSchema)
    },
  })
  made.set(schema, document)
  return document
}

interface ObjectSchema {
  properties?: Record<string, unknown>
  required?: string[]
}

/** Fields that are marked as ones to leave out are not required, and lose their mark. */
function withoutMarks(object: ObjectSchema): void {
  const marked = Object.entries(object.properties ?? {}).flatMap(([name, field]) =>
    typeof field === 'object' &&
    field !== null &&
    LEFT_OUT in field &&
    Reflect.deleteProperty(field, LEFT_OUT)
      ? [name]
      : [],
  )
  object.required = (object.required ?? []).filter((name) => !marked.includes(name))
}

/** Checks for optional fields, which strict modes refuse. */
export function hasOptional(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const { properties, required } = schema as { properties?: object; required?: readonly string[] }
  const own = Object.keys(properties ?? {}).length
  return (required !== undefined && own > required.length) || Object.values(schema).some(hasOptional)
}

/** A prompt's id as a name for its shape: letters, digits and `_`. */
export function schemaName(prompt: { readonly id: string }): string {
  return prompt.id.replace(/[^a-zA-Z0-9]+/g, '_')
}

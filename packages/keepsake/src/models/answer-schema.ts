// Converts the schema of a prompt to JSON Schema, which providers of models read.
import { z } from 'zod'
import { OPTIONAL_MARK } from '../prompts/check-answer.ts'
import type { JsonSchema } from './language-model.ts'

const jsonSchemas = new WeakMap<z.ZodType, JsonSchema>()

/** Converts a prompt's schema to strict JSON Schema: no further fields, and all required except those marked optional. */
export function answerSchema(schema: z.ZodType): JsonSchema {
  const cached = jsonSchemas.get(schema)
  if (cached !== undefined) return cached
  const { $schema: _dialect, ...document } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.type !== 'object' || jsonSchema.properties === undefined) return
      jsonSchema.additionalProperties ??= false
      applyOptionalMarks(jsonSchema)
    },
  })
  jsonSchemas.set(schema, document)
  return document
}

interface ObjectSchema {
  properties?: Record<string, unknown>
  required?: string[]
}

/** Makes marked fields optional, and removes their mark. */
function applyOptionalMarks(object: ObjectSchema): void {
  const optional = new Set<string>()
  for (const [name, field] of Object.entries(object.properties ?? {})) {
    if (typeof field !== 'object' || field === null || !(OPTIONAL_MARK in field)) continue
    Reflect.deleteProperty(field, OPTIONAL_MARK)
    optional.add(name)
  }
  object.required = (object.required ?? []).filter((name) => !optional.has(name))
}

/** Checks for optional fields, which the strict modes of providers refuse. */
export function hasOptional(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const { properties, required } = schema as { properties?: object; required?: readonly string[] }
  const count = Object.keys(properties ?? {}).length
  return (required !== undefined && count > required.length) || Object.values(schema).some(hasOptional)
}

/** Makes the name of a prompt's schema from its id, with letters, digits and `_` only. */
export function schemaName(prompt: { readonly id: string }): string {
  return prompt.id.replace(/[^a-zA-Z0-9]+/g, '_')
}

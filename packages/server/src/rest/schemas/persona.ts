import { z } from '@hono/zod-openapi'
import { GROUNDING_LABELS, MEMORY_TYPES } from 'keepsake'
import { momentSchema } from './fields.ts'
import { evidenceSchema } from './memory.ts'

const keySchema = z
  .object({
    id: z.string(),
    names: z.object({ en: z.array(z.string()), zh: z.array(z.string()) }),
    type: z.enum(MEMORY_TYPES),
    merge: z.enum(['replace', 'append', 'trajectory', 'contradictory', 'complex']),
    opposite: z.string().nullable(),
    partOf: z.enum(['same', 'other']),
    repeats: z.boolean(),
  })
  .openapi('PersonaKey')

const valueSchema = z
  .object({
    memory: z.string(),
    value: z.string(),
    text: z.string(),
    label: z.enum(GROUNDING_LABELS),
    validFrom: momentSchema,
    validUntil: momentSchema.nullable(),
    ageMs: z.number(),
    ageRounds: z.number().nullable(),
    evidence: z.array(evidenceSchema),
    isPast: z.boolean().openapi({ description: 'A value it had before, not one of today.' }),
  })
  .openapi('PersonaValue')

export const personaSchema = z
  .object({
    subjects: z.array(
      z.object({
        subject: z.string(),
        entries: z.array(z.object({ key: keySchema, values: z.array(valueSchema) })),
      }),
    ),
  })
  .openapi('PersonaSheet', {
    description: 'What is known of each person, by key; the user first.',
    example: { subjects: [] },
  })

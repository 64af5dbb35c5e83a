import { z } from '@hono/zod-openapi'
import type { PersonaEntry, PersonaKey, PersonaSheet, PersonaValue } from 'keepsake'
import { momentSchema, presentTime } from './fields.ts'
import { evidenceSchema, presentEvidence } from './memory.ts'
import { LABELS, TYPES } from './words.ts'

const keySchema = z
  .object({
    id: z.string(),
    names: z.object({ en: z.array(z.string()), zh: z.array(z.string()) }),
    type: z.enum(TYPES),
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
    label: z.enum(LABELS),
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

export function presentPersona(sheet: PersonaSheet): z.infer<typeof personaSchema> {
  const subjects = sheet.subjects.map(({ subject, entries }) => ({
    subject,
    entries: entries.map(presentEntry),
  }))
  return { subjects }
}

function presentEntry({ key, values }: PersonaEntry) {
  return { key: presentKey(key), values: values.map(presentValue) }
}

function presentKey({ names, ...key }: PersonaKey): z.infer<typeof keySchema> {
  return { ...key, names: { en: [...names.en], zh: [...names.zh] } }
}

function presentValue(value: PersonaValue): z.infer<typeof valueSchema> {
  return {
    ...value,
    validFrom: presentTime(value.validFrom),
    validUntil: presentTime(value.validUntil),
    evidence: value.evidence.map(presentEvidence),
  }
}

import { z } from '@hono/zod-openapi'
import { GROUNDING_LABELS, MEMORY_TYPES } from 'keepsake'
import { json } from '../describe-route.ts'
import { personRoute, type AddRoute } from '../add-route.ts'
import { momentSchema, orNull } from '../schemas/fields.ts'
import { evidenceSchema, memorySchema } from '../schemas/memory.ts'
import { profileSchema } from '../schemas/profile.ts'

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
    isPast: z.boolean().describe('A value it had before, not one of today.'),
  })
  .openapi('PersonaValue')

const personaSchema = z
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

const storySchema = z
  .object({ levels: z.array(z.object({ level: z.int(), units: z.array(memorySchema) })) })
  .openapi('Story', {
    description: 'The story so far: level 1 are raw units, 0 the sessions’ summaries.',
    example: { levels: [] },
  })

const portraitSchema = z
  .object({
    current: orNull(memorySchema).describe('The newest version; null while there is none.'),
    versions: z.array(memorySchema).describe('All versions, oldest first.'),
  })
  .openapi('Portrait', {
    description: 'The compressed whole: user, relationship, events.',
    example: { current: null, versions: [] },
  })

/** What consolidation makes of a person as a whole. */
export const wholePersonRoutes: readonly AddRoute[] = [
  personRoute('GET /persona', {
    id: 'getPersona',
    tag: 'persona',
    summary: 'The persona sheet',
    description: 'What is known, by key: values, since when, and on what evidence.',
    needs: 'read',
    answer: json('The sheet.', personaSchema),
    handle: async ({ memory, show }) => show(await memory.persona()),
  }),
  personRoute('GET /profile', {
    id: 'getProfile',
    tag: 'persona',
    summary: 'The profile',
    description: 'The little that should be known in every talk; each line with what it rests on.',
    needs: 'read',
    answer: json('The profile.', profileSchema),
    handle: async ({ memory, show }) => show(await memory.profile()),
  }),
  personRoute('GET /story', {
    id: 'getStory',
    tag: 'story',
    summary: 'The story so far',
    description: 'Level by level, and the sessions’ summaries.',
    needs: 'read',
    answer: json('The story.', storySchema),
    handle: async ({ memory, show }) => show({ levels: await memory.story() }),
  }),
  personRoute('GET /portrait', {
    id: 'getPortrait',
    tag: 'portrait',
    summary: 'The portrait, with its earlier versions',
    description: 'Where the preset makes one.',
    needs: 'read',
    answer: json('The portrait.', portraitSchema),
    handle: async ({ memory, show }) => show(await memory.portrait()),
  }),
]

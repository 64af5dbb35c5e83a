import { z } from '@hono/zod-openapi'
import { GROUNDING_LABELS, MEMORY_FORMS, MEMORY_STATUSES, MEMORY_TYPES, PROFILE_SLOTS } from 'keepsake'
import { keptMetadataSchema, momentSchema } from './fields.ts'

export const evidenceSchema = z
  .object({
    turn: z.string(),
    quote: z
      .string()
      .nullable()
      .describe('The supporting words; null for the whole turn, or once they were withdrawn.'),
    against: z
      .boolean()
      .optional()
      .describe('Set where the words put the memory in doubt: they may mean that it is over.'),
    corrected: z
      .boolean()
      .optional()
      .describe('Set where the words say it wrongly and were corrected since.'),
  })
  .openapi('Evidence', { description: 'A turn that supports a memory, and the words in it that do.' })

const pastVersionSchema = z
  .object({
    text: z.string(),
    value: z.string().nullable(),
    validFrom: momentSchema,
    validUntil: momentSchema,
    evidence: z.array(evidenceSchema),
  })
  .openapi('PastVersion', { description: 'A statement that the memory no longer makes.' })

export const originSchema = z
  .object({
    preset: z.string(),
    step: z.string(),
    promptVersion: z.string().nullable(),
    model: z.string().nullable(),
    actor: z.string().optional().describe('Of the step `api`: who called, where it is known.'),
  })
  .openapi('Origin', { description: 'What made a memory or an operation.' })

const signalsSchema = z.object({
  arousal: z.number().nullable(),
  surprise: z.number().nullable(),
  importance: z.number().nullable(),
})

const useSchema = z.object({
  first: z.int(),
  second: z.int(),
  rounds: z.array(z.number()),
  secondAt: z
    .int()
    .optional()
    .describe('The round in which it was last among the next only, and suppressed.'),
  lastSession: z.int(),
  lastAt: momentSchema,
})

export const memorySchema = z
  .object({
    id: z.string(),
    agent: z.string().nullable().describe('The agent whose scope it is in.'),
    app: z.string().nullable().describe('The app whose scope it is in.'),
    form: z.enum(MEMORY_FORMS),
    type: z.enum(MEMORY_TYPES),
    subject: z.string().describe('Whom it is about: `user`, `agent`, or a name.'),
    text: z.string(),
    searchWords: z.string().describe('Words of a model by which recall finds it too.'),
    key: z.string().nullable().describe('Its key on the persona sheet.'),
    value: z.string().nullable(),
    level: z.int().describe('Level of the story, from 1; 0 for all else.'),
    label: z.enum(GROUNDING_LABELS).describe('Whose word it rests on.'),
    evidence: z.array(evidenceSchema),
    sources: z.array(z.string()).describe('Ids of the memories it was made from.'),
    status: z.enum(MEMORY_STATUSES),
    reason: z.string().nullable().describe('Why it is quarantined or forgotten.'),
    pinned: z.boolean(),
    learnedAt: momentSchema,
    validFrom: momentSchema,
    validUntil: momentSchema.nullable().describe('null while it is still so.'),
    past: z.array(pastVersionSchema),
    session: z.string(),
    sessionNumber: z.int(),
    round: z.int(),
    signals: signalsSchema,
    use: useSchema,
    origin: originSchema,
    name: z.string().nullable().describe('The name of a note or block.'),
    limit: z.int().nullable().describe('Most characters of a block’s text; null for all else.'),
    metadata: keptMetadataSchema,
  })
  .openapi('Memory', { description: 'One plain statement kept about a scope, with its evidence.' })

export type MemoryJson = z.infer<typeof memorySchema>

export const receiptSchema = z
  .object({
    id: z.string(),
    at: momentSchema,
    turns: z.int(),
    memories: z.int(),
    payloads: z.int(),
    documents: z.int(),
    purgedAt: momentSchema
      .nullable()
      .describe(
        'When the bytes were out of file and journal; null while that is still to do: nothing of it can be read even so.',
      ),
  })
  .openapi('EraseReceipt', { description: 'Says what was removed, and nothing of what it said.' })

export const strengthSchema = z
  .object({ value: z.number(), parts: z.record(z.string(), z.number()) })
  .openapi('Strength', { description: 'How strongly a memory holds, in the parts of the policy’s formula.' })

/** A memory that the policy forgot, and why. */
export const forgottenSchema = z.object({ memory: z.string(), strength: strengthSchema, reason: z.string() })

export const profileSchema = z
  .object({
    lines: z.array(
      z.object({
        slot: z.enum(PROFILE_SLOTS),
        text: z.string(),
        memories: z.array(z.string()).describe('The memories it was made from.'),
        evidence: z.array(z.object({ turn: z.string() })).describe('The turns it rests on.'),
        validFrom: momentSchema,
      }),
    ),
  })
  .openapi('Profile', {
    description: 'Name, health and safety, home, work, family, what goes on now, in at most 150 tokens.',
  })

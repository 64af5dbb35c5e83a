import { z } from '@hono/zod-openapi'
import { GROUNDING_LABELS, MEMORY_FORMS, MEMORY_STATUSES, MEMORY_TYPES, PROFILE_SLOTS } from 'keepsake'
import { keptMetadataSchema, momentSchema } from './fields.ts'

export const evidenceSchema = z
  .object({
    turn: z.string(),
    quote: z
      .string()
      .nullable()
      .describe('The supporting words; null for the whole turn, or after the words were withdrawn.'),
    against: z
      .boolean()
      .optional()
      .describe('Set if the words put the memory in doubt: they may mean that it has ended.'),
    corrected: z
      .boolean()
      .optional()
      .describe('Set if the words were wrong and the user corrected them later.'),
  })
  .openapi('Evidence', { description: 'A turn that supports a memory, with the supporting words.' })

const pastVersionSchema = z
  .object({
    text: z.string(),
    value: z.string().nullable(),
    validFrom: momentSchema,
    validUntil: momentSchema,
    evidence: z.array(evidenceSchema),
  })
  .openapi('PastVersion', { description: 'An earlier version of the statement.' })

export const originSchema = z
  .object({
    preset: z.string(),
    step: z.string(),
    promptVersion: z.string().nullable(),
    model: z.string().nullable(),
    actor: z.string().optional().describe('For the step `api`: the caller, if known.'),
  })
  .openapi('Origin', { description: 'The step that made a memory or an operation.' })

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
    .describe(
      'The round after which its strength was suppressed, because it was only among the next results.',
    ),
  lastSession: z.int(),
  lastAt: momentSchema,
})

export const memorySchema = z
  .object({
    id: z.string(),
    agent: z.string().nullable().describe('The agent of the memory’s scope.'),
    app: z.string().nullable().describe('The app of the memory’s scope.'),
    form: z.enum(MEMORY_FORMS),
    type: z.enum(MEMORY_TYPES),
    subject: z.string().describe('The person whom it is about: `user`, `agent`, or a name.'),
    text: z.string(),
    searchWords: z.string().describe('Further words, written by a model, by which recall finds it.'),
    key: z.string().nullable().describe('Its key on the persona sheet.'),
    value: z.string().nullable(),
    level: z.int().describe('Level of a story unit, from 1; 0 for all other memories.'),
    label: z.enum(GROUNDING_LABELS).describe('Whose words support it.'),
    evidence: z.array(evidenceSchema),
    sources: z.array(z.string()).describe('Ids of the memories from which it was made.'),
    status: z.enum(MEMORY_STATUSES),
    reason: z.string().nullable().describe('The reason why it is quarantined or forgotten.'),
    pinned: z.boolean(),
    learnedAt: momentSchema,
    validFrom: momentSchema,
    validUntil: momentSchema.nullable().describe('null while it is still true.'),
    past: z.array(pastVersionSchema),
    session: z.string(),
    sessionNumber: z.int(),
    round: z.int(),
    signals: signalsSchema,
    use: useSchema,
    origin: originSchema,
    name: z.string().nullable().describe('The name of a note or block.'),
    limit: z.int().nullable().describe('Maximum characters of a block’s text; null for all other memories.'),
    metadata: keptMetadataSchema,
  })
  .openapi('Memory', { description: 'A statement, message, summary or block in a scope, with its evidence.' })

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
        'The time when no byte was left in the file and the journal. While it is null, nothing of the erased data can be read either.',
      ),
  })
  .openapi('EraseReceipt', { description: 'A record of what was removed. It contains no texts.' })

export const strengthSchema = z
  .object({ value: z.number(), parts: z.record(z.string(), z.number()) })
  .openapi('Strength', { description: 'The strength of a memory, with the parts of the policy’s formula.' })

/** A memory that the policy forgot, and why. */
export const forgottenSchema = z.object({ memory: z.string(), strength: strengthSchema, reason: z.string() })

export const profileSchema = z
  .object({
    lines: z.array(
      z.object({
        slot: z.enum(PROFILE_SLOTS),
        text: z.string(),
        memories: z.array(z.string()).describe('The memories from which it was made.'),
        evidence: z.array(z.object({ turn: z.string() })).describe('The turns that support it.'),
        validFrom: momentSchema,
      }),
    ),
  })
  .openapi('Profile', {
    description: 'Name, health and safety, home, work, family and current events, in at most 150 tokens.',
  })

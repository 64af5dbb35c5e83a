import { z } from '@hono/zod-openapi'
import { MEMORY_FORMS, MEMORY_TYPES, ROLES } from 'keepsake'
import {
  keptMetadataSchema,
  momentSchema,
  nameSchema,
  timeSchema,
  timeZoneSchema,
  whereSchema,
} from './fields.ts'
import { memorySchema } from './memory.ts'
import { profileSchema } from './profile.ts'

/** What recalling and replying both take. */
export const recallFields = {
  limit: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Memories to return at most; the preset’s own number when absent.'),
  tokens: z
    .int()
    .min(1)
    .max(10_000_000)
    .optional()
    .describe('Token budget of the composed context; 1,000 when absent.'),
  now: timeSchema.optional().describe('The moment of asking; the clock when absent.'),
  reinforce: z
    .boolean()
    .optional()
    .describe('Whether this strengthens what it returns; as the preset says when absent.'),
  timeZone: timeZoneSchema.optional().describe('The asker’s time zone.'),
  profile: z
    .boolean()
    .optional()
    .describe('false: the profile does not stand ahead of what was found in the context.'),
  shown: z
    .array(z.string())
    .max(1_000)
    .optional()
    .describe('Texts that whoever reads the context sees anyway: what was said in these words is left out.'),
  speaker: nameSchema.optional().describe('Who asks, when several people are remembered.'),
} as const

export const recallRequestSchema = z
  .strictObject({
    question: z.string().describe('A question, or the talk’s last turn.'),
    types: z.array(z.enum(MEMORY_TYPES)).optional(),
    forms: z.array(z.enum(MEMORY_FORMS)).optional(),
    where: whereSchema.optional(),
    asOf: timeSchema.optional().describe('Answer from what was known and true then.'),
    ...recallFields,
  })
  .openapi('RecallRequest', { example: { question: 'Where does Ana live?', limit: 5 } })

const recalledEvidenceSchema = z
  .object({
    turn: z.string(),
    session: z.string(),
    role: z.enum(ROLES),
    speaker: z.string().nullable(),
    at: momentSchema,
    timeZone: z.string().nullable(),
    text: z.string().nullable().describe('null when it may no longer be shown.'),
    metadata: keptMetadataSchema,
    score: z.number(),
  })
  .openapi('RecalledEvidence')

const recalledMemorySchema = z
  .object({
    memory: memorySchema,
    score: z.number().describe('Higher is better; comparable within one recall.'),
    parts: z.record(z.string(), z.number()).describe('What the score is made of; they add up to it.'),
    evidence: z.array(recalledEvidenceSchema),
    pending: z.boolean().describe('A turn not yet consolidated; its memory’s id does not last.'),
  })
  .openapi('RecalledMemory')

/** A recall, for the document. */
export const RECALL_EXAMPLE = {
  question: 'Where does Ana live?',
  memories: [],
  sessions: [{ session: 'monday', score: 1.8 }],
  context: {
    text: '- [since 2026-05-01] "The user lives in Lyon."',
    tokens: 12,
    memories: 1,
    shown: ['0198c7c2-5d3e-7aa1-9c1f-2f4b1c9d7e10'],
  },
  profile: { lines: [] },
  confidence: 0.93,
  known: true,
  milliseconds: 4.2,
}

export const recallSchema = z
  .object({
    question: z.string(),
    memories: z.array(recalledMemorySchema),
    sessions: z.array(z.object({ session: z.string(), score: z.number() })),
    context: z
      .object({ text: z.string(), tokens: z.number(), memories: z.int(), shown: z.array(z.string()) })
      .describe('What to hand to a language model; `shown` are the ids of the memories in it.'),
    profile: profileSchema,
    confidence: z.number().describe('Probability that what was asked was ever said, 0 to 1.'),
    known: z.boolean().describe('`false`: better say “I don’t know” than answer.'),
    milliseconds: z.number(),
  })
  .openapi('Recall', {
    example: RECALL_EXAMPLE,
  })

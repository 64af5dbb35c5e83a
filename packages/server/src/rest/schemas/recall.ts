import { z } from '@hono/zod-openapi'
import { MEMORY_FORMS, MEMORY_TYPES, ROLES } from 'keepsake'
import {
  keptMetadataSchema,
  momentSchema,
  idSchema,
  nameSchema,
  saysSomething,
  spanSchema,
  timeSchema,
  timeZoneSchema,
  whereSchema,
} from './fields.ts'
import { memorySchema, profileSchema } from './memory.ts'

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
  blocks: z.boolean().optional().describe('false: the blocks of the agent do not stand in the context.'),
  excludeTexts: z
    .array(z.string())
    .max(1_000)
    .optional()
    .describe('Texts that the reader of the context sees anyway: messages in these words are left out.'),
  speaker: nameSchema.optional().describe('Who asks, when several people are remembered.'),
} as const

const questionSchema = z
  .string()
  .refine(saysSomething, 'is empty: ask something, or give the talk’s last turn')
  .describe('A question, or the talk’s last turn. Not empty.')

/** All options of a recall, without the question. */
const recallOptions = {
  types: z.array(z.enum(MEMORY_TYPES)).optional(),
  forms: z.array(z.enum(MEMORY_FORMS)).optional(),
  where: whereSchema.optional(),
  said: spanSchema.optional().describe('Only what was said in this span.'),
  during: spanSchema.optional().describe('Only what was so at some time in this span.'),
  categories: z.array(nameSchema).max(200).optional().describe('Only facts of these categories.'),
  asOf: timeSchema.optional().describe('Answer from what was known and true then.'),
  ...recallFields,
} as const

/** More people than talk with one another. */
const MAX_SCOPES = 32

export const acrossRequestSchema = z
  .strictObject({
    question: questionSchema,
    scopes: z
      .array(
        z.strictObject({
          tenant: idSchema.optional(),
          user: idSchema,
          agent: idSchema.optional(),
          app: idSchema.optional(),
          name: nameSchema.optional().describe('What the context calls them; the user when absent.'),
        }),
      )
      .min(1, 'is empty: name at least one scope')
      .max(MAX_SCOPES),
    ...recallOptions,
  })
  .openapi('AcrossRecallRequest')

export const recallRequestSchema = z
  .strictObject({ question: questionSchema, ...recallOptions })
  .openapi('RecallRequest')

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
    score: z
      .number()
      .describe(
        'The turn’s own; 0 where the memory was found by words of its own, as facts are, and not by this turn.',
      ),
    corrected: z.literal(true).optional().describe('Set where a fact that it states was corrected since.'),
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

const answerableSchema = z
  .enum(['yes', 'maybe', 'no'])
  .nullable()
  .describe(
    '`yes`: the person asked about said it. `maybe`: something near it was found; answer from it if it answers. `no`: nothing near it was found; say “I don’t know”. `null`: nothing was asked.',
  )

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
    answerable: answerableSchema,
    known: z.boolean().describe('Whether `answerable` is `yes`.'),
    wordsOnly: z
      .literal(true)
      .optional()
      .describe(
        '`true` when the embedding model could not be asked: the results are found by their words alone.',
      ),
    milliseconds: z.number(),
  })
  .openapi('Recall')

const acrossMemorySchema = z
  .object({ ...recalledMemorySchema.shape, of: z.int().describe('Place of its scope among `scopes`.') })
  .openapi('AcrossMemory')

export const acrossRecallSchema = z
  .object({
    question: z.string(),
    scopes: z
      .array(
        z.object({
          key: z.object({
            tenant: z.string().optional(),
            user: z.string(),
            agent: z.string().optional(),
            app: z.string().optional(),
          }),
          name: z.string(),
          recall: recallSchema,
        }),
      )
      .describe('Each scope’s own recall, in the order they were named.'),
    memories: z.array(acrossMemorySchema).describe('All that was found, best first.'),
    context: z
      .object({ text: z.string(), tokens: z.number(), memories: z.int(), shown: z.array(z.string()) })
      .describe('A part for each who is known to have said something of it, under their name.'),
    confidence: z.number().describe('The greatest of the scopes’.'),
    answerable: answerableSchema.describe('The surest of the scopes’ answers.'),
    known: z.boolean().describe('Whether `answerable` is `yes`.'),
    milliseconds: z.number(),
  })
  .openapi('AcrossRecall', {
    description: 'What several memories hold on one question; each memory says whose it is.',
  })

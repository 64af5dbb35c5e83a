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
    .describe('Maximum number of memories. The default is the preset’s number.'),
  tokens: z
    .int()
    .min(1)
    .max(10_000_000)
    .optional()
    .describe('Token budget of the context. The default is 1,000.'),
  now: timeSchema.optional().describe('The time of the question. The default is the clock.'),
  reinforce: z
    .boolean()
    .optional()
    .describe('Whether the recall strengthens the memories that it returns. The preset sets the default.'),
  timeZone: timeZoneSchema.optional().describe('The time zone of the user.'),
  profile: z.boolean().optional().describe('`false`: the context does not begin with the profile.'),
  blocks: z.boolean().optional().describe('`false`: the context does not contain the blocks of the agent.'),
  excludeTexts: z
    .array(z.string())
    .max(1_000)
    .optional()
    .describe('Texts that the reader of the context sees anyway. Messages with the same text are left out.'),
  speaker: nameSchema.optional().describe('The person who asks, if several people speak.'),
} as const

const questionSchema = z
  .string()
  .refine(saysSomething, 'is empty: ask a question, or pass the last message')
  .describe('A question, or the last message of the conversation. It must not be empty.')

/** All options of a recall, without the question. */
const recallOptions = {
  types: z.array(z.enum(MEMORY_TYPES)).optional(),
  forms: z.array(z.enum(MEMORY_FORMS)).optional(),
  where: whereSchema.optional(),
  said: spanSchema.optional().describe('Only memories of turns from this time span.'),
  during: spanSchema.optional().describe('Only memories that were true at some time in this time span.'),
  categories: z.array(nameSchema).max(200).optional().describe('Only facts of these categories.'),
  asOf: timeSchema.optional().describe('Answers from what was known and true at this time.'),
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
          name: nameSchema
            .optional()
            .describe('The name of the user in the context. The default is `user` of the scope.'),
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
    text: z.string().nullable().describe('null if it may no longer be shown.'),
    metadata: keptMetadataSchema,
    score: z
      .number()
      .describe('The score of the turn; 0 if the memory was found by its own words and not by this turn.'),
    corrected: z.literal(true).optional().describe('Set if a fact that it states was corrected later.'),
  })
  .openapi('RecalledEvidence')

const recalledMemorySchema = z
  .object({
    memory: memorySchema,
    score: z.number().describe('A higher score is better. Scores are comparable within one recall.'),
    parts: z.record(z.string(), z.number()).describe('The parts of the score. Their sum is the score.'),
    evidence: z.array(recalledEvidenceSchema),
    pending: z
      .boolean()
      .describe('`true`: the turn is not yet consolidated, and the id of this memory will change.'),
  })
  .openapi('RecalledMemory')

const answerableSchema = z
  .enum(['yes', 'maybe', 'no'])
  .nullable()
  .describe(
    '`yes`: the answer was said. `maybe`: something similar was found; answer from it if it holds the answer. `no`: nothing similar was found; say “I don’t know”. `null`: the text is no question.',
  )

export const recallSchema = z
  .object({
    question: z.string(),
    memories: z.array(recalledMemorySchema),
    sessions: z.array(z.object({ session: z.string(), score: z.number() })),
    context: z
      .object({ text: z.string(), tokens: z.number(), memories: z.int(), shown: z.array(z.string()) })
      .describe('The text for a language model. `shown` lists the ids of the memories in it.'),
    profile: profileSchema,
    confidence: z.number().describe('Probability that the answer was ever said, 0 to 1.'),
    answerable: answerableSchema,
    known: z.boolean().describe('Whether `answerable` is `yes`.'),
    wordsOnly: z
      .literal(true)
      .optional()
      .describe('`true` if the embedding model failed, so that the results were found by their words only.'),
    milliseconds: z.number(),
  })
  .openapi('Recall')

const acrossMemorySchema = z
  .object({ ...recalledMemorySchema.shape, of: z.int().describe('Position of its scope in `scopes`.') })
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
      .describe('The recall of each scope, in the order of the request.'),
    memories: z.array(acrossMemorySchema).describe('All results, the best first.'),
    context: z
      .object({ text: z.string(), tokens: z.number(), memories: z.int(), shown: z.array(z.string()) })
      .describe('The text for a language model, with a part for each user who said something relevant.'),
    confidence: z.number().describe('The highest confidence of the scopes.'),
    answerable: answerableSchema.describe('The most certain answer of the scopes.'),
    known: z.boolean().describe('Whether `answerable` is `yes`.'),
    milliseconds: z.number(),
  })
  .openapi('AcrossRecall', {
    description: 'The memories of several users for one question. Each memory names its user.',
  })

import { z } from '@hono/zod-openapi'
import { attachmentsIn, ROLES } from 'keepsake'
import {
  keptMetadataSchema,
  metadataSchema,
  momentSchema,
  nameSchema,
  saysSomething,
  timeSchema,
  timeZoneSchema,
} from './fields.ts'

/** Roles in requests; `agent` becomes `assistant`, `system` and `tool` become `other`. */
const REQUEST_ROLES = ['user', 'assistant', 'other', 'agent', 'system', 'tool'] as const

export const MOST_TURNS = 1_000
/** Maximum length of a turn in the engine, in UTF-16 units. */
const MAX_TURN_LENGTH = 4_000_000

const attachmentSchema = z
  .looseObject({
    type: z
      .string()
      .describe(
        '`image`, `audio`, `video` or `file`; or the type of another API’s part, such as `image_url`.',
      ),
    url: z
      .string()
      .optional()
      .describe('Where it lies. Of a `data:` URL only hash, media type and size are kept.'),
    mediaType: z.string().optional(),
    name: z.string().optional(),
    caption: z.string().optional().describe('What the application says that it shows.'),
  })
  .refine((part) => attachmentsIn([part]).length === 1, 'is no picture, sound, film or file')
  .openapi('Attachment', {
    description:
      'A picture or file of a message, in these fields or as a part of a message of OpenAI, Anthropic, the AI SDK or LangChain, as it is. A reference is kept, never the content.',
  })

const MAX_ATTACHMENTS = 50

export const turnSchema = z
  .strictObject({
    role: z.enum(REQUEST_ROLES).describe('`agent` is taken as `assistant`; `system` and `tool` as `other`.'),
    text: z.string().max(MAX_TURN_LENGTH).describe('What was said. Not empty unless there are attachments.'),
    attachments: z
      .array(attachmentSchema)
      .max(MAX_ATTACHMENTS)
      .optional()
      .describe('Pictures and files that came with it. Each stands as a line below the stored text.'),
    id: nameSchema
      .optional()
      .describe('Makes remembering idempotent: a turn whose id is known is not stored again.'),
    speaker: nameSchema.optional(),
    at: timeSchema.optional().describe('When it was said; now when absent.'),
    timeZone: timeZoneSchema.optional(),
    metadata: metadataSchema.optional(),
    remember: z.boolean().optional().describe('`false`: do not store this turn.'),
  })
  .refine(({ text, attachments = [] }) => saysSomething(text) || attachments.length > 0, {
    path: ['text'],
    error: 'is empty: give what was said, or leave the turn out',
  })
  .openapi('TurnInput')

/** Refuses all turns that the engine refuses. The engine validates after it has created the scope, and a refused request must leave none. */
export const turnsSchema = z
  .array(turnSchema)
  .min(1, 'is empty: give at least one turn')
  .max(MOST_TURNS)
  .superRefine((turns, context) => {
    const ids = new Set<string>()
    for (const [index, { id }] of turns.entries()) {
      if (id !== undefined && ids.has(id))
        context.addIssue({
          code: 'custom',
          path: [index, 'id'],
          message: 'is the id of an earlier turn of this request',
        })
      if (id !== undefined) ids.add(id)
    }
  })

export const describeSchema = z
  .boolean()
  .optional()
  .describe(
    '`true`: the model that replies describes each picture; the answer waits for it. As the server’s `describe` says when absent.',
  )

export const storedTurnSchema = z
  .object({
    id: z.string(),
    agent: z.string().nullable().describe('The agent whose scope it is in.'),
    app: z.string().nullable().describe('The app whose scope it is in.'),
    session: z.string(),
    position: z.int().describe('Its place in its scope, in order of arrival.'),
    role: z.enum(ROLES),
    speaker: z.string().nullable(),
    text: z.string(),
    at: momentSchema,
    timeZone: z.string().nullable(),
    metadata: keptMetadataSchema,
  })
  .openapi('Turn', { description: 'A turn as it is stored.' })

/** A pending request to forget. */
export const heldRequestSchema = z
  .object({
    turn: z.string().describe('The turn that asked.'),
    about: z.string().nullable().describe('What it names, in its words; null for everything.'),
    removes: z.record(z.string(), z.int()).describe('How many live memories of each form would go.'),
  })
  .openapi('PendingRequest')

export const rememberedSchema = z
  .object({
    turns: z.array(z.string()).describe('Ids of the turns, in the order given.'),
    added: z.int().describe('How many were new.'),
    session: z.string().nullable(),
    lastOperation: z
      .int()
      .describe(
        'Place of the last operation in the person’s log then; what comes of the turns comes after it.',
      ),
    maskedSecrets: z
      .array(z.object({ kind: z.string(), count: z.int() }))
      .describe('Secrets masked before storage, by kind.'),
    pendingRequests: z
      .array(heldRequestSchema)
      .optional()
      .describe(
        'Requests to forget everything, or doubtful ones: ask the person, since they wait for a yes in the next turn or for a confirmation.',
      ),
    unheardRequests: z
      .array(
        z.object({ turn: z.string(), quote: z.string(), why: z.enum(['not-understood', 'nothing-found']) }),
      )
      .optional()
      .describe('Sentences that seem to ask to forget something and remove nothing.'),
  })
  .openapi('RememberResult')

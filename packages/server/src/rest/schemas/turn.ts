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
      .describe('`image`, `audio`, `video` or `file`, or the part type of another API, such as `image_url`.'),
    url: z
      .string()
      .optional()
      .describe('The address of the file. Of a `data:` URL only hash, media type and size are stored.'),
    mediaType: z.string().optional(),
    name: z.string().optional(),
    caption: z.string().optional().describe('A description by the application.'),
  })
  .refine((part) => attachmentsIn([part]).length === 1, 'is no image, audio, video or file')
  .openapi('Attachment', {
    description:
      'A picture or file of a message, in these fields or unchanged as a message part of OpenAI, Anthropic, the AI SDK or LangChain. Only a reference is stored, never the content.',
  })

const MAX_ATTACHMENTS = 50

export const turnSchema = z
  .strictObject({
    role: z.enum(REQUEST_ROLES).describe('`agent` becomes `assistant`; `system` and `tool` become `other`.'),
    text: z
      .string()
      .max(MAX_TURN_LENGTH)
      .describe('The text of the message. It may be empty only with attachments.'),
    attachments: z
      .array(attachmentSchema)
      .max(MAX_ATTACHMENTS)
      .optional()
      .describe('Pictures and files of the message. Each becomes a line below the stored text.'),
    id: nameSchema
      .optional()
      .describe('An id that makes the request idempotent: a turn with a known id is not stored again.'),
    speaker: nameSchema.optional(),
    at: timeSchema.optional().describe('The time when it was said. The default is now.'),
    timeZone: timeZoneSchema.optional(),
    metadata: metadataSchema.optional(),
    remember: z.boolean().optional().describe('`false`: the turn is not stored.'),
  })
  .refine(({ text, attachments = [] }) => saysSomething(text) || attachments.length > 0, {
    path: ['text'],
    error: 'is empty: pass a text, or leave the turn out',
  })
  .openapi('TurnInput')

/** Refuses all turns that the engine refuses. The engine validates after it has created the scope, and a refused request must leave none. */
export const turnsSchema = z
  .array(turnSchema)
  .min(1, 'is empty: pass at least one turn')
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
    '`true`: the model that replies describes each picture, and the answer waits for it. The default is the server’s `describe`.',
  )

export const storedTurnSchema = z
  .object({
    id: z.string(),
    agent: z.string().nullable().describe('The agent of the memory’s scope.'),
    app: z.string().nullable().describe('The app of the memory’s scope.'),
    session: z.string(),
    position: z.int().describe('Position in its scope, in order of arrival.'),
    role: z.enum(ROLES),
    speaker: z.string().nullable(),
    text: z.string(),
    at: momentSchema,
    timeZone: z.string().nullable(),
    metadata: keptMetadataSchema,
  })
  .openapi('Turn', { description: 'A stored turn.' })

/** A pending request to forget. */
export const heldRequestSchema = z
  .object({
    turn: z.string().describe('The turn with the request.'),
    about: z.string().nullable().describe('The topic in the words of the request; null for everything.'),
    removes: z
      .record(z.string(), z.int())
      .describe('Number of live memories of each form that would be forgotten.'),
  })
  .openapi('PendingRequest')

export const rememberedSchema = z
  .object({
    turns: z.array(z.string()).describe('Ids of the turns, in the order of the request.'),
    added: z.int().describe('Number of new turns.'),
    session: z.string().nullable(),
    lastOperation: z
      .int()
      .describe(
        'Position of the last operation in the user’s log at that time. The operations that follow from these turns come after it.',
      ),
    maskedSecrets: z
      .array(z.object({ kind: z.string(), count: z.int() }))
      .describe('Secrets masked before storage, by kind.'),
    pendingRequests: z
      .array(heldRequestSchema)
      .optional()
      .describe(
        'Requests to forget everything, and doubtful requests. Ask the user: they wait for a yes in the next turn or for a confirmation.',
      ),
    unheardRequests: z
      .array(
        z.object({ turn: z.string(), quote: z.string(), why: z.enum(['not-understood', 'nothing-found']) }),
      )
      .optional()
      .describe('Sentences that seem to ask to forget something, but removed nothing.'),
  })
  .openapi('RememberResult')

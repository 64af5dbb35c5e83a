import { z } from '@hono/zod-openapi'
import { DATE_ORDERS, LEFT_OUT_REASONS, READ_FORMATS } from '@keepsake/importing'
import { momentSchema, nameSchema, orNull, problemSchema, timeZoneSchema, optionalParam } from './fields.ts'

export const uploadFields = {
  name: optionalParam(nameSchema, 'What the file is called, for sentences. `file` when absent.'),
  format: optionalParam(z.enum(READ_FORMATS), 'The file format; detected when absent.'),
  speaker: optionalParam(nameSchema, 'Which of those who speak in a chat is the user.'),
  of: optionalParam(nameSchema, 'Of a file that holds several people, whose turns to read.'),
  dateOrder: optionalParam(z.enum(DATE_ORDERS), 'How a chat writes its dates, where it leaves that open.'),
  timeZone: optionalParam(
    timeZoneSchema,
    'Where times without a zone were written: an IANA name. `UTC` when absent.',
  ),
}

const FORMATS = [...READ_FORMATS, 'keepsake'] as const

const countedSchema = z.object({ name: z.string(), turns: z.int() })

const questionSchema = z
  .object({
    asks: z.enum(['speaker', 'dateOrder', 'of', 'user', 'format']).describe('What of the query answers it.'),
    sentence: z.string(),
    choices: z.array(z.object({ name: z.string(), turns: z.int().nullable() })),
  })
  .openapi('ImportQuestion', { description: 'What a file leaves open.' })

export const heldSchema = z
  .object({
    turns: z.int(),
    sessions: z.int(),
    userNames: z.array(z.string()).describe('Who of those who speak is the user.'),
    speakers: z.array(countedSchema).describe('Who speaks, and in how many turns, the most frequent first.'),
    people: z.array(z.string()).describe('Whose memory it goes into; of Keepsake’s own export, whose it is.'),
    statements: z.int().describe('Turns without a speaker, such as memories of other engines.'),
    blocks: z.int().describe('Blocks that an agent of another engine kept.'),
    undated: z.int().describe('Turns without a time, which are dated when they are imported.'),
    from: momentSchema.nullable(),
    until: momentSchema.nullable(),
    first: z.string().nullable().describe('Words of the first turn.'),
    last: z.string().nullable(),
    leftOut: z
      .array(z.object({ reason: z.enum(LEFT_OUT_REASONS), count: z.int() }))
      .describe('What is not imported, and why.'),
    notes: z.array(z.string()).describe('The same, and how the file is read where it leaves that open.'),
  })
  .openapi('ImportHolds')

export const importPreviewSchema = z
  .object({
    name: z.string(),
    format: z
      .enum(FORMATS)
      .nullable()
      .describe(
        'What the file was recognised as; `keepsake` is read back by `POST /v1/import`. null where that has to be said.',
      ),
    holds: orNull(heldSchema).describe(
      'What would be imported; null where a question has to be answered first.',
    ),
    question: orNull(questionSchema),
  })
  .openapi('ImportPreview', {
    description:
      'What a file holds that would be imported, or what has to be said before. Nothing was stored.',
  })

export const importedFileSchema = z
  .object({
    turns: z.int().describe('How many the file holds.'),
    added: z.int().describe('Those that were new.'),
    repeated: z.int().describe('Those that were known already.'),
    blocks: z.int().describe('Blocks that were written. One whose name was there stays as it was.'),
    sessions: z.int(),
    maskedSecrets: z
      .array(z.object({ kind: z.string(), count: z.int() }))
      .describe('Secrets masked before storage.'),
  })
  .openapi('ImportedFile')

export const importEventSchema = z
  .discriminatedUnion('event', [
    z.object({ event: z.literal('preview'), data: importPreviewSchema }),
    z.object({
      event: z.literal('progress'),
      data: z.object({ recorded: z.int(), turns: z.int(), added: z.int() }),
    }),
    z.object({ event: z.literal('end'), data: importedFileSchema }),
    z.object({ event: z.literal('error'), data: problemSchema }),
  ])
  .openapi('ImportEvent', {
    description:
      'An event of a streamed import: `preview` first, `progress` after each piece that is durable, and `end`, or `error`. What was recorded stays: the same file, sent again, goes on.',
  })

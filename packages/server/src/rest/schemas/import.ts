import { z } from '@hono/zod-openapi'
import { DATE_ORDERS, LEFT_OUT_REASONS, READ_FORMATS } from '@keepsake/importing'
import { momentSchema, nameSchema, orNull, problemSchema, timeZoneSchema, optionalParam } from './fields.ts'

export const uploadFields = {
  name: optionalParam(nameSchema, 'The name of the file in messages. The default is `file`.'),
  format: optionalParam(z.enum(READ_FORMATS), 'The file format. By default it is detected.'),
  speaker: optionalParam(nameSchema, 'The speaker of the chat who is the user.'),
  of: optionalParam(nameSchema, 'The person whose turns are read, if the file contains several.'),
  dateOrder: optionalParam(
    z.enum(DATE_ORDERS),
    'The order of day and month in the chat’s dates, if the file leaves it open.',
  ),
  timeZone: optionalParam(
    timeZoneSchema,
    'The IANA name of the zone of times without a zone. The default is `UTC`.',
  ),
}

const FORMATS = [...READ_FORMATS, 'keepsake'] as const

const countedSchema = z.object({ name: z.string(), turns: z.int() })

const questionSchema = z
  .object({
    asks: z
      .enum(['speaker', 'dateOrder', 'of', 'user', 'format'])
      .describe('The query parameters that answer it.'),
    sentence: z.string(),
    choices: z.array(z.object({ name: z.string(), turns: z.int().nullable() })),
  })
  .openapi('ImportQuestion', { description: 'A question that the file leaves open.' })

export const heldSchema = z
  .object({
    turns: z.int(),
    sessions: z.int(),
    userNames: z.array(z.string()).describe('The speakers who are the user.'),
    speakers: z
      .array(countedSchema)
      .describe('The speakers with the number of their turns, the most frequent first.'),
    people: z
      .array(z.string())
      .describe('The users into whose memory the file goes. For Keepsake’s own export, the exported user.'),
    statements: z.int().describe('Number of turns without a speaker, such as memories of other engines.'),
    blocks: z.int().describe('Blocks of an agent of another engine.'),
    undated: z.int().describe('Number of turns without a time. They get the time of the import.'),
    from: momentSchema.nullable(),
    until: momentSchema.nullable(),
    first: z.string().nullable().describe('The beginning of the first turn.'),
    last: z.string().nullable(),
    leftOut: z
      .array(z.object({ reason: z.enum(LEFT_OUT_REASONS), count: z.int() }))
      .describe('The parts that are not imported, with the reason.'),
    notes: z.array(z.string()).describe('The same parts, and how ambiguous parts of the file are read.'),
  })
  .openapi('ImportHolds')

export const importPreviewSchema = z
  .object({
    name: z.string(),
    format: z
      .enum(FORMATS)
      .nullable()
      .describe(
        'The detected format; `POST /v1/import` reads `keepsake`. null if the request has to name the format.',
      ),
    holds: orNull(heldSchema).describe(
      'The contents that would be imported; null if a question has to be answered first.',
    ),
    question: orNull(questionSchema),
  })
  .openapi('ImportPreview', {
    description:
      'The contents of a file, or the questions that have to be answered before its import. Nothing was stored.',
  })

export const importedFileSchema = z
  .object({
    turns: z.int().describe('Number of turns in the file.'),
    added: z.int().describe('Number of new turns.'),
    repeated: z.int().describe('Number of turns that were already stored.'),
    blocks: z.int().describe('Number of new blocks. An existing block of the same name is not changed.'),
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
      'An event of a streamed import: `preview` first, `progress` after each batch that is stored, and `end` or `error`. Stored turns stay. If the same file is sent again, the import continues.',
  })

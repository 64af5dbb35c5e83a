import { z } from '@hono/zod-openapi'
import { OPERATION_KINDS, type Operation } from 'keepsake'
import { json } from '../describe-route.ts'
import { momentSchema, orNull } from './fields.ts'
import { memorySchema, originSchema } from './memory.ts'

const changeSchema = memorySchema
  .omit({ id: true, agent: true, app: true })
  .partial()
  .openapi('MemoryChange', { description: 'The fields of a memory that an operation sets.' })

const tallySchema = z.object({
  first: z.int().describe('How often it was among the first.'),
  second: z.int().describe('How often it was among the next.'),
  rounds: z.array(z.int()).describe('Rounds at which it was among the first.'),
  secondAt: z
    .int()
    .nullish()
    .describe('Round at which it is suppressed afterwards; null where that was lifted.'),
  lastSession: z.int(),
  lastAt: momentSchema,
})

/** A memory that recalls used. */
export const touchedSchema = z.object({
  memory: z.string(),
  rank: z.enum(['first', 'second']),
  tally: tallySchema.optional().describe('What several recalls did together; absent where it was one.'),
})

export const operationSchema = z
  .object({
    id: z.string(),
    sequence: z.int().describe('Its place in the person’s log, rising from 1.'),
    agent: z.string().nullable(),
    app: z.string().nullable(),
    kind: z.enum(OPERATION_KINDS),
    memory: z.string().nullable().describe('null for `reinforce`, which touches several.'),
    at: momentSchema,
    origin: originSchema,
    parent: z.string().nullable().describe('The operation that this one follows from.'),
    undoes: z.string().nullable().describe('The operation that this one undoes.'),
    touched: z.array(touchedSchema),
    sessionNumber: z.int(),
    round: z.int(),
  })
  .openapi('Operation', { description: 'An entry of the log: ids and kinds, and nothing of what was said.' })

export const pastOperationSchema = z
  .object({
    ...operationSchema.shape,
    payload: z
      .object({ before: orNull(changeSchema), after: changeSchema })
      .nullable()
      .describe('The memory before and after; null once erased, and where the kind needs none.'),
  })
  .openapi('PastOperation', { description: 'An entry of the log with its texts.' })

/** The answer of routes that change a memory. */
export const changed = json('The operation that did it; undo it by its id.', operationSchema)

/** Removes the texts of an operation, which the history of the memory shows. */
export function withoutTexts(operation: Operation): Omit<Operation, 'payload'> & { payload: undefined } {
  return { ...operation, payload: undefined }
}

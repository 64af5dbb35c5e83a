import { z } from '@hono/zod-openapi'
import { OPERATION_KINDS, type Operation } from 'keepsake'
import { json } from '../describe-route.ts'
import { momentSchema, orNull } from './fields.ts'
import { memorySchema, originSchema } from './memory.ts'

const changeSchema = memorySchema
  .omit({ id: true, agent: true, app: true })
  .partial()
  .openapi('MemoryChange', { description: 'The fields of a memory that an operation set.' })

const tallySchema = z.object({
  first: z.int().describe('Number of recalls in which it was among the first results.'),
  second: z.int().describe('Number of recalls in which it was among the next results.'),
  rounds: z.array(z.int()).describe('Rounds in which it was among the first results.'),
  secondAt: z
    .int()
    .nullish()
    .describe('Round after which its strength is suppressed; null if the suppression was removed.'),
  lastSession: z.int(),
  lastAt: momentSchema,
})

/** A memory that recalls used. */
export const touchedSchema = z.object({
  memory: z.string(),
  rank: z.enum(['first', 'second']),
  tally: tallySchema.optional().describe('The sum of several recalls; absent for a single recall.'),
})

export const operationSchema = z
  .object({
    id: z.string(),
    sequence: z.int().describe('Position in the user’s log, from 1.'),
    agent: z.string().nullable(),
    app: z.string().nullable(),
    kind: z.enum(OPERATION_KINDS),
    memory: z.string().nullable().describe('null for `reinforce`, which changes several memories.'),
    at: momentSchema,
    origin: originSchema,
    parent: z.string().nullable().describe('The operation that caused this one.'),
    undoes: z.string().nullable().describe('The operation that is undone.'),
    touched: z.array(touchedSchema),
    sessionNumber: z.int(),
    round: z.int(),
  })
  .openapi('Operation', { description: 'An entry of the log. It contains ids and kinds, but no texts.' })

export const pastOperationSchema = z
  .object({
    ...operationSchema.shape,
    payload: z
      .object({ before: orNull(changeSchema), after: changeSchema })
      .nullable()
      .describe('The memory before and after; null after an erasure, and for kinds without a memory.'),
  })
  .openapi('PastOperation', { description: 'An entry of the log with its texts.' })

/** The answer of routes that change a memory. */
export const changed = json('The operation. To undo it, use its id.', operationSchema)

/** Removes the texts of an operation, which the history of the memory shows. */
export function withoutTexts(operation: Operation): Omit<Operation, 'payload'> & { payload: undefined } {
  return { ...operation, payload: undefined }
}

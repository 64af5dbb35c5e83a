import { z } from '@hono/zod-openapi'
import { given } from '@keepsake/text/names'
import { userRoute, type AddRoute } from '../add-route.ts'
import { json } from '../describe-route.ts'
import { nameSchema } from '../schemas/fields.ts'
import { memorySchema } from '../schemas/memory.ts'
import { evidenceListSchema, givenEvidence } from './change-memory.ts'

const blockName = nameSchema.describe('The name of the block, unique in the scope.')

const blockSchema = z
  .strictObject({
    name: blockName,
    text: z.string().describe('The whole text.'),
    limit: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('Maximum characters. The default is the former limit, and 2,000 for a new block.'),
    evidence: evidenceListSchema.optional(),
  })
  .openapi('Block')

const blockEditSchema = z
  .strictObject({
    name: blockName,
    find: z.string().min(1).optional().describe('Words that occur exactly once in the block.'),
    replace: z.string().optional().describe('The replacement; an empty text removes the words.'),
    insert: z.string().optional().describe('Lines to insert.'),
    line: z
      .int()
      .min(0)
      .optional()
      .describe('The line after which they are inserted, 0 for the top. The default is the last line.'),
    rename: nameSchema.optional().describe('The new name.'),
    evidence: evidenceListSchema.optional(),
  })
  .openapi('BlockEdit', { description: '`find` and `replace`, or `insert`, or `rename`.' })

const written = json('The block.', memorySchema)

export const blockRoutes: readonly AddRoute[] = [
  userRoute('GET /blocks', {
    id: 'listBlocks',
    tag: 'memories',
    summary: 'List the agent’s blocks',
    description:
      'Short named texts of an agent, in the order in which they were made. Every context begins with them. A block is a memory with a history; to remove it, delete the memory.',
    needs: 'read',
    answer: json('The blocks.', z.object({ blocks: z.array(memorySchema) }).openapi('Blocks')),
    handle: async ({ memory, show }) => show({ blocks: await memory.blocks() }),
  }),
  userRoute('PUT /blocks', {
    id: 'writeBlock',
    tag: 'memories',
    summary: 'Write a block',
    description: 'Makes the block, or replaces its text. The former text stays in its history.',
    needs: 'write',
    body: blockSchema,
    answer: written,
    problems: [404, 507],
    once: true,
    handle: async ({ memory, body: { name, text, limit, evidence }, show }) =>
      show(await memory.writeBlock(name, text, given({ limit, evidence: givenEvidence(evidence) }))),
  }),
  userRoute('PATCH /blocks', {
    id: 'editBlock',
    tag: 'memories',
    summary: 'Edit a block',
    description: 'Replaces words, inserts lines, or renames the block.',
    needs: 'write',
    reads: true,
    body: blockEditSchema,
    answer: written,
    problems: [404, 507],
    once: true,
    handle: async ({ memory, body: { name, evidence, ...edit }, show }) =>
      show(await memory.editBlock(name, given({ ...edit, evidence: givenEvidence(evidence) }))),
  }),
]

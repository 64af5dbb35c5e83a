import { z } from '@hono/zod-openapi'
import { given } from '@keepsake/text/names'
import { userRoute, type AddRoute } from '../add-route.ts'
import { json } from '../describe-route.ts'
import { nameSchema } from '../schemas/fields.ts'
import { memorySchema } from '../schemas/memory.ts'
import { evidenceListSchema, givenEvidence } from './change-memory.ts'

const blockName = nameSchema.describe('The block’s name, unique in the scope.')

const blockSchema = z
  .strictObject({
    name: blockName,
    text: z.string().describe('Its whole text.'),
    limit: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('Most characters. When absent: as before, and 2,000 for a new block.'),
    evidence: evidenceListSchema.optional(),
  })
  .openapi('Block')

const blockEditSchema = z
  .strictObject({
    name: blockName,
    find: z.string().min(1).optional().describe('Words that the block holds exactly once.'),
    replace: z.string().optional().describe('What stands in their place; empty removes them.'),
    insert: z.string().optional().describe('Lines to add.'),
    line: z
      .int()
      .min(0)
      .optional()
      .describe('The line after which they are added, 0 for the top; the last one when absent.'),
    rename: nameSchema.optional().describe('Its new name.'),
    evidence: evidenceListSchema.optional(),
  })
  .openapi('BlockEdit', { description: '`find` and `replace`, or `insert`, or `rename`.' })

const written = json('The block.', memorySchema)

export const blockRoutes: readonly AddRoute[] = [
  userRoute('GET /blocks', {
    id: 'listBlocks',
    tag: 'memories',
    summary: 'The agent’s blocks',
    description:
      'Short texts that an agent keeps under names, in order of making. They stand ahead of every context. The history of each is that of a memory; deleting the memory removes the block.',
    needs: 'read',
    answer: json('The blocks.', z.object({ blocks: z.array(memorySchema) }).openapi('Blocks')),
    handle: async ({ memory, show }) => show({ blocks: await memory.blocks() }),
  }),
  userRoute('PUT /blocks', {
    id: 'writeBlock',
    tag: 'memories',
    summary: 'Write a block',
    description: 'Makes it, or replaces its text. What it said before stays in its history.',
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
    description: 'Replaces words, inserts lines, or renames it, in the block as it is then.',
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

import { z } from '@hono/zod-openapi'
import { MEMORY_TYPES, type Metadata, type Operation, type ScopedMemory } from 'keepsake'
import { given } from '@keepsake/text/names'
import { allows } from '../../access/grant.ts'
import { userRoute, type AddRoute } from '../add-route.ts'
import { metadataSchema, nameSchema, timeSchema, param } from '../schemas/fields.ts'
import { memorySchema } from '../schemas/memory.ts'
import { json } from '../describe-route.ts'
import { heldRequestSchema } from '../schemas/turn.ts'
import { changed, withoutTexts } from '../schemas/operation.ts'
import { memoryName } from './memories.ts'

const editSchema = z
  .strictObject({
    text: z
      .string()
      .refine((text) => text.trim() !== '', 'is blank: to forget the memory, use DELETE')
      .optional(),
    value: z.string().optional().describe('The value on the persona sheet, for facts with a key.'),
    type: z.enum(MEMORY_TYPES).optional(),
    at: timeSchema
      .optional()
      .describe(
        'The time since which it is true. The default for a new text is now. If this is not after the time of the former text, the former text was never true.',
      ),
    until: timeSchema
      .nullable()
      .optional()
      .describe('The time from which it is no longer true, possibly in the future; null removes the end.'),
    metadata: metadataSchema
      .nullable()
      .optional()
      .openapi({
        type: ['object', 'null'],
        description: 'Replaces the stored metadata; null removes it.',
      }),
  })
  .refine(
    (edit) => Object.values(edit).some((value) => value !== undefined),
    'changes nothing: pass text, value, type, at, until or metadata',
  )
  .openapi('MemoryEdit')

const MAX_EVIDENCE = 100

export const evidenceListSchema = z
  .array(
    z.union([
      nameSchema,
      z.strictObject({ turn: nameSchema, quote: z.string().min(1).nullable().optional() }),
    ]),
  )
  .max(MAX_EVIDENCE)
  .describe('The turns that support it, each with the supporting words.')

const statementSchema = z
  .strictObject({
    text: z
      .string()
      .max(20_000)
      .refine((text) => text.trim() !== '', 'is blank: write one plain sentence'),
    type: z.enum(MEMORY_TYPES).optional().describe('The default is the type of the key, or `persona`.'),
    subject: nameSchema.optional().describe('The person whom it is about. The default is `user`.'),
    key: nameSchema.optional().describe('Its key on the persona sheet.'),
    value: z
      .unknown()
      .optional()
      .describe(
        'Its value on the persona sheet, as text or in the form of the application’s own key. If absent, rules read the value from the text.',
      ),
    category: nameSchema.optional().describe('One of the application’s categories.'),
    evidence: evidenceListSchema.optional(),
    at: timeSchema
      .optional()
      .describe('The time from which it is true. The default is the time of its latest turn, or now.'),
    until: timeSchema
      .optional()
      .describe('The time from which it is no longer true, in the past or in the future.'),
    metadata: metadataSchema.optional(),
  })
  .openapi('Statement')

/** The declarations that all routes which change a memory share. */
const CHANGE = { tag: 'memories', needs: 'write', answer: changed, problems: [404], once: true } as const

/** Changes of one memory that need its id only. */
const CHANGES = [
  {
    at: 'DELETE /memories/{memory}',
    id: 'forgetMemory',
    summary: 'Forget a memory',
    description:
      'Forgets the memory, and the messages and summary sentences from which it would come back. It is no longer recalled, but can be restored. To remove it permanently, erase it.',
    change: (memory: ScopedMemory, id: string): Promise<Operation> => memory.forget(id),
  },
  {
    at: 'PUT /memories/{memory}/pin',
    id: 'pinMemory',
    summary: 'Pin a memory',
    description: 'The forgetting policy never forgets it.',
    change: (memory: ScopedMemory, id: string): Promise<Operation> => memory.pin(id),
  },
  {
    at: 'DELETE /memories/{memory}/pin',
    id: 'unpinMemory',
    summary: 'Unpin a memory',
    description: 'The forgetting policy judges it again.',
    change: (memory: ScopedMemory, id: string): Promise<Operation> => memory.pin(id, false),
  },
  {
    at: 'POST /memories/{memory}/restore',
    id: 'restoreMemory',
    summary: 'Restore a memory',
    description: 'Makes a forgotten or quarantined memory live again.',
    change: (memory: ScopedMemory, id: string): Promise<Operation> => memory.restore(id),
  },
] as const

/** Converts evidence of a request to the engine's form, which has no fields with the value `undefined`. */
export function givenEvidence(evidence: z.output<typeof evidenceListSchema> | undefined) {
  return evidence?.map((source) => (typeof source === 'string' ? source : given(source)))
}

export const changeRoutes: readonly AddRoute[] = [
  userRoute('POST /memories', {
    id: 'addFact',
    tag: 'memories',
    summary: 'Add a fact',
    description:
      'Stores a fact of the application. It is merged with the known facts by the merge class of its key. A fact that is added twice is one memory with the evidence of both.',
    needs: 'write',
    body: statementSchema,
    answer: json('The memory that contains the fact now.', memorySchema, 201),
    problems: [404, 507],
    once: true,
    handle: async ({ memory, body: { text, evidence, value, ...stated }, show }) => {
      const json = value as Metadata[string] | undefined
      return show(
        await memory.addFact(text, given({ ...stated, value: json, evidence: givenEvidence(evidence) })),
      )
    },
  }),
  userRoute('PATCH /memories/{memory}', {
    ...CHANGE,
    id: 'editMemory',
    summary: 'Correct a memory',
    description: 'The former text stays in its history, valid until now.',
    names: memoryName,
    body: editSchema,
    handle: async ({ memory, path, body, show }) =>
      show(withoutTexts(await memory.edit(path.memory, given(body)))),
  }),
  ...CHANGES.map(({ at, change, ...route }) =>
    userRoute(at, {
      ...CHANGE,
      ...route,
      names: memoryName,
      handle: async ({ memory, path, show }) => show(withoutTexts(await change(memory, path.memory))),
    }),
  ),
  userRoute('POST /forget', {
    id: 'forgetAbout',
    tag: 'memories',
    summary: 'Forget a topic',
    description:
      'Forgets every memory that names the topic, as when the user asks for it. Memories with only most words of the topic stay, as `unsure`. With `dryRun` nothing changes. A key without `read` sees only the number. To restore the memories, undo the operations.',
    needs: 'write',
    body: z.strictObject({ topic: nameSchema, dryRun: z.boolean().optional() }).openapi('ForgetAbout'),
    answer: json(
      'The memories that were forgotten, or would be with `dryRun`.',
      z
        .object({
          count: z.int().describe('Number of memories that were forgotten, or would be with `dryRun`.'),
          memories: z.array(memorySchema).describe('These memories; empty for a key without `read`.'),
          unsure: z
            .array(memorySchema)
            .describe(
              'Memories that name only most words of the topic, and stay; empty for a key without `read`.',
            ),
          operations: z.array(z.string()).describe('The ids of operations to undo; empty with `dryRun`.'),
        })
        .openapi('ForgottenTopic'),
    ),
    once: true,
    handle: async ({ c, memory, body: { topic, dryRun }, show }) => {
      const { operations, memories, unsure } = await memory.forgetAbout(topic, given({ dryRun }))
      const canRead = allows(c.get('grant'), 'read', memory.key)
      const found = {
        count: memories.length,
        ...(canRead ? { memories, unsure } : { memories: [], unsure: [] }),
      }
      const undone = operations.filter(({ parent }) => parent === null)
      return show({ ...found, operations: undone.map(({ id }) => id) })
    },
  }),
  userRoute('GET /instructions', {
    id: 'listInstructions',
    tag: 'memories',
    summary: 'List the user’s standing instructions',
    description:
      'What the user asked the agent to do from now on, the oldest first. Every context begins with it. The user withdraws an instruction in their own words; to forget its memory also withdraws it.',
    needs: 'read',
    answer: json(
      'The instructions that are in force.',
      z.object({ instructions: z.array(memorySchema) }).openapi('Instructions'),
    ),
    handle: async ({ memory, show }) => show({ instructions: await memory.instructions() }),
  }),
  userRoute('GET /requests', {
    id: 'listPendingRequests',
    tag: 'memories',
    summary: 'List requests that wait for a confirmation',
    description:
      'The user asked to forget everything, or the request was doubtful. Nothing is forgotten before the user’s next turn says yes or the request is confirmed.',
    needs: 'read',
    answer: json(
      'The requests, each with the number of memories that it would remove.',
      z.object({ requests: z.array(heldRequestSchema) }).openapi('PendingRequests'),
    ),
    handle: async ({ memory, show }) => show({ requests: await memory.admin.pendingRequests() }),
  }),
  userRoute('POST /requests/{turn}/confirm', {
    ...CHANGE,
    id: 'confirmRequest',
    summary: 'Confirm a waiting request',
    description:
      'Forgets the topic of the request, or everything in its scope except named notes. To restore the memories, undo the operation. To remove them permanently, erase them.',
    names: { turn: param(nameSchema, 'The turn with the request.') },
    handle: async ({ memory, path, show }) => show(withoutTexts(await memory.confirmRequest(path.turn))),
  }),
  userRoute('POST /operations/{operation}/undo', {
    ...CHANGE,
    id: 'undoOperation',
    tag: 'operations',
    summary: 'Undo an operation',
    description:
      'Undoes the operation and all operations that followed from it, unless a later operation changed the same memories.',
    names: { operation: param(nameSchema, 'The id of the operation.') },
    handle: async ({ memory, path, show }) => show(withoutTexts(await memory.undo(path.operation))),
  }),
]

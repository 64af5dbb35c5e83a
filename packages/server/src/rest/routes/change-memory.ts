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
      .refine((text) => text.trim() !== '', 'is blank: to drop the memory, forget it (DELETE)')
      .optional(),
    value: z.string().optional().describe('The persona value, for facts with a key.'),
    type: z.enum(MEMORY_TYPES).optional(),
    at: timeSchema
      .optional()
      .describe(
        'Since when it is so; now for a new text when absent. If not after the former text’s time, that was never so.',
      ),
    until: timeSchema
      .nullable()
      .optional()
      .describe('From when it is no longer so, which may lie ahead; null lifts the end.'),
    metadata: metadataSchema
      .nullable()
      .optional()
      .openapi({
        type: ['object', 'null'],
        description: 'In place of what was kept with it; null for nothing.',
      }),
  })
  .refine(
    (edit) => Object.values(edit).some((value) => value !== undefined),
    'sets nothing: give text, value, type, at, until or metadata',
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
  .describe('The turns that support it, each with the words in it that do.')

const statementSchema = z
  .strictObject({
    text: z
      .string()
      .max(20_000)
      .refine((text) => text.trim() !== '', 'is blank: a statement is one plain sentence'),
    type: z.enum(MEMORY_TYPES).optional().describe('The key’s, or `persona`, when absent.'),
    subject: nameSchema.optional().describe('Whom it is about; `user` when absent.'),
    key: nameSchema.optional().describe('The key of the persona sheet that it belongs under.'),
    value: z
      .unknown()
      .optional()
      .describe(
        'Its value there, as text or in the form of an own key; read from the words by rules when absent.',
      ),
    category: nameSchema.optional().describe('One of the application’s categories.'),
    evidence: evidenceListSchema.optional(),
    at: timeSchema
      .optional()
      .describe('From when it holds; the time of its latest turn, or now, when absent.'),
    until: timeSchema.optional().describe('From when it is no longer so, in the past or ahead.'),
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
      'And what would bring it back: the utterances and summary sentences it rests on. It leaves recall, and can be restored; to have it gone for good, erase it.',
    change: (memory: ScopedMemory, id: string): Promise<Operation> => memory.forget(id),
  },
  {
    at: 'PUT /memories/{memory}/pin',
    id: 'pinMemory',
    summary: 'Pin a memory',
    description: 'The forgetting policy never lets it go.',
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
    description: 'Brings back one that was forgotten, on request or by the policy, or quarantined.',
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
    summary: 'State a memory',
    description:
      'A fact that the application states: recalled, on the persona sheet under its key, and merged with what is known by the key’s class. Stated twice it is one memory with the evidence of both.',
    needs: 'write',
    body: statementSchema,
    answer: json('The memory that holds it now.', memorySchema, 201),
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
    description: 'What it said before stays in its history, valid until now.',
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
      'Every memory that names the topic is forgotten, as when the user asks for it; what holds only most of its words stays, as `unsure`. With `dryRun` it only says which. A key without `read` learns only how many. Undo the operations to restore them.',
    needs: 'write',
    body: z.strictObject({ topic: nameSchema, dryRun: z.boolean().optional() }).openapi('ForgetAbout'),
    answer: json(
      'What was forgotten, or would be.',
      z
        .object({
          count: z.int().describe('How many were forgotten, or would be.'),
          memories: z.array(memorySchema).describe('Those memories; empty for a key without `read`.'),
          unsure: z.array(memorySchema).describe('Empty for a key without `read`.'),
          operations: z.array(z.string()).describe('Ids for undo; none with `dryRun`.'),
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
    summary: 'How the user asked to be talked to',
    description:
      'What they asked to be done from now on, oldest first. It stands ahead of every context. Forgetting the memory withdraws it, as do the user’s own words.',
    needs: 'read',
    answer: json(
      'The instructions that hold.',
      z.object({ instructions: z.array(memorySchema) }).openapi('Instructions'),
    ),
    handle: async ({ memory, show }) => show({ instructions: await memory.instructions() }),
  }),
  userRoute('GET /requests', {
    id: 'listPendingRequests',
    tag: 'memories',
    summary: 'Requests that wait to be confirmed',
    description:
      'The user asked that everything be forgotten, or asked doubtfully. Nothing is, before their next turn says yes or this request is confirmed.',
    needs: 'read',
    answer: json(
      'The requests, with what each would remove.',
      z.object({ requests: z.array(heldRequestSchema) }).openapi('PendingRequests'),
    ),
    handle: async ({ memory, show }) => show({ requests: await memory.admin.pendingRequests() }),
  }),
  userRoute('POST /requests/{turn}/confirm', {
    ...CHANGE,
    id: 'confirmRequest',
    summary: 'Confirm a request that waits',
    description:
      'What it names is forgotten, or all that is remembered in its scope but for named notes. It can be undone by the operation; to have it gone for good, erase it.',
    names: { turn: param(nameSchema, 'The turn that asked.') },
    handle: async ({ memory, path, show }) => show(withoutTexts(await memory.confirmRequest(path.turn))),
  }),
  userRoute('POST /operations/{operation}/undo', {
    ...CHANGE,
    id: 'undoOperation',
    tag: 'operations',
    summary: 'Undo an operation',
    description: 'And all that followed from it, unless something later changed the same.',
    names: { operation: param(nameSchema, 'The operation’s id.') },
    handle: async ({ memory, path, show }) => show(withoutTexts(await memory.undo(path.operation))),
  }),
]

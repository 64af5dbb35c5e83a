import { z } from '@hono/zod-openapi'
import { MEMORY_FORMS, NotFoundError, type EraseTarget, type ScopedMemory } from 'keepsake'
import { given } from '@keepsake/text/names'
import { userRoute, type AddRoute } from '../add-route.ts'
import { json } from '../describe-route.ts'
import { invalidField } from '../refuse-invalid.ts'
import { flagSchema, nameSchema, wholeNumber, optionalParam, param } from '../schemas/fields.ts'
import { forgottenSchema, memorySchema, receiptSchema, strengthSchema } from '../schemas/memory.ts'

/** Maximum of ids in one request. */
const MAX_IDS = 1_000

const ids = z.array(nameSchema).max(MAX_IDS).optional()

const targetFields = { everything: z.literal(true).optional(), memories: ids, turns: ids, sessions: ids }

const namesIds = ({ memories = [], turns = [], sessions = [] }: EraseTarget): boolean =>
  memories.length + turns.length + sessions.length > 0

const targetSchema = z
  .strictObject(targetFields)
  .refine(
    (target) => (target.everything === true) !== namesIds(given(target)),
    'names nothing, or too much: give memories, turns or sessions, or everything alone',
  )
  .openapi('EraseTarget')

const erased = json('The receipt.', receiptSchema)

async function erase(memory: ScopedMemory, target: EraseTarget) {
  const receipt = await memory.erase(target)
  if (receipt === null) throw new NotFoundError('scope', memory.key.user)
  return receipt
}

const previewRequestSchema = z
  .strictObject(targetFields)
  .refine(
    (target) => target.everything !== true || !namesIds(given(target)),
    'names too much: give memories, turns or sessions, or everything alone',
  )
  .openapi('ErasePreviewRequest')

const previewSchema = z
  .object({
    isPerson: z.boolean().describe('Whether the person goes as a whole.'),
    turns: z.int(),
    memories: z.int(),
    forms: z.array(z.object({ form: z.enum(MEMORY_FORMS), count: z.int() })),
    turnIds: z.array(z.string()).describe('Up to 200 of the turns; none where all go.'),
    items: z.array(memorySchema).describe('Up to 200 of the memories.'),
  })
  .openapi('ErasePreview', { description: 'What an erasure would remove.' })

const receiptsSchema = z.object({ erasures: z.array(receiptSchema) }).openapi('EraseReceipts')

const forgettingRequestSchema = z
  .strictObject({
    dryRun: z.boolean().optional().describe('Only report what would be forgotten.'),
    keep: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Keep this share of all ever made, instead of what the preset says.'),
    capacity: z
      .strictObject({ memories: z.int().min(0).optional(), characters: z.int().min(0).optional() })
      .optional()
      .describe('Keep at most this many, instead of what the preset says.'),
    policy: z.string().optional().describe('Judge by this one, instead of the preset’s.'),
    limit: z
      .int()
      .min(0)
      .max(1_000)
      .optional()
      .describe('How many of those that go are named; all when absent. `considered - kept` go.'),
  })
  .refine(({ keep, capacity }) => keep === undefined || capacity === undefined, {
    path: ['capacity'],
    message: 'cannot go with keep: give one of them',
  })
  .openapi('ForgettingRequest')

const forgettingResultSchema = z
  .object({
    policy: z.string(),
    considered: z.int(),
    kept: z.int(),
    forgotten: z.array(forgottenSchema),
    operations: z
      .array(z.string())
      .describe('Undoing these restores all that was forgotten: one for each scope and policy.'),
    dryRun: z.boolean(),
  })
  .openapi('ForgettingResult', { description: 'What a run of the policy did, or would do.' })

const strengthsSchema = z
  .object({
    policy: z.string(),
    formula: z.string(),
    considered: z.int().describe('How many the policy judges.'),
    kept: z.int().describe('How many of them would stay.'),
    items: z.array(
      z.object({
        memory: memorySchema,
        strength: strengthSchema,
        rank: z.int().describe('Place by strength in its scope, from 1.'),
        kept: z.boolean(),
        because: z.enum(['strength', 'pinned', 'untold', 'larger-than-capacity']),
      }),
    ),
  })
  .openapi('Strengths', { description: 'How strong memories are by a policy, the weakest first.' })

/**
 * Whether this user may see an erasure: if it is in their list of receipts, or if the user was erased. An erased user has no list, and
 * the id of a receipt reveals nothing.
 */
async function maySeeErasure(memory: ScopedMemory, id: string): Promise<boolean> {
  const receipts = await memory.admin.erasures()
  if (receipts.some((receipt) => receipt.id === id)) return true
  const isErasedUser = receipts.length === 0 && (await memory.sessions()).length === 0
  return isErasedUser
}

export const eraseRoutes: readonly AddRoute[] = [
  userRoute('DELETE ', {
    id: 'eraseScope',
    tag: 'erase',
    summary: 'Erase a person',
    description:
      'For good, in every scope, with `everything=true`; with `agent` or `app`, what that sees. No byte of a text stays in the file; the receipt, which holds none, does. Cannot be undone.',
    needs: 'erase',
    query: {
      everything: optionalParam(
        flagSchema,
        'Needs to be true for a person as a whole, so without `agent` and `app`.',
      ),
    },
    answer: erased,
    problems: [404],
    once: true,
    handle: async ({ memory, query, show }) => {
      const { agent = null, app = null } = memory.key
      if (query.everything !== true && agent === null && app === null)
        throw invalidField(
          'everything',
          'needs to be true to erase the whole person: ask again with ?everything=true, or name an agent or app',
        )
      return show(await erase(memory, { everything: true }))
    },
  }),
  userRoute('POST /erase', {
    id: 'erase',
    tag: 'erase',
    summary: 'Erase memories, turns or sessions, or everything',
    description:
      'For good, with everything that rests on them. All or none of what is named. Cannot be undone.',
    needs: 'erase',
    body: targetSchema,
    answer: erased,
    problems: [404],
    once: true,
    handle: async ({ memory, body, show }) => show(await erase(memory, given(body))),
  }),
  userRoute('POST /erase/preview', {
    id: 'previewErasure',
    tag: 'erase',
    summary: 'What an erasure would remove',
    description: 'Takes the body of `/erase` and changes nothing. Of the whole person when nothing is named.',
    needs: 'read',
    body: previewRequestSchema,
    answer: json('What would go.', previewSchema),
    problems: [404],
    handle: async ({ memory, body, show }) => {
      const target = given(body)
      return show(await memory.admin.previewErasure(namesIds(target) ? target : undefined))
    },
  }),
  userRoute('GET /erasures', {
    id: 'listErasures',
    tag: 'erase',
    summary: 'Receipts of what was erased',
    description: 'Oldest first. They go with the person.',
    needs: 'read',
    answer: json('The receipts.', receiptsSchema),
    handle: async ({ memory, show }) => show({ erasures: await memory.admin.erasures() }),
  }),
  userRoute('GET /erasures/{erasure}', {
    id: 'getErasure',
    tag: 'erase',
    summary: 'An erasure, and whether it is proven',
    description:
      'By its receipt’s id, also after the person is gone. `purgedAt` says when no byte of it was left in the file.',
    needs: 'erase',
    names: { erasure: param(nameSchema, 'The receipt’s id.') },
    answer: json('The receipt as it stands.', receiptSchema),
    problems: [404],
    handle: async ({ deps, memory, path, show }) => {
      const receipt = await deps.keepsake.erasure(path.erasure)
      if (receipt === null || !(await maySeeErasure(memory, receipt.id)))
        throw new NotFoundError('erasure', path.erasure)
      return show(receipt)
    },
  }),
  userRoute('GET /strengths', {
    id: 'listStrengths',
    tag: 'forgetting',
    summary: 'How strong memories are by a forgetting policy',
    description:
      'The weakest first, and which of them would go under a share or a capacity: a run looked at before.',
    needs: 'read',
    query: {
      policy: optionalParam(z.string(), 'The preset’s when absent.'),
      memories: optionalParam(
        wholeNumber(0, 999_999_999),
        'Capacity in memories, instead of what the preset says.',
      ),
      characters: wholeNumber(0, 999_999_999).optional(),
      limit: optionalParam(wholeNumber(1, 1_000), 'How many at most; 100 when absent.'),
      offset: optionalParam(wholeNumber(0, 999_999_999), 'How many of the weakest to pass over.'),
    },
    answer: json('Those that the policy judges.', strengthsSchema),
    handle: async ({ memory, query: { memories, characters, ...options }, show }) => {
      const hasCapacity = memories !== undefined || characters !== undefined
      const capacity = hasCapacity ? given({ memories, characters }) : undefined
      return show(await memory.admin.strengths(given({ ...options, capacity })))
    },
  }),
  userRoute('POST /forgetting', {
    id: 'runForgetting',
    tag: 'forgetting',
    summary: 'Run the forgetting policy now',
    description: 'What is forgotten leaves recall, and can be restored.',
    needs: 'write',
    body: forgettingRequestSchema,
    answer: json('What was forgotten, or would be.', forgettingResultSchema),
    once: true,
    handle: async ({ memory, body: { capacity, ...options }, show }) => {
      const limits = capacity === undefined ? undefined : given(capacity)
      return show(await memory.runForgetting(given({ ...options, capacity: limits })))
    },
  }),
]

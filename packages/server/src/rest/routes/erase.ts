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
    'names nothing, or too much: pass memories, turns or sessions, or only everything',
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
    'names too much: pass memories, turns or sessions, or only everything',
  )
  .openapi('ErasePreviewRequest')

const previewSchema = z
  .object({
    isPerson: z.boolean().describe('Whether the whole user would be erased.'),
    turns: z.int(),
    memories: z.int(),
    forms: z.array(z.object({ form: z.enum(MEMORY_FORMS), count: z.int() })),
    turnIds: z.array(z.string()).describe('Up to 200 of the turns; empty if all would be erased.'),
    items: z.array(memorySchema).describe('Up to 200 of the memories.'),
  })
  .openapi('ErasePreview', { description: 'A preview of an erasure.' })

const receiptsSchema = z.object({ erasures: z.array(receiptSchema) }).openapi('EraseReceipts')

const forgettingRequestSchema = z
  .strictObject({
    dryRun: z.boolean().optional().describe('`true`: the run only reports what would be forgotten.'),
    keep: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('The share of all memories ever made that stays. It replaces the preset’s share.'),
    capacity: z
      .strictObject({ memories: z.int().min(0).optional(), characters: z.int().min(0).optional() })
      .optional()
      .describe('The maximum number of memories that stay. It replaces the preset’s capacity.'),
    policy: z.string().optional().describe('The policy that judges. It replaces the preset’s policy.'),
    limit: z
      .int()
      .min(0)
      .max(1_000)
      .optional()
      .describe(
        'Maximum number of forgotten memories in the answer. The default is all. `considered - kept` memories are forgotten.',
      ),
  })
  .refine(({ keep, capacity }) => keep === undefined || capacity === undefined, {
    path: ['capacity'],
    message: 'cannot be used with keep: pass only one of them',
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
      .describe('One operation for each scope and policy. To restore all memories, undo these.'),
    dryRun: z.boolean(),
  })
  .openapi('ForgettingResult', { description: 'The result of a run of the policy, or of a dry run.' })

const strengthsSchema = z
  .object({
    policy: z.string(),
    formula: z.string(),
    considered: z.int().describe('Number of memories that the policy judges.'),
    kept: z.int().describe('Number of these memories that would stay.'),
    items: z.array(
      z.object({
        memory: memorySchema,
        strength: strengthSchema,
        rank: z.int().describe('Rank by strength in its scope, from 1.'),
        kept: z.boolean(),
        because: z.enum(['strength', 'pinned', 'untold', 'larger-than-capacity']),
      }),
    ),
  })
  .openapi('Strengths', { description: 'The strengths of memories by a policy, the weakest first.' })

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
    summary: 'Erase a user',
    description:
      'Erases permanently: with `everything=true` every scope, with `agent` or `app` the scopes that they see. No byte of a text stays in the file. The receipt stays; it contains no text. This cannot be undone.',
    needs: 'erase',
    query: {
      everything: optionalParam(
        flagSchema,
        'Must be `true` for a whole user, that is, without `agent` and `app`.',
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
          'must be true to erase the whole user: repeat the request with ?everything=true, or name an agent or app',
        )
      return show(await erase(memory, { everything: true }))
    },
  }),
  userRoute('POST /erase', {
    id: 'erase',
    tag: 'erase',
    summary: 'Erase memories, turns or sessions, or everything',
    description:
      'Erases permanently, with everything that depends on them: all that the request names, or nothing. This cannot be undone.',
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
    summary: 'Preview an erasure',
    description:
      'Takes the body of `/erase` and changes nothing. If the body names nothing, the preview is of the whole user.',
    needs: 'read',
    body: previewRequestSchema,
    answer: json('The data that would be erased.', previewSchema),
    problems: [404],
    handle: async ({ memory, body, show }) => {
      const target = given(body)
      return show(await memory.admin.previewErasure(namesIds(target) ? target : undefined))
    },
  }),
  userRoute('GET /erasures', {
    id: 'listErasures',
    tag: 'erase',
    summary: 'List receipts of erasures',
    description: 'The oldest first. An erasure of the whole user removes them.',
    needs: 'read',
    answer: json('The receipts.', receiptsSchema),
    handle: async ({ memory, show }) => show({ erasures: await memory.admin.erasures() }),
  }),
  userRoute('GET /erasures/{erasure}', {
    id: 'getErasure',
    tag: 'erase',
    summary: 'Show the receipt of an erasure',
    description:
      'Works also after the whole user was erased. `purgedAt` is the time when no byte was left in the file.',
    needs: 'erase',
    names: { erasure: param(nameSchema, 'The id of the receipt.') },
    answer: json('The receipt.', receiptSchema),
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
    summary: 'List strengths of memories by a forgetting policy',
    description: 'The weakest first, with those that a run with this share or capacity would forget.',
    needs: 'read',
    query: {
      policy: optionalParam(z.string(), 'The default is the preset’s policy.'),
      memories: optionalParam(
        wholeNumber(0, 999_999_999),
        'The maximum number of memories. It replaces the preset’s capacity.',
      ),
      characters: wholeNumber(0, 999_999_999).optional(),
      limit: optionalParam(wholeNumber(1, 1_000), 'Maximum size of a page. The default is 100.'),
      offset: optionalParam(wholeNumber(0, 999_999_999), 'Number of the weakest memories to skip.'),
    },
    answer: json('The memories that the policy judges.', strengthsSchema),
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
    description: 'Forgotten memories are no longer recalled, but can be restored.',
    needs: 'write',
    body: forgettingRequestSchema,
    answer: json('The memories that were forgotten, or would be with `dryRun`.', forgettingResultSchema),
    once: true,
    handle: async ({ memory, body: { capacity, ...options }, show }) => {
      const limits = capacity === undefined ? undefined : given(capacity)
      return show(await memory.runForgetting(given({ ...options, capacity: limits })))
    },
  }),
]

import { z } from '@hono/zod-openapi'
import { NotFoundError, type EraseTarget, type ScopedMemory } from 'keepsake'
import { given } from '../../given.ts'
import { json } from '../describe-route.ts'
import { personRoute, type AddRoute } from '../add-route.ts'
import { nameSchema } from '../schemas/fields.ts'
import { forgottenSchema, receiptSchema } from '../schemas/gone.ts'

/** Ids taken in one request. */
const MOST_IDS = 1_000

const ids = z.array(nameSchema).max(MOST_IDS).optional()

const targetSchema = z
  .strictObject({ memories: ids, turns: ids, sessions: ids })
  .refine(
    ({ memories = [], turns = [], sessions = [] }) => memories.length + turns.length + sessions.length > 0,
    'names nothing: give memories, turns or sessions; to erase the person, DELETE the scope',
  )
  .openapi('EraseTarget', { example: { turns: ['monday-1'] } })

const erased = json('The receipt.', receiptSchema)

async function erase(memory: ScopedMemory, target?: EraseTarget) {
  const receipt = await memory.erase(target)
  if (receipt === null) throw new NotFoundError('scope', memory.key.user)
  return receipt
}

const forgettingRequestSchema = z
  .strictObject({
    dryRun: z.boolean().optional().describe('Only tell what would be let go.'),
    keep: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Keep this share of all ever made, instead of what the preset says.'),
    capacity: z
      .strictObject({
        memories: z.int().min(0).optional(),
        characters: z.int().min(0).optional(),
      })
      .optional()
      .describe('Keep at most so many, instead of what the preset says.'),
  })
  .refine(({ keep, capacity }) => keep === undefined || capacity === undefined, {
    path: ['capacity'],
    message: 'cannot go with keep: give one of them',
  })
  .openapi('ForgettingRequest', { example: { dryRun: true, keep: 0.5 } })

const forgettingResultSchema = z
  .object({
    policy: z.string(),
    considered: z.int(),
    kept: z.int(),
    forgotten: z.array(forgottenSchema),
    dryRun: z.boolean(),
  })
  .openapi('ForgettingResult', {
    description: 'What a run of the policy did, or would do.',
    example: { policy: 'keepsake', considered: 31, kept: 31, forgotten: [], dryRun: true },
  })

export const eraseRoutes: readonly AddRoute[] = [
  personRoute('DELETE ', {
    id: 'eraseScope',
    tag: 'erase',
    summary: 'Erase a person',
    description:
      'For good, in every scope; with `agent` or `app`, what that sees. No byte of a text stays in the file; the receipt, which holds none, does. Cannot be undone.',
    needs: 'erase',
    answer: erased,
    problems: [404],
    once: true,
    handle: async ({ memory, show }) => show(await erase(memory)),
  }),
  personRoute('POST /erase', {
    id: 'erase',
    tag: 'erase',
    summary: 'Erase memories, turns or sessions',
    description:
      'For good, with everything that rests on them. All or none of what is named. Cannot be undone.',
    needs: 'erase',
    body: targetSchema,
    answer: erased,
    problems: [404],
    once: true,
    handle: async ({ memory, body, show }) => show(await erase(memory, given(body))),
  }),
  personRoute('POST /forgetting', {
    id: 'runForgetting',
    tag: 'forgetting',
    summary: 'Run the forgetting policy now',
    description: 'What is forgotten leaves recall, and can be restored.',
    needs: 'write',
    body: forgettingRequestSchema,
    answer: json('What was let go, or would be.', forgettingResultSchema),
    once: true,
    handle: async ({ memory, body: { dryRun, keep, capacity }, show }) => {
      const limits = capacity === undefined ? undefined : given(capacity)
      return show(await memory.forgetting(given({ dryRun, keep, capacity: limits })))
    },
  }),
]

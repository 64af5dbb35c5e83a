import { z } from '@hono/zod-openapi'
import { given } from '../../given.ts'
import { json } from '../describe-route.ts'
import { route, type RestRouter } from '../rest-router.ts'
import { forgottenSchema } from '../schemas/strength.ts'

const forgettingRequestSchema = z
  .strictObject({
    dryRun: z.boolean().optional().openapi({ description: 'Only tell what would be let go.' }),
    keep: z.number().min(0).max(1).optional().openapi({
      description: 'Keep this share of all ever made, instead of what the preset says.',
    }),
    capacity: z
      .strictObject({
        memories: z.number().int().min(0).optional(),
        characters: z.number().int().min(0).optional(),
      })
      .optional()
      .openapi({ description: 'Keep at most so many, instead of what the preset says.' }),
  })
  .refine(({ keep, capacity }) => keep === undefined || capacity === undefined, {
    path: ['capacity'],
    message: 'cannot go with keep: give one of them',
  })
  .openapi('ForgettingRequest', { example: { dryRun: true, keep: 0.5 } })

const forgettingResultSchema = z
  .object({
    policy: z.string(),
    considered: z.number().int(),
    kept: z.number().int(),
    forgotten: z.array(forgottenSchema),
    dryRun: z.boolean(),
  })
  .openapi('ForgettingResult', {
    description: 'What a run of the policy did, or would do.',
    example: { policy: 'keepsake', considered: 31, kept: 31, forgotten: [], dryRun: true },
  })

const runForgettingRoute = route({
  method: 'post',
  path: '/forgetting',
  id: 'runForgetting',
  tag: 'forgetting',
  summary: 'Run the forgetting policy now',
  description: 'What is forgotten leaves recall, and can be restored.',
  needs: 'write',
  body: forgettingRequestSchema,
  answer: json('What was let go, or would be.', forgettingResultSchema),
  once: true,
})

export function addForgettingRoutes(rest: RestRouter): void {
  rest.person(runForgettingRoute, async ({ memory, body: { dryRun, keep, capacity }, show }) => {
    const limits = capacity === undefined ? undefined : given(capacity)
    return show(await memory.forgetting(given({ dryRun, keep, capacity: limits })))
  })
}

import { createRoute, z } from '@hono/zod-openapi'
import type { ForgettingResult } from 'keepsake'
import type { ServerDeps } from '../../server-context.ts'
import { json, jsonBody, onceHeaders, problems, SECURITY, WITH_BODY } from '../describe-route.ts'
import { scopeQuery, userPath } from '../open-scope.ts'
import type { RestApp } from '../rest-app.ts'
import { onceIn } from '../run-once.ts'
import { given } from '../schemas/fields.ts'
import { strengthSchema } from '../schemas/explanation.ts'

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
    forgotten: z.array(z.object({ memory: z.string(), strength: strengthSchema, reason: z.string() })),
    dryRun: z.boolean(),
  })
  .openapi('ForgettingResult', {
    description: 'What a run of the policy did, or would do.',
    example: { policy: 'keepsake', considered: 31, kept: 31, forgotten: [], dryRun: true },
  })

const forgettingRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'post',
    path: '/v1/scopes/{user}/forgetting',
    operationId: 'runForgetting',
    summary: 'Run the forgetting policy now',
    description: 'What is forgotten leaves recall, and can be restored. Needs `write`.',
    tags: ['forgetting'],
    security: SECURITY,
    middleware: onceIn(deps, 'write'),
    request: {
      params: userPath,
      query: scopeQuery,
      headers: onceHeaders,
      body: jsonBody(forgettingRequestSchema),
    },
    responses: {
      200: json('What was let go, or would be.', forgettingResultSchema),
      ...problems(409, ...WITH_BODY),
    },
  })

export function addForgettingRoutes(app: RestApp, deps: ServerDeps): void {
  app.openapi(forgettingRoute(deps), async (c) => {
    const { dryRun, keep, capacity } = c.req.valid('json')
    const result = await c
      .get('memory')
      .forgetting(given({ dryRun, keep, capacity: capacity === undefined ? undefined : given(capacity) }))
    return c.json(presentResult(result), 200)
  })
}

function presentResult(result: ForgettingResult): z.infer<typeof forgettingResultSchema> {
  const forgotten = result.forgotten.map(({ memory, strength, reason }) => ({
    memory,
    strength: { value: strength.value, parts: { ...strength.parts } },
    reason,
  }))
  return { ...result, forgotten }
}

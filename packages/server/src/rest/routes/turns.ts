import { createRoute, z } from '@hono/zod-openapi'
import type { Remembered, TurnInput } from 'keepsake'
import type { ServerDeps } from '../../server-context.ts'
import { json, jsonBody, onceHeaders, problems, SECURITY, WITH_BODY } from '../describe-route.ts'
import { scopeQuery, userPath } from '../open-scope.ts'
import type { RestApp } from '../rest-app.ts'
import { onceIn, requestIdFor } from '../run-once.ts'
import { given, nameSchema } from '../schemas/fields.ts'
import { rememberedSchema, turnsSchema, type turnSchema } from '../schemas/turn.ts'

const rememberRequestSchema = z
  .strictObject({
    turns: turnsSchema,
    session: nameSchema.optional().openapi({
      description: 'Without one, a silence longer than the preset’s gap starts a new one.',
    }),
  })
  .openapi('RememberRequest', {
    example: {
      turns: [
        { role: 'user', text: 'I moved to Lyon last week.' },
        { role: 'agent', text: 'How is the new flat?' },
      ],
      session: 'monday',
    },
  })

const rememberRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'post',
    path: '/v1/scopes/{user}/turns',
    operationId: 'remember',
    summary: 'Remember turns',
    description:
      'All or none, durable when it answers, at once recallable; what is drawn from them follows in the background. Needs `write`.',
    tags: ['turns'],
    security: SECURITY,
    middleware: onceIn(deps, 'write'),
    request: {
      params: userPath,
      query: scopeQuery,
      headers: onceHeaders,
      body: jsonBody(rememberRequestSchema),
    },
    responses: {
      201: json('The turns are durable.', rememberedSchema),
      ...problems(409, ...WITH_BODY, 507),
    },
  })

export function addTurnRoutes(app: RestApp, deps: ServerDeps): void {
  app.openapi(rememberRoute(deps), async (c) => {
    const { turns, session } = c.req.valid('json')
    const id = requestIdFor(c.get('grant'), c.req) ?? undefined
    const remembered = await c.get('memory').remember(turns.map(asInput), given({ session, id }))
    return c.json(presentRemembered(remembered), 201)
  })
}

/** A turn as the engine takes it. */
export function asInput(turn: z.infer<typeof turnSchema>): TurnInput {
  return given(turn)
}

export function presentRemembered(remembered: Remembered): z.infer<typeof rememberedSchema> {
  const { turns, added, session, logged, masked } = remembered
  return { turns: [...turns], added, session, logged, masked: masked.map((one) => ({ ...one })) }
}

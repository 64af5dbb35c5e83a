import { z } from '@hono/zod-openapi'
import { given } from '../../given.ts'
import { json } from '../describe-route.ts'
import { route, type RestRouter } from '../rest-router.ts'
import { requestIdFor } from '../run-once.ts'
import { nameSchema } from '../schemas/fields.ts'
import { rememberedSchema, turnsSchema } from '../schemas/turn.ts'

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

const rememberRoute = route({
  method: 'post',
  path: '/turns',
  id: 'remember',
  tag: 'turns',
  summary: 'Remember turns',
  description:
    'All or none, durable when it answers, at once recallable; what is drawn from them follows in the background.',
  needs: 'write',
  body: rememberRequestSchema,
  answer: json('The turns are durable.', rememberedSchema, 201),
  problems: [507],
  once: true,
})

export function addTurnRoutes(rest: RestRouter): void {
  rest.person(rememberRoute, async ({ c, memory, body: { turns, session }, show }) => {
    const id = requestIdFor(c.get('grant'), c.req) ?? undefined
    return show(await memory.remember(turns.map(given), given({ session, id })))
  })
}

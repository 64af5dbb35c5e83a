import { z } from '@hono/zod-openapi'
import type { SessionRow } from 'keepsake'
import { given } from '../../given.ts'
import { json } from '../describe-route.ts'
import { pageOf, pageQuery, type Mark } from '../page.ts'
import { personRoute, type AddRoute } from '../add-route.ts'
import { requestIdFor } from '../run-once.ts'
import { momentSchema, nameSchema } from '../schemas/fields.ts'
import { rememberedSchema, turnsSchema } from '../schemas/turn.ts'

const rememberRequestSchema = z
  .strictObject({
    turns: turnsSchema,
    session: nameSchema
      .optional()
      .describe('Without one, a silence longer than the preset’s gap starts a new one.'),
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

/** So that numbers as texts are in the order of numbers. */
const NUMBER_DIGITS = 12

const SESSION_EXAMPLE = {
  id: 'monday',
  agent: null,
  app: null,
  number: 1,
  startedAt: '2026-05-01T18:00:00.000Z',
  lastAt: '2026-05-01T18:20:00.000Z',
  endedAt: null,
}

const sessionSchema = z
  .object({
    id: z.string(),
    agent: z.string().nullable(),
    app: z.string().nullable(),
    number: z.int().describe('1 for the scope’s first.'),
    startedAt: momentSchema,
    lastAt: momentSchema,
    endedAt: momentSchema.nullable().describe('null while it is open.'),
  })
  .openapi('Session', {
    description: 'A run of turns that belong together.',
    example: SESSION_EXAMPLE,
  })

const sessionPageSchema = z
  .object({ sessions: z.array(sessionSchema), next: z.string().nullable() })
  .openapi('SessionPage', { example: { sessions: [SESSION_EXAMPLE], next: null } })

const endRequestSchema = z
  .strictObject({
    session: nameSchema.optional().describe('The latest one when absent.'),
  })
  .openapi('EndSessionRequest', { example: { session: 'monday' } })

const endedSchema = z
  .object({ session: z.string().nullable().describe('As asked; null: the latest.') })
  .openapi('EndedSession', { example: { session: 'monday' } })

export const turnRoutes: readonly AddRoute[] = [
  personRoute('POST /turns', {
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
    handle: async ({ c, memory, body: { turns, session }, show }) => {
      const id = requestIdFor(c.get('grant'), c.req) ?? undefined
      return show(await memory.remember(turns.map(given), given({ session, id })))
    },
  }),
  personRoute('GET /sessions', {
    id: 'listSessions',
    tag: 'sessions',
    summary: 'The sessions in order',
    needs: 'read',
    query: pageQuery,
    answer: json('Sessions, scope by scope in the order they were begun.', sessionPageSchema),
    handle: async ({ memory, query, show }) => {
      const { items, next } = pageOf(await memory.sessions(), query, markOf)
      return show({ sessions: items, next })
    },
  }),
  personRoute('POST /sessions/end', {
    id: 'endSession',
    tag: 'sessions',
    summary: 'End a session',
    description:
      'Its rest is consolidated, it is summarised, and the forgetting policy runs: queued durably, done in the background. Ending an ended session does nothing.',
    needs: 'write',
    body: endRequestSchema,
    answer: json('Its end is queued.', endedSchema, 202),
    problems: [404],
    once: true,
    handle: async ({ memory, body: { session } }) => {
      await memory.endSession(session)
      return { session: session ?? null }
    },
  }),
]

/** Where a session is in the list: in its scope, by its number, neither of which changes. */
function markOf({ scope, number }: SessionRow): Mark {
  return { at: scope, id: String(number).padStart(NUMBER_DIGITS, '0') }
}

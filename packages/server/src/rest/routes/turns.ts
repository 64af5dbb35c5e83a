import { z } from '@hono/zod-openapi'
import { given } from '@keepsake/text/names'
import { json } from '../describe-route.ts'
import { eitherWayQuery, inQuery } from '../page.ts'
import { userRoute, type AddRoute } from '../add-route.ts'
import { requestIdFor } from '../../serving/idempotency-key.ts'
import {
  momentSchema,
  idSchema,
  nameSchema,
  someNames,
  wholeNumber,
  optionalParam,
  param,
} from '../schemas/fields.ts'
import { describeSchema, rememberedSchema, storedTurnSchema, turnsSchema } from '../schemas/turn.ts'

const rememberRequestSchema = z
  .strictObject({
    turns: turnsSchema,
    session: idSchema
      .optional()
      .describe('Without one, a silence longer than the preset’s gap starts a new one.'),
    describe: describeSchema,
  })
  .openapi('RememberRequest')

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
  .openapi('Session', { description: 'A run of turns that belong together.' })

const sessionPageSchema = z
  .object({ sessions: z.array(sessionSchema), next: z.string().nullable() })
  .openapi('SessionPage')

const turnPageSchema = z
  .object({ turns: z.array(storedTurnSchema), next: z.string().nullable() })
  .openapi('TurnPage')

const sessionName = { session: param(idSchema, 'The session’s id.') }

const rememberingSchema = z.strictObject({ remember: z.boolean() }).openapi('Remembering')

const endRequestSchema = z
  .strictObject({ session: idSchema.optional().describe('The latest one when absent.') })
  .openapi('EndSessionRequest')

const endedSchema = z
  .object({ session: z.string().nullable().describe('As asked; null: the latest.') })
  .openapi('EndedSession')

export const turnRoutes: readonly AddRoute[] = [
  userRoute('POST /turns', {
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
    handle: async ({ c, memory, body: { turns, session, describe }, show }) => {
      const id = requestIdFor(c.get('grant'), c.req) ?? undefined
      return show(await memory.remember(turns.map(given), given({ session, id, describe })))
    },
  }),
  userRoute('GET /turns', {
    id: 'listTurns',
    tag: 'turns',
    summary: 'Turns as they were said',
    description: 'Scope by scope in order of arrival, or by time. Not those that were erased.',
    needs: 'read',
    query: {
      session: idSchema.optional(),
      ids: optionalParam(someNames, 'Only these; all in one page.'),
      order: optionalParam(z.enum(['arrival', 'time']), '`time`: by when they were said.'),
      ...eitherWayQuery,
    },
    answer: json('A page of turns.', turnPageSchema),
    handle: async ({ memory, query: { ids, session, order, ...page }, show }) => {
      if (ids !== undefined) return show({ turns: await memory.turns(given({ ids, session })), next: null })
      const { items, next } = await inQuery(() => memory.admin.turnPage(given({ session, order, ...page })))
      return show({ turns: items, next })
    },
  }),
  userRoute('GET /turns/{turn}/around', {
    id: 'listTurnsAround',
    tag: 'turns',
    summary: 'A turn within its conversation',
    description: 'With those before and after it in its session, in order.',
    needs: 'read',
    names: { turn: param(nameSchema, 'The turn’s id.') },
    query: { count: optionalParam(wholeNumber(0, 100), 'How many on each side; 5 when absent.') },
    answer: json('The turns.', turnPageSchema),
    problems: [404],
    handle: async ({ memory, path, query: { count }, show }) =>
      show({ turns: await memory.admin.turnsAround(path.turn, count), next: null }),
  }),
  userRoute('GET /sessions', {
    id: 'listSessions',
    tag: 'sessions',
    summary: 'The sessions in order',
    needs: 'read',
    query: eitherWayQuery,
    answer: json('Sessions, scope by scope in the order they were begun.', sessionPageSchema),
    handle: async ({ memory, query, show }) => {
      const { items, next } = await inQuery(() => memory.admin.sessionPage(given(query)))
      return show({ sessions: items, next })
    },
  }),
  userRoute('GET /sessions/{session}/remembering', {
    id: 'getRemembering',
    tag: 'sessions',
    summary: 'Whether a session is remembered',
    needs: 'read',
    names: sessionName,
    answer: json('It is, or not.', rememberingSchema),
    handle: async ({ memory, path }) => ({ remember: await memory.admin.isRemembered(path.session) }),
  }),
  userRoute('PUT /sessions/{session}/remembering', {
    id: 'setRemembering',
    tag: 'sessions',
    summary: 'Do not remember a session, or do again',
    description:
      'While it is not remembered, turns and replies of it are stored nowhere, through any API. What was kept before stays until it is erased.',
    needs: 'write',
    names: sessionName,
    body: rememberingSchema,
    answer: json('As it is now.', rememberingSchema),
    once: true,
    handle: async ({ memory, path, body: { remember } }) => {
      await memory.admin.setRemembered(path.session, remember)
      return { remember }
    },
  }),
  userRoute('POST /sessions/end', {
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

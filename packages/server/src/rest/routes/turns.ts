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
      .describe(
        'The session of the turns. If absent, a silence longer than the preset’s gap starts a new session.',
      ),
    describe: describeSchema,
  })
  .openapi('RememberRequest')

const sessionSchema = z
  .object({
    id: z.string(),
    agent: z.string().nullable(),
    app: z.string().nullable(),
    number: z.int().describe('Number of the session in its scope, from 1.'),
    startedAt: momentSchema,
    lastAt: momentSchema,
    endedAt: momentSchema.nullable().describe('null while the session is open.'),
  })
  .openapi('Session', { description: 'A sequence of turns that belong together.' })

const sessionPageSchema = z
  .object({ sessions: z.array(sessionSchema), next: z.string().nullable() })
  .openapi('SessionPage')

const turnPageSchema = z
  .object({ turns: z.array(storedTurnSchema), next: z.string().nullable() })
  .openapi('TurnPage')

const sessionName = { session: param(idSchema, 'The id of the session.') }

const rememberingSchema = z.strictObject({ remember: z.boolean() }).openapi('Remembering')

const endRequestSchema = z
  .strictObject({ session: idSchema.optional().describe('The default is the latest session.') })
  .openapi('EndSessionRequest')

const endedSchema = z
  .object({
    session: z.string().nullable().describe('The session of the request; null: the latest session.'),
  })
  .openapi('EndedSession')

export const turnRoutes: readonly AddRoute[] = [
  userRoute('POST /turns', {
    id: 'remember',
    tag: 'turns',
    summary: 'Remember turns',
    description:
      'Stores all turns or none. They are stored and can be recalled when the request returns. Facts are extracted in the background.',
    needs: 'write',
    body: rememberRequestSchema,
    answer: json('The turns are stored.', rememberedSchema, 201),
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
    summary: 'List turns',
    description: 'Scope by scope in order of arrival, or by time, without erased turns.',
    needs: 'read',
    query: {
      session: idSchema.optional(),
      ids: optionalParam(someNames, 'Only these turns, in one page.'),
      order: optionalParam(z.enum(['arrival', 'time']), '`time`: by the time when they were said.'),
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
    summary: 'Show a turn in its conversation',
    description: 'The turn with those before and after it in its session, in order.',
    needs: 'read',
    names: { turn: param(nameSchema, 'The id of the turn.') },
    query: { count: optionalParam(wholeNumber(0, 100), 'Number of turns on each side. The default is 5.') },
    answer: json('The turns.', turnPageSchema),
    problems: [404],
    handle: async ({ memory, path, query: { count }, show }) =>
      show({ turns: await memory.admin.turnsAround(path.turn, count), next: null }),
  }),
  userRoute('GET /sessions', {
    id: 'listSessions',
    tag: 'sessions',
    summary: 'List sessions',
    needs: 'read',
    query: eitherWayQuery,
    answer: json('The sessions, scope by scope in the order of their beginning.', sessionPageSchema),
    handle: async ({ memory, query, show }) => {
      const { items, next } = await inQuery(() => memory.admin.sessionPage(given(query)))
      return show({ sessions: items, next })
    },
  }),
  userRoute('GET /sessions/{session}/remembering', {
    id: 'getRemembering',
    tag: 'sessions',
    summary: 'Show whether a session is remembered',
    needs: 'read',
    names: sessionName,
    answer: json('Whether the session is remembered.', rememberingSchema),
    handle: async ({ memory, path }) => ({ remember: await memory.admin.isRemembered(path.session) }),
  }),
  userRoute('PUT /sessions/{session}/remembering', {
    id: 'setRemembering',
    tag: 'sessions',
    summary: 'Switch remembering of a session off or on',
    description:
      'While it is off, no API stores turns and replies of the session. Earlier turns stay until they are erased.',
    needs: 'write',
    names: sessionName,
    body: rememberingSchema,
    answer: json('Whether the session is remembered now.', rememberingSchema),
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
      'Queues jobs that consolidate its last turns, summarise it, and run the forgetting policy. To end an ended session has no effect.',
    needs: 'write',
    body: endRequestSchema,
    answer: json('The end of the session is queued.', endedSchema, 202),
    problems: [404],
    once: true,
    handle: async ({ memory, body: { session } }) => {
      await memory.endSession(session)
      return { session: session ?? null }
    },
  }),
]

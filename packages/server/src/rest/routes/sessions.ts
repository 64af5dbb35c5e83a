import { createRoute, z } from '@hono/zod-openapi'
import type { SessionRow } from 'keepsake'
import type { ServerDeps } from '../../server-context.ts'
import { findPlaces } from '../find-places.ts'
import { json, jsonBody, onceHeaders, problems, SECURITY, WITH_BODY } from '../describe-route.ts'
import { openScope, scopeQuery, userPath } from '../open-scope.ts'
import { pageOf, pageQuery, type Mark } from '../page.ts'
import type { RestApp } from '../rest-app.ts'
import { onceIn } from '../run-once.ts'
import { momentSchema, nameSchema, presentTime } from '../schemas/fields.ts'

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
    number: z.number().int().openapi({ description: '1 for the scope’s first.' }),
    startedAt: momentSchema,
    lastAt: momentSchema,
    endedAt: momentSchema.nullable().openapi({ description: 'null while it is open.' }),
  })
  .openapi('Session', {
    description: 'A run of turns that belong together.',
    example: SESSION_EXAMPLE,
  })

const listRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'get',
    path: '/v1/scopes/{user}/sessions',
    operationId: 'listSessions',
    summary: 'The sessions in order',
    description: 'Needs `read`.',
    tags: ['sessions'],
    security: SECURITY,
    middleware: openScope(deps.keepsake, 'read'),
    request: { params: userPath, query: scopeQuery.extend(pageQuery) },
    responses: {
      200: json(
        'Sessions, scope by scope in the order they were begun.',
        z
          .object({ sessions: z.array(sessionSchema), next: z.string().nullable() })
          .openapi('SessionPage', { example: { sessions: [SESSION_EXAMPLE], next: null } }),
      ),
      ...problems(),
    },
  })

const endRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'post',
    path: '/v1/scopes/{user}/sessions/end',
    operationId: 'endSession',
    summary: 'End a session',
    description:
      'Its rest is consolidated, it is summarised, and the forgetting policy runs: queued durably, done in the background. Ending an ended session does nothing. Needs `write`.',
    tags: ['sessions'],
    security: SECURITY,
    middleware: onceIn(deps, 'write'),
    request: {
      params: userPath,
      query: scopeQuery,
      headers: onceHeaders,
      body: jsonBody(
        z
          .strictObject({
            session: nameSchema.optional().openapi({ description: 'The latest one when absent.' }),
          })
          .openapi('EndSessionRequest', { example: { session: 'monday' } }),
      ),
    },
    responses: {
      202: json(
        'Its end is queued.',
        z
          .object({ session: z.string().nullable().openapi({ description: 'As asked; null: the latest.' }) })
          .openapi('EndedSession', { example: { session: 'monday' } }),
      ),
      ...problems(404, 409, ...WITH_BODY),
    },
  })

/** Where a session is in the list: in its scope, by its number, neither of which changes. */
function markOf({ scope, number }: SessionRow): Mark {
  return { at: scope, id: String(number).padStart(NUMBER_DIGITS, '0') }
}

export function addSessionRoutes(app: RestApp, deps: ServerDeps): void {
  app.openapi(listRoute(deps), async (c) => {
    const memory = c.get('memory')
    const { limit, cursor } = c.req.valid('query')
    const [rows, places] = await Promise.all([memory.sessions(), findPlaces(deps.keepsake, memory.key)])
    const { items, next } = pageOf(rows, { limit, cursor }, markOf)
    const sessions = items.map(({ scope, id, number, startedAt, lastAt, endedAt }) => ({
      id,
      ...places.of(scope),
      number,
      startedAt: presentTime(startedAt),
      lastAt: presentTime(lastAt),
      endedAt: presentTime(endedAt),
    }))
    return c.json({ sessions, next }, 200)
  })

  app.openapi(endRoute(deps), async (c) => {
    const { session } = c.req.valid('json')
    await c.get('memory').endSession(session)
    return c.json({ session: session ?? null }, 202)
  })
}

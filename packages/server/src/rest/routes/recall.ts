import { createRoute } from '@hono/zod-openapi'
import { allows } from '../../access/access.ts'
import { requireGrant } from '../../access/require-access.ts'
import { Problem } from '../../problem.ts'
import type { ServerDeps } from '../../server-context.ts'
import { json, jsonBody, problems, SECURITY, WITH_BODY } from '../describe-route.ts'
import { findPlaces } from '../find-places.ts'
import { openScope, scopeQuery, userPath } from '../open-scope.ts'
import type { RestApp } from '../rest-app.ts'
import { given } from '../schemas/fields.ts'
import { presentRecall, recallRequestSchema, recallSchema } from '../schemas/recall.ts'

const recallRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'post',
    path: '/v1/scopes/{user}/recall',
    operationId: 'recall',
    summary: 'Recall what bears on a question',
    description:
      'Memories with scores, the turns that prove them, a composed context, and how sure it is. Needs `read`; a key without `write` strengthens nothing by it.',
    tags: ['recall'],
    security: SECURITY,
    middleware: openScope(deps.keepsake, 'read'),
    request: { params: userPath, query: scopeQuery, body: jsonBody(recallRequestSchema) },
    responses: { 200: json('What memory holds on it.', recallSchema), ...problems(...WITH_BODY, 502) },
  })

export function addRecallRoutes(app: RestApp, deps: ServerDeps): void {
  app.openapi(recallRoute(deps), async (c) => {
    const memory = c.get('memory')
    const { question, ...options } = c.req.valid('json')
    if (options.reinforce === true) requireGrant(c.get('grant'), 'write', memory.key)
    // What a recall reinforces is forgotten later: a change, if a small one, and so not a reader's to make.
    const mayChange = allows(c.get('grant'), 'write', memory.key)
    const { signal } = c.req.raw
    const asked = { ...given(options), ...(mayChange ? {} : { reinforce: false }), abortSignal: signal }
    const recall = await memory.recall(question, asked).catch((error: unknown) => {
      throw signal.aborted ? goneAway(error) : error
    })
    return c.json(presentRecall(recall, await findPlaces(deps.keepsake, memory.key)), 200)
  })
}

/** Nobody reads this answer; it keeps a caller that went away from being logged as a failure. */
function goneAway(cause: unknown): Problem {
  return new Problem(499, 'gone-away', 'The caller went away before the answer.', { cause })
}

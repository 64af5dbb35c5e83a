import { createRoute, z } from '@hono/zod-openapi'
import { NotFoundError } from 'keepsake'
import type { ServerDeps } from '../../server-context.ts'
import { json, jsonBody, onceHeaders, problems, SECURITY, WITH_BODY } from '../describe-route.ts'
import { scopeQuery, userPath } from '../open-scope.ts'
import type { RestApp } from '../rest-app.ts'
import { onceIn } from '../run-once.ts'
import { given, nameSchema } from '../schemas/fields.ts'
import { presentReceipt, receiptSchema } from '../schemas/receipt.ts'

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

const erasePersonRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'delete',
    path: '/v1/scopes/{user}',
    operationId: 'eraseScope',
    summary: 'Erase a person',
    description:
      'For good, in every scope; with `agent` or `app`, what that sees. No byte of a text stays in the file; the receipt, which holds none, does. Cannot be undone. Needs `erase`.',
    tags: ['erase'],
    security: SECURITY,
    middleware: onceIn(deps, 'erase'),
    request: { params: userPath, query: scopeQuery, headers: onceHeaders },
    responses: { 200: json('The receipt.', receiptSchema), ...problems(404, 409) },
  })

const eraseRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'post',
    path: '/v1/scopes/{user}/erase',
    operationId: 'erase',
    summary: 'Erase memories, turns or sessions',
    description:
      'For good, with everything that rests on them. All or none of what is named. Cannot be undone. Needs `erase`.',
    tags: ['erase'],
    security: SECURITY,
    middleware: onceIn(deps, 'erase'),
    request: { params: userPath, query: scopeQuery, headers: onceHeaders, body: jsonBody(targetSchema) },
    responses: { 200: json('The receipt.', receiptSchema), ...problems(404, 409, ...WITH_BODY) },
  })

export function addEraseRoutes(app: RestApp, deps: ServerDeps): void {
  app.openapi(erasePersonRoute(deps), async (c) => {
    const memory = c.get('memory')
    const receipt = await memory.erase()
    if (receipt === null) throw new NotFoundError('scope', memory.key.user)
    return c.json(presentReceipt(receipt), 200)
  })

  app.openapi(eraseRoute(deps), async (c) => {
    const memory = c.get('memory')
    const receipt = await memory.erase(given(c.req.valid('json')))
    if (receipt === null) throw new NotFoundError('scope', memory.key.user)
    return c.json(presentReceipt(receipt), 200)
  })
}

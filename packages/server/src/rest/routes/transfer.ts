import { createRoute, z } from '@hono/zod-openapi'
import { NotFoundError } from 'keepsake'
import { requireAccess } from '../../access/require-access.ts'
import type { ServerDeps } from '../../server-context.ts'
import { json, problems, SECURITY, WITH_BODY } from '../describe-route.ts'
import { openScope, personQuery, userPath } from '../open-scope.ts'
import { readLines } from '../read-lines.ts'
import type { RestApp } from '../rest-app.ts'
import { scopeSchema } from '../schemas/scope.ts'

const LINES = 'application/x-ndjson'

const linesSchema = z.string().openapi({
  description: 'JSON lines, in the format of `keepsake export`.',
  example: '{"row":"keepsake-export","format":1,"tenant":"default","user":"ana"}\n',
})

const exportRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'get',
    path: '/v1/scopes/{user}/export',
    operationId: 'exportScope',
    summary: 'Export a person',
    description:
      'The whole person as JSON lines, which an import reads back exactly. An export that breaks off ends the connection before its end. Needs `read`.',
    tags: ['transfer'],
    security: SECURITY,
    middleware: openScope(deps.keepsake, 'read'),
    request: { params: userPath, query: personQuery },
    responses: {
      200: { description: 'JSON lines, as they are read.', content: { [LINES]: { schema: linesSchema } } },
      ...problems(404),
    },
  })

const importRoute = createRoute({
  method: 'post',
  path: '/v1/import',
  operationId: 'importScope',
  summary: 'Import a person',
  description:
    'Reads an export back, all or none, under the tenant and user it carries. Refused when that person has rows already. Needs `admin`.',
  tags: ['transfer'],
  security: SECURITY,
  request: {
    query: z.strictObject({}),
    body: { required: true, content: { [LINES]: { schema: linesSchema } } },
  },
  responses: {
    201: json(
      'The scopes that were made.',
      z.object({ scopes: z.array(scopeSchema) }).openapi('Imported', {
        example: { scopes: [{ tenant: 'default', user: 'ana', agent: null, app: null }] },
      }),
    ),
    ...problems(409, ...WITH_BODY, 507),
  },
})

export function addTransferRoutes(app: RestApp, deps: ServerDeps): void {
  app.openapi(exportRoute(deps), async (c) => {
    const memory = c.get('memory')
    const lines = memory.export()
    const first = await lines.next()
    if (first.done === true) throw new NotFoundError('scope', memory.key.user)
    const body = streamLines(first.value, lines)
    // The router's types take every media type with "json" in it for one that `c.json()` makes.
    return new Response(body, { headers: { 'Content-Type': LINES } }) as never
  })

  app.openapi(importRoute, async (c) => {
    requireAccess(c, 'admin')
    const rows = await deps.keepsake.import(readLines(c.req.raw))
    const scopes = rows.map(({ tenant, user, agent, app }) => ({ tenant, user, agent, app }))
    return c.json({ scopes }, 201)
  })
}

/** Lines as bytes, each read when it is asked for. */
function streamLines(first: string, rest: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(`${first}\n`)),
    pull: async (controller) => {
      const line = await rest.next()
      if (line.done === true) controller.close()
      else controller.enqueue(encoder.encode(`${line.value}\n`))
    },
    cancel: async () => {
      await rest.return(undefined)
    },
  })
}

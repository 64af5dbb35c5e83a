import { createRoute, z } from '@hono/zod-openapi'
import { requireAccess } from '../../access/require-access.ts'
import type { ServerDeps } from '../../server-context.ts'
import { json, problems, SECURITY } from '../describe-route.ts'
import { pageOf, pageQuery } from '../page.ts'
import type { RestApp } from '../rest-app.ts'
import { given, nameSchema } from '../schemas/fields.ts'
import { scopeSchema } from '../schemas/scope.ts'

const listRoute = createRoute({
  method: 'get',
  path: '/v1/scopes',
  operationId: 'listScopes',
  summary: 'Whose memories there are',
  description: 'Erased people are not listed. Needs `admin`.',
  tags: ['scopes'],
  security: SECURITY,
  request: {
    query: z.strictObject({ tenant: nameSchema.optional(), user: nameSchema.optional(), ...pageQuery }),
  },
  responses: {
    200: json(
      'Scopes in the order they were made.',
      z.object({ scopes: z.array(scopeSchema), next: z.string().nullable() }).openapi('ScopePage', {
        example: { scopes: [{ tenant: 'default', user: 'ana', agent: null, app: null }], next: null },
      }),
    ),
    ...problems(),
  },
})

export function addScopeRoutes(app: RestApp, deps: ServerDeps): void {
  app.openapi(listRoute, async (c) => {
    requireAccess(c, 'admin')
    const { tenant, user, limit, cursor } = c.req.valid('query')
    const rows = await deps.keepsake.scopes(given({ tenant, user }))
    const { items, next } = pageOf(rows, { limit, cursor }, ({ scope }) => ({ at: scope, id: '' }))
    const scopes = items.map(({ tenant, user, agent, app }) => ({ tenant, user, agent, app }))
    return c.json({ scopes, next }, 200)
  })
}

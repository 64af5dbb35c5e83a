import { createRoute, z } from '@hono/zod-openapi'
import { requireAccess } from '../../access/require-access.ts'
import type { ServerDeps } from '../../server-context.ts'
import { json, problems, SECURITY } from '../describe-route.ts'
import type { RestApp } from '../rest-app.ts'

const count = z.number().int()

const statsSchema = z
  .object({
    owners: count.openapi({ description: 'People.' }),
    scopes: count,
    sessions: count,
    turns: count,
    operations: count,
    memories: z.object({
      live: count,
      quarantined: count,
      deleted: count,
      forgotten: count,
      erased: count,
    }),
    jobs: count,
    bytes: count.openapi({ description: 'Size of database and journal together.' }),
    schema: count,
    preset: z.string(),
    embedder: z.string(),
    cacheBytes: count,
  })
  .openapi('Stats', {
    example: {
      owners: 2,
      scopes: 3,
      sessions: 14,
      turns: 310,
      operations: 402,
      memories: { live: 205, quarantined: 3, deleted: 4, forgotten: 0, erased: 0 },
      jobs: 0,
      bytes: 1_310_720,
      schema: 1,
      preset: 'keepsake',
      embedder: 'embedded/1',
      cacheBytes: 482_304,
    },
  })

const statsRoute = createRoute({
  method: 'get',
  path: '/v1/stats',
  operationId: 'getStats',
  summary: 'Rows, bytes and settings',
  description: 'Needs `admin`.',
  tags: ['server'],
  security: SECURITY,
  request: { query: z.strictObject({}) },
  responses: { 200: json('The figures.', statsSchema), ...problems() },
})

export function addStatsRoutes(app: RestApp, deps: ServerDeps): void {
  app.openapi(statsRoute, async (c) => {
    requireAccess(c, 'admin')
    const stats = await deps.keepsake.stats()
    return c.json({ ...stats, memories: { ...stats.memories } }, 200)
  })
}

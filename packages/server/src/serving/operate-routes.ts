import { Hono } from 'hono'
import { requireAccess } from '../access/require-access.ts'
import { Problem } from '../problem.ts'
import type { ServerDeps, ServerEnv } from '../server-context.ts'

/** Whether the process lives, and whether it can work: what machines that run it ask. They need no key. */
export function healthRoutes(deps: Pick<ServerDeps, 'keepsake' | 'stopping' | 'siblings'>): Hono<ServerEnv> {
  return new Hono<ServerEnv>()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      if (deps.stopping.aborted) throw new Problem(503, 'stopping', 'The server is shutting down.')
      // One read of the store, of somebody who is not there.
      await deps.keepsake.scope({ user: 'readyz', tenant: 'keepsake-readyz' }).sessions()
      const staff = deps.siblings?.staff()
      const workers = staff && { wanted: staff.wanted, serving: staff.serving.length }
      return c.json({ status: 'ready', ...(workers && { workers }) })
    })
}

/** Counts for Prometheus. They tell how much a server is used, so that they ask for a key with `admin` (`authorization` in a scrape's configuration). */
export function metricsRoutes(deps: Pick<ServerDeps, 'metrics'>): Hono<ServerEnv> {
  return new Hono<ServerEnv>().get('/metrics', async (c) => {
    requireAccess(c, 'admin')
    const { contentType, text } = await deps.metrics.render()
    return c.body(text, 200, { 'Content-Type': contentType })
  })
}

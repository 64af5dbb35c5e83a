import type { MiddlewareHandler } from 'hono'
import type { ServerDeps, ServerEnv } from '../server-context.ts'
import { openApiDocument } from './openapi-document.ts'
import { newRestApp, type RestApp } from './rest-app.ts'
import { addChangeRoutes } from './routes/change-memory.ts'
import { addEraseRoutes } from './routes/erase.ts'
import { addEventRoutes } from './routes/events.ts'
import { addForgettingRoutes } from './routes/forgetting.ts'
import { addJobRoutes } from './routes/jobs.ts'
import { addMemoryRoutes } from './routes/memories.ts'
import { addQuarantineRoutes } from './routes/quarantine.ts'
import { addRecallRoutes } from './routes/recall.ts'
import { addReplyRoutes } from './routes/reply.ts'
import { addScopeRoutes } from './routes/scopes.ts'
import { addSessionRoutes } from './routes/sessions.ts'
import { addStatsRoutes } from './routes/stats.ts'
import { addTransferRoutes } from './routes/transfer.ts'
import { addTurnRoutes } from './routes/turns.ts'
import { addWholePersonRoutes } from './routes/whole-person.ts'

/**
 * Everything the library does over REST, under `/v1`, and its description, `/openapi.json`. Mount it at the root, behind
 * what sets `grant` and reads bodies.
 *
 * @example
 * app.route('/', restRoutes(deps))
 */
export function restRoutes(deps: ServerDeps): RestApp {
  const app = newRestApp()
  for (const path of ['/v1/scopes/*', '/v1/events']) app.use(path, endHead)
  addScopeRoutes(app, deps)
  addTurnRoutes(app, deps)
  addSessionRoutes(app, deps)
  addRecallRoutes(app, deps)
  addReplyRoutes(app, deps)
  addMemoryRoutes(app, deps)
  addChangeRoutes(app, deps)
  addQuarantineRoutes(app, deps)
  addWholePersonRoutes(app, deps)
  addForgettingRoutes(app, deps)
  addEraseRoutes(app, deps)
  addTransferRoutes(app, deps)
  addEventRoutes(app, deps)
  addStatsRoutes(app, deps)
  addJobRoutes(app, deps)
  const document = openApiDocument(app)
  app.get('/openapi.json', (c) => c.json(document))
  return app
}

/** A HEAD is answered like a GET without its body: what would stream is let go of, since nobody will ever read it. */
const endHead: MiddlewareHandler<ServerEnv> = async (c, next) => {
  await next()
  if (c.req.method === 'HEAD') await c.res.body?.cancel()
}

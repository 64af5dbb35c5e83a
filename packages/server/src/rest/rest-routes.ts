import type { MiddlewareHandler } from 'hono'
import type { ServerDeps, ServerEnv } from '../server-context.ts'
import { openApiDocument } from './openapi-document.ts'
import { RestRouter, type RestApp } from './rest-router.ts'
import { addChangeRoutes } from './routes/change-memory.ts'
import { addEraseRoutes } from './routes/erase.ts'
import { addEventRoutes } from './routes/events.ts'
import { addForgettingRoutes } from './routes/forgetting.ts'
import { addMemoryRoutes } from './routes/memories.ts'
import { addQuarantineRoutes } from './routes/quarantine.ts'
import { addRecallRoutes } from './routes/recall.ts'
import { addReplyRoutes } from './routes/reply.ts'
import { addServerRoutes } from './routes/server.ts'
import { addSessionRoutes } from './routes/sessions.ts'
import { addTransferRoutes } from './routes/transfer.ts'
import { addTurnRoutes } from './routes/turns.ts'
import { addWholePersonRoutes } from './routes/whole-person.ts'

const ADD_ROUTES = [
  addTurnRoutes,
  addSessionRoutes,
  addRecallRoutes,
  addReplyRoutes,
  addMemoryRoutes,
  addChangeRoutes,
  addQuarantineRoutes,
  addWholePersonRoutes,
  addForgettingRoutes,
  addEraseRoutes,
  addTransferRoutes,
  addEventRoutes,
  addServerRoutes,
]

/**
 * Everything the library does over REST, under `/v1`, and its description, `/openapi.json`. Mount it at the root, behind
 * what sets `grant` and reads bodies.
 *
 * @example
 * app.route('/', restRoutes(deps))
 */
export function restRoutes(deps: ServerDeps): RestApp {
  const rest = new RestRouter(deps)
  const { app } = rest
  for (const path of ['/v1/scopes/*', '/v1/events']) app.use(path, endHead)
  for (const add of ADD_ROUTES) add(rest)
  const document = openApiDocument(app)
  app.get('/openapi.json', (c) => c.json(document))
  return app
}

/** A HEAD is answered like a GET without its body: what would stream is let go of, since nobody will ever read it. */
const endHead: MiddlewareHandler<ServerEnv> = async (c, next) => {
  await next()
  if (c.req.method === 'HEAD') await c.res.body?.cancel()
}

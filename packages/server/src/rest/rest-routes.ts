// Assembles all REST routes of the server. Called by app.ts.
import { OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import type { ServerDeps, ServerEnv } from '../server-context.ts'
import { EventFeed } from '../serving/event-feed.ts'
import { Webhooks } from '../webhooks/webhooks.ts'
import type { AddRoute, RestApp } from './add-route.ts'
import { openApiDocument, type OpenApiDocument } from './openapi-document.ts'
import { refuseInvalid } from './refuse-invalid.ts'
import { blockRoutes } from './routes/blocks.ts'
import { changeRoutes } from './routes/change-memory.ts'
import { eraseRoutes } from './routes/erase.ts'
import { eventRoutes } from './routes/events.ts'
import { importFileRoutes } from './routes/import-file.ts'
import { lifeRoutes, memoryRoutes } from './routes/memories.ts'
import { stateRoutes } from './routes/state.ts'
import { entityRoutes } from './routes/entities.ts'
import { personRoutes, wholePersonRoutes } from './routes/person.ts'
import { recallRoutes } from './routes/recall.ts'
import { replyRoutes } from './routes/reply.ts'
import { serverRoutes } from './routes/server.ts'
import { transferRoutes } from './routes/transfer.ts'
import { turnRoutes } from './routes/turns.ts'
import { webhookRoutes } from './routes/webhooks.ts'

const ROUTES: readonly AddRoute[] = [
  ...turnRoutes,
  ...recallRoutes,
  ...replyRoutes,
  ...memoryRoutes,
  ...lifeRoutes,
  ...changeRoutes,
  ...blockRoutes,
  ...wholePersonRoutes,
  ...stateRoutes,
  ...entityRoutes,
  ...personRoutes,
  ...eraseRoutes,
  ...transferRoutes,
  ...importFileRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...serverRoutes,
]

/** Creates the REST API under `/v1` and its description, `/openapi.json`. Earlier middleware sets `grant` and reads the body. */
export function restRoutes(deps: ServerDeps): RestApp {
  const app: RestApp = new OpenAPIHono({ defaultHook: refuseInvalid() })
  const { keepsake, worker, now } = deps
  // A server without webhooks only registers them. The next server of this memory that has webhooks delivers.
  const webhooks = deps.webhooks ?? new Webhooks({ keepsake, keys: null, report: () => undefined, now })
  const rest = { deps, app, events: new EventFeed(keepsake, worker), webhooks }
  for (const path of ['/v1/scopes/*', '/v1/events']) app.use(path, endHead)
  for (const add of ROUTES) add(rest)
  // Written on demand: describing all routes takes longer than the rest of the start, and few clients request it.
  let document: OpenApiDocument | null = null
  app.get('/openapi.json', (c) => c.json((document ??= openApiDocument(app))))
  return app
}

/** Cancels the body of an answer to HEAD. */
const endHead: MiddlewareHandler<ServerEnv> = async (c, next) => {
  await next()
  if (c.req.method === 'HEAD') await c.res.body?.cancel()
}

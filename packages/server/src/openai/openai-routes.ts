import { Hono } from 'hono'
import { Problem } from '../problem.ts'
import type { ServerDeps, ServerEnv, ServerRequest, Upstream } from '../server-context.ts'
import { UpstreamBudget } from '../access/upstream-budget.ts'
import { chatHandler, requireAnyMemory } from './complete-chat.ts'
import { forwardUpstream, requireUpstream, returnedHeaders } from './forward-upstream.ts'
import { readOpenaiOptions, type OpenaiOptions } from './openai-options.ts'

/**
 * The door for OpenAI's clients: mounted at `/v1`, it serves `/v1/chat/completions` and `/v1/models`. A client gets memory by
 * changing its base URL and naming its user; everything else goes to the upstream and comes back unchanged. Problems are
 * thrown: the app's `handleError` says them in OpenAI's form.
 *
 * @example
 * app.route('/v1', openaiRoutes(deps, { pending }))
 */
export function openaiRoutes(deps: ServerDeps, options: OpenaiOptions = {}): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>()
  // No middleware here: mounted at `/v1`, it would run for the REST routes as well.
  const settings = readOpenaiOptions(options)
  const budget = new UpstreamBudget(deps.keepsake.records, { perDay: settings.upstreamPerDay, now: deps.now })
  app.post('/chat/completions', chatHandler({ deps, settings, budget }))
  app.get('/models', (c) => passModels(c, requireUpstream(deps), '/models'))
  app.get('/models/:model{.+}', (c) => passModels(c, requireUpstream(deps), modelPath(c.req.param('model'))))
  return app
}

async function passModels(c: ServerRequest, upstream: Upstream, path: string): Promise<Response> {
  requireAnyMemory(c.get('grant'))
  const response = await forwardUpstream(upstream, {
    method: 'GET',
    path: `${path}${new URL(c.req.url).search}`,
    headers: c.req.raw.headers,
    signal: c.req.raw.signal,
  })
  return new Response(response.body, { status: response.status, headers: returnedHeaders(response.headers) })
}

/** A model's name may hold slashes, but must not climb to other paths of the upstream: they would be asked with its key. */
function modelPath(model: string): string {
  const names = model.split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..'))
    throw new Problem(404, 'no-such-route', 'There is no model of that name.')
  return `/models/${names.map(encodeURIComponent).join('/')}`
}

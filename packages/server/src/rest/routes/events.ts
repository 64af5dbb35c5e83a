import { createRoute, z } from '@hono/zod-openapi'
import { allows } from '../../access/access.ts'
import { requireAccess } from '../../access/require-access.ts'
import type { ServerDeps } from '../../server-context.ts'
import { problems, SECURITY } from '../describe-route.ts'
import { EventFeed, isAbout, type EngineEvent } from '../event-feed.ts'
import { EventStream } from '../event-stream.ts'
import { openScope, scopeQuery, userPath } from '../open-scope.ts'
import type { RestApp } from '../rest-app.ts'
import { eventSchema, presentEvent } from '../schemas/event.ts'

const stream = {
  description: 'Server-sent events, until the listener goes away or the server stops.',
  content: {
    'text/event-stream': {
      schema: z.string().openapi({
        description: 'Server-sent events; see `Event`.',
        example:
          'event: turns-recorded\ndata: {"scope":{"tenant":"default","user":"ana","agent":null,"app":null}}\n\n',
      }),
    },
  },
}

const scopeEventsRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'get',
    path: '/v1/scopes/{user}/events',
    operationId: 'listenToScope',
    summary: 'What happens to one person’s memory',
    description: 'From now on; what happened before is in the histories. Needs `read`.',
    tags: ['events'],
    security: SECURITY,
    middleware: openScope(deps.keepsake, 'read'),
    request: { params: userPath, query: scopeQuery },
    responses: { 200: stream, ...problems() },
  })

const allEventsRoute = createRoute({
  method: 'get',
  path: '/v1/events',
  operationId: 'listen',
  summary: 'What happens to everybody’s memory',
  description: 'Texts of conversations only for a key with `read` as well. Needs `admin`.',
  tags: ['events'],
  security: SECURITY,
  request: { query: z.strictObject({}) },
  responses: { 200: stream, ...problems() },
})

export function addEventRoutes(app: RestApp, deps: ServerDeps): void {
  const feed = new EventFeed(deps.keepsake)
  app.openAPIRegistry.register('Event', eventSchema)

  app.openapi(scopeEventsRoute(deps), (c) => {
    const { key } = c.get('memory')
    return streamEvents(feed, deps.stopping, (event) => isAbout(event, key), true)
  })

  app.openapi(allEventsRoute, (c) => {
    requireAccess(c, 'admin')
    return streamEvents(feed, deps.stopping, () => true, allows(c.get('grant'), 'read'))
  })
}

function streamEvents(
  feed: EventFeed,
  stopping: AbortSignal,
  wants: (event: EngineEvent) => boolean,
  mayRead: boolean,
): Response {
  // Nothing listens yet when the stream ends at once, because the server is stopping.
  let stop = (): void => {}
  const events = new EventStream({ stopping, onEnd: () => stop() })
  if (events.isOpen) {
    stop = feed.listen((event) => {
      if (!wants(event)) return
      const { event: name, data } = presentEvent(event, mayRead)
      events.send(name, data)
    })
  }
  return events.response()
}

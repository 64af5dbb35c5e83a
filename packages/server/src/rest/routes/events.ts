import { allows } from '../../access/access.ts'
import { EventFeed, isAbout, type EngineEvent } from '../../serving/event-feed.ts'
import { stream } from '../describe-route.ts'
import { EventStream } from '../event-stream.ts'
import { route, type RestRouter } from '../rest-router.ts'
import { eventSchema, presentEvent } from '../schemas/event.ts'

const events = stream(
  'Server-sent events, until the listener goes away or the server stops.',
  'text/event-stream',
  {
    description: 'Server-sent events; see `Event`.',
    example:
      'event: turns-recorded\ndata: {"scope":{"tenant":"default","user":"ana","agent":null,"app":null}}\n\n',
  },
)

const listenToScopeRoute = route({
  method: 'get',
  path: '/events',
  id: 'listenToScope',
  tag: 'events',
  summary: 'What happens to one person’s memory',
  description: 'From now on; what happened before is in the histories.',
  needs: 'read',
  answer: events,
})

const listenRoute = route({
  method: 'get',
  path: '/v1/events',
  id: 'listen',
  tag: 'events',
  summary: 'What happens to everybody’s memory',
  description: 'Texts of conversations only for a key with `read` as well.',
  needs: 'admin',
  answer: events,
})

export function addEventRoutes(rest: RestRouter): void {
  const { keepsake, stopping } = rest.deps
  const feed = new EventFeed(keepsake)
  rest.app.openAPIRegistry.register('Event', eventSchema)

  rest.person(listenToScopeRoute, ({ memory }) =>
    streamEvents(feed, stopping, (event) => isAbout(event, memory.key), true),
  )

  rest.server(listenRoute, ({ c }) =>
    streamEvents(feed, stopping, () => true, allows(c.get('grant'), 'read')),
  )
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

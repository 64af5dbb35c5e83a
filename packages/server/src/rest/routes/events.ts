import { allows } from '../../access/access.ts'
import type { ServerRequest } from '../../server-context.ts'
import { isAbout } from '../../serving/event-feed.ts'
import type { EngineEvent } from '../../workers/messages.ts'
import { stream } from '../describe-route.ts'
import { EventStream } from '../event-stream.ts'
import { personRoute, serverRoute, type AddRoute, type Rest } from '../add-route.ts'
import { eventSchema, presentEvent } from '../schemas/event.ts'

const streamed = stream(
  'Server-sent events, until the listener goes away, its key is revoked or over, or the server stops.',
  'text/event-stream',
  {
    description: 'Server-sent events; see `Event`.',
    example:
      'event: turns-recorded\ndata: {"scope":{"tenant":"default","user":"ana","agent":null,"app":null}}\n\n',
  },
)

export const eventRoutes: readonly AddRoute[] = [
  ({ app }) => app.openAPIRegistry.register('Event', eventSchema),
  personRoute('GET /events', {
    id: 'listenToScope',
    tag: 'events',
    summary: 'What happens to one person’s memory',
    description: 'From now on; what happened before is in the histories.',
    needs: 'read',
    answer: streamed,
    handle: ({ memory, ...rest }) => streamEvents(rest, (event) => isAbout(event, memory.key), true),
  }),
  serverRoute('GET /v1/events', {
    id: 'listen',
    tag: 'events',
    summary: 'What happens to everybody’s memory',
    description: 'Texts of conversations only for a key with `read` as well.',
    needs: 'admin',
    answer: streamed,
    handle: (asked) => streamEvents(asked, () => true, allows(asked.c.get('grant'), 'read')),
  }),
]

function streamEvents(
  { deps, events: feed, c }: Rest & { readonly c: ServerRequest },
  wants: (event: EngineEvent) => boolean,
  mayRead: boolean,
): Response {
  // Nothing listens yet when the stream ends at once, because the server is stopping.
  let stop = (): void => {}
  const over = new AbortController()
  const unwatch = deps.grants?.watch(c.get('grant'), () => over.abort())
  const onEnd = (): void => {
    unwatch?.()
    stop()
  }
  const events = new EventStream({ stopping: AbortSignal.any([deps.stopping, over.signal]), onEnd })
  if (events.isOpen) {
    stop = feed.listen((event) => {
      if (!wants(event)) return
      const { event: name, data } = presentEvent(event, mayRead)
      events.send(name, data)
    })
  }
  return events.response()
}

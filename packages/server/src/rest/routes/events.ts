import type { ScopeKey } from 'keepsake'
import { allows } from '../../access/grant.ts'
import type { ServerRequest } from '../../server-context.ts'
import { isAbout } from '../../engine-event.ts'
import { stream } from '../describe-route.ts'
import { EventStream } from '../event-stream.ts'
import { userRoute, serverRoute, type AddRoute, type Rest } from '../add-route.ts'
import { eventSchema, presentEvent } from '../schemas/event.ts'

const streamed = stream(
  'Server-sent events, until the client disconnects, its key is revoked or expires, or the server stops.',
  'text/event-stream',
  {
    description: 'Server-sent events; see `Event`.',
    example:
      'event: turns-recorded\ndata: {"scope":{"tenant":"default","user":"ana","agent":null,"app":null}}\n\n',
  },
)

export const eventRoutes: readonly AddRoute[] = [
  ({ app }) => app.openAPIRegistry.register('Event', eventSchema),
  userRoute('GET /events', {
    id: 'listenToScope',
    tag: 'events',
    summary: 'Stream events of one user',
    description: 'Events from now on. The log and the histories contain earlier changes.',
    needs: 'read',
    answer: streamed,
    handle: ({ memory, ...rest }) => streamEvents(rest, { about: memory.key, mayRead: true }),
  }),
  serverRoute('GET /v1/events', {
    id: 'listen',
    tag: 'events',
    summary: 'Stream events of all users',
    description: 'Texts of conversations need `read` as well.',
    needs: 'admin',
    answer: streamed,
    handle: (input) => streamEvents(input, { about: null, mayRead: allows(input.c.get('grant'), 'read') }),
  }),
]

interface StreamOptions {
  /** The scope; `null`: all. */
  readonly about: ScopeKey | null
  /** Whether events include texts of conversations. */
  readonly mayRead: boolean
}

function streamEvents(
  { deps, events: feed, c }: Rest & { readonly c: ServerRequest },
  { about, mayRead }: StreamOptions,
): Response {
  // Stays empty when the stream ends at once because the server is stopping.
  let stop = (): void => {}
  const grantEnded = new AbortController()
  const unwatch = deps.grants?.watch(c.get('grant'), () => grantEnded.abort(), JSON.stringify(about))
  const onEnd = (): void => {
    unwatch?.()
    stop()
  }
  const events = new EventStream({ stopping: AbortSignal.any([deps.stopping, grantEnded.signal]), onEnd })
  if (events.isOpen) {
    stop = feed.listen((event) => {
      if (about !== null && !isAbout(event, about)) return
      const { event: name, data } = presentEvent(event, mayRead)
      events.send(name, data)
    }, about)
  }
  return events.response()
}

import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  ErrorCode,
  McpError,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js'
import type { MemoryForm, ScopedMemory, ScopeKey } from 'keepsake'
import { given } from '@keepsake/text/names'
import type { EventFeed } from '../serving/event-feed.ts'
import { type EngineEvent, isAbout } from '../engine-event.ts'
import { translateError } from '../serving/errors.ts'
import type { McpServerOptions } from './memory-tool.ts'
import { onClose } from './sdk-listeners.ts'
import {
  guidelinesMarkdown,
  personaMarkdown,
  portraitMarkdown,
  profileMarkdown,
  stateMarkdown,
  storyMarkdown,
} from './memory-markdown.ts'

/** Debounce for notifications, so that a consolidation notifies once. */
const NOTIFY_DELAY_MS = 100

/** A view of the memory that MCP clients read as a resource. */
interface View {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The forms it contains; changes of other forms do not affect it. */
  readonly forms: readonly MemoryForm[]
  read(scope: ScopedMemory): Promise<{ readonly data: object; readonly markdown: string }>
}

const VIEWS: readonly View[] = [
  {
    name: 'profile',
    title: 'Profile',
    description:
      'The few facts that every conversation needs: name, health and safety, home, work, family, current events.',
    forms: ['fact', 'summary', 'story', 'utterance'],
    async read(scope) {
      const data = await scope.profile()
      return { data, markdown: profileMarkdown(data) }
    },
  },
  {
    name: 'persona',
    title: 'Persona sheet',
    description: 'The known facts about the user and the people around them, by key, with dates.',
    forms: ['fact'],
    async read(scope) {
      const data = await scope.persona()
      return { data, markdown: personaMarkdown(data, scope.key.user) }
    },
  },
  {
    name: 'story',
    title: 'Story',
    description:
      'The story so far: summaries of all that happened, the broadest first, then session by session.',
    forms: ['story', 'summary'],
    async read(scope) {
      const levels = await scope.story()
      return { data: { levels }, markdown: storyMarkdown(levels) }
    },
  },
  {
    name: 'state',
    title: 'State',
    description: 'The values of the application’s own keys, and its categories.',
    forms: ['fact'],
    async read(scope) {
      const [states, categories] = await Promise.all([scope.states(), scope.categories()])
      return { data: { states, categories }, markdown: stateMarkdown(states, categories) }
    },
  },
  {
    name: 'guidelines',
    title: 'Guidelines',
    description: 'The application’s rules on what to remember of the user and what never to remember.',
    forms: [],
    async read(scope) {
      const data = await scope.guidelines()
      return { data, markdown: guidelinesMarkdown(data) }
    },
  },
  {
    name: 'portrait',
    title: 'Portrait',
    description: 'A summary of all memories: who the user is, the relationship, the events.',
    forms: ['portrait'],
    async read(scope) {
      const data = await scope.portrait()
      return { data, markdown: portraitMarkdown(data) }
    },
  },
]

const uriOf = ({ name }: View): string => `keepsake://${name}`
const jsonUriOf = (view: View): string => `${uriOf(view)}.json`

/** Registers profile, persona, story, portrait, state and guidelines with subscriptions, as Markdown and as JSON (`….json`). */
export function registerMemoryResources(server: McpServer, options: McpServerOptions): void {
  for (const view of VIEWS) {
    const { name, title, description } = view
    const config = { title, description, mimeType: 'text/markdown' }
    server.registerResource(name, uriOf(view), config, async () =>
      content(uriOf(view), 'text/markdown', (await read(view, options)).markdown),
    )
  }
  // A template keeps the hosts' list of resources short.
  const template = new ResourceTemplate('keepsake://{view}.json', {
    list: undefined,
    complete: { view: (typed) => VIEWS.map(({ name }) => name).filter((name) => name.startsWith(typed)) },
  })
  const config = {
    title: 'As JSON',
    description: 'profile, persona, story, portrait, state or guidelines as JSON',
    mimeType: 'application/json',
  }
  server.registerResource('json', template, config, async (uri) => {
    const view = findView(uri.href)
    return content(uri.href, 'application/json', JSON.stringify((await read(view, options)).data, null, 2))
  })
  if (options.events !== undefined) registerSubscriptions(server, options.events, options.scope)
}

async function read(view: View, { keepsake, scope }: McpServerOptions): ReturnType<View['read']> {
  try {
    return await view.read(keepsake.scope(scope))
  } catch (error) {
    throw new McpError(ErrorCode.InternalError, translateError(error).message)
  }
}

function content(uri: string, mimeType: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text }] }
}

function findView(uri: string): View {
  const view = VIEWS.find((view) => uri === uriOf(view) || uri === jsonUriOf(view))
  if (view !== undefined) return view
  const knownUris = VIEWS.flatMap((view) => [uriOf(view), jsonUriOf(view)]).join(', ')
  throw new McpError(ErrorCode.InvalidParams, `There is no such resource. There are: ${knownUris}.`)
}

function registerSubscriptions({ server }: McpServer, events: EventFeed, scope: ScopeKey): void {
  const subscribedUris = new Set<string>()
  const changedUris = new Set<string>()
  let timer: NodeJS.Timeout | null = null

  const notify = (): void => {
    timer = null
    for (const uri of changedUris) {
      // The client may be gone.
      server.sendResourceUpdated({ uri }).catch((error: unknown) => server.onerror?.(error as Error))
    }
    changedUris.clear()
  }
  let stopListening: (() => void) | null = null
  const listen = (): (() => void) =>
    events.listen((event) => {
      for (const uri of subscribedUris) if (mayChangeView(event, findView(uri), scope)) changedUris.add(uri)
      if (changedUris.size > 0) timer ??= setTimeout(notify, NOTIFY_DELAY_MS).unref()
    }, scope)

  server.registerCapabilities({ resources: { subscribe: true } })
  server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) => {
    findView(uri)
    subscribedUris.add(uri)
    stopListening ??= listen()
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    subscribedUris.delete(uri)
    changedUris.delete(uri)
    return {}
  })
  onClose(server, () => stopListening?.())
}

/** Whether an event may change a view. An erasure receipt names no user, so all views refresh. */
function mayChangeView(event: EngineEvent, { forms }: View, { tenant, user }: ScopeKey): boolean {
  if (event.event === 'scope-erased') return true
  // Compares the user only, so a client that is limited to an agent sometimes refreshes without need.
  return (
    'memory' in event.payload &&
    isAbout(event, given({ tenant, user })) &&
    forms.includes(event.payload.memory.form)
  )
}

import { readFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Keepsake, ScopeKey } from 'keepsake'
import { allows, type Grant } from '../access/access.ts'
import type { LogEntry } from '../server-context.ts'
import type { EventFeed } from '../serving/event-feed.ts'
import { callTool, openTools } from './call-tool.ts'
import { registerMemoryResources } from './memory-resources.ts'
import { profileMarkdown } from './memory-markdown.ts'
import { registerMemoryPrompt, teach } from './teach-memory.ts'

const FILE = new URL('../../package.json', import.meta.url)
/** The version of this package, as connections are told it. */
const { version } = JSON.parse(readFileSync(FILE, 'utf8')) as { readonly version: string }

/** What one connection of MCP serves, and to whom. */
export interface McpServerOptions {
  readonly keepsake: Keepsake
  /** Whose memory; a connection has one for its whole life. */
  readonly scope: ScopeKey
  /** What the connection may do: tools beyond it are not listed, and refused. */
  readonly grant: Grant
  /** For subscribers of resources. */
  readonly events: EventFeed
  /** Told of failures inside, without texts. */
  readonly log?: (entry: LogEntry) => void
}

/**
 * One person's memory as an MCP server, for one connection over any transport: tools, resources, and a prompt that teaches
 * a model to use them.
 *
 * @example
 * const server = createMcpServer({ keepsake, scope: { user: 'ana' }, grant: UNLOCKED, events: new EventFeed(keepsake) })
 * await server.connect(new StdioServerTransport())
 */
export function createMcpServer(options: McpServerOptions): McpServer {
  const { grant, keepsake, scope } = options
  const access = { canRead: allows(grant, 'read', scope), canWrite: allows(grant, 'write', scope) }
  const server = new McpServer(
    { name: 'keepsake', title: 'Keepsake memory', version },
    { instructions: teach('en', access) },
  )
  registerTools(server, options)
  if (access.canRead) registerMemoryResources(server, options)
  registerMemoryPrompt(server, access, async () => {
    const profile = access.canRead ? await keepsake.scope(scope).profile() : { lines: [] }
    return profile.lines.length === 0 ? null : profileMarkdown(profile)
  })
  return server
}

/**
 * The SDK's own handlers say validation errors and closed tools in its words; these say them in a sentence that a model
 * can act on, and claim no changes of a list that has none.
 */
function registerTools({ server }: McpServer, options: McpServerOptions): void {
  server.registerCapabilities({ tools: {} })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: openTools(options).map(({ listed }) => listed),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
    callTool(options, {
      name: params.name,
      arguments: params.arguments,
      meta: params._meta,
      abortSignal: signal,
    }),
  )
}

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js'
import { Hono } from 'hono'
import type { ScopeKey } from 'keepsake'
import { requireAccess } from '../access/access.ts'
import { allows, type Grant } from '../access/grant.ts'
import { refuseForeignPages } from '../access/guard-loopback.ts'
import { readMemoryHeaders } from '../chats/read-memory-headers.ts'
import { Problem } from '../problem.ts'
import type { ServerDeps, ServerEnv, ServerRequest } from '../server-context.ts'
import { parseJson } from '../serving/request-body.ts'
import { describeError } from '../serving/write-log.ts'
import { withParsedArguments } from './memory-tool.ts'
import { createMcpServer } from './create-mcp-server.ts'
import { onError } from './sdk-listeners.ts'

interface McpRoutesOptions {
  /** Allowed web pages, such as `https://chat.example.com`. Default: only those of loopback. */
  readonly origins?: readonly string[]
}

/** MCP over streamable HTTP at `/mcp`, without sessions, so that any process can answer. Subscriptions work over stdio only. */
export function mcpRoutes(deps: ServerDeps, { origins = [] }: McpRoutesOptions = {}): Hono<ServerEnv> {
  const { keepsake, log } = deps
  const app = new Hono<ServerEnv>()
  app.use('/mcp', refuseForeignPages(origins))
  app.post('/mcp', async (c) => {
    const message = await readMessage(c)
    const grant = c.get('grant')
    const scope = requireMcpScope(c.req.raw.headers, grant)
    // Tools beyond the grant are not listed.
    requireAccess(c, allows(grant, 'write', scope) ? 'write' : 'read', scope)
    const server = createMcpServer({ keepsake, scope, grant, log })
    onError(server.server, (error) =>
      log({ level: 'warn', event: 'mcp-message-failed', ...describeError(error) }),
    )
    // Sends each answer as a whole, because a client would wait for a stream whose process died.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      const answer = await transport.handleRequest(acceptingBoth(c.req.raw), { parsedBody: message })
      return allowsJson(c.req.raw) ? answer : await asEventStream(answer)
    } finally {
      await server.close()
    }
  })
  app.all('/mcp', (c) => {
    c.header('Allow', 'POST')
    throw new Problem(405, 'method-not-allowed', 'MCP takes POST here.')
  })
  return app
}

/** Matches an `Accept` header that allows JSON. */
const ALLOWS_JSON = /(?:\*\/\*|application\/(?:\*|json))(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

function allowsJson({ headers }: Request): boolean {
  return ALLOWS_JSON.test(headers.get('accept') || '*/*')
}

/** Completes an `Accept` that allows one of the two types, since the SDK refuses clients that do not accept both. */
function acceptingBoth(request: Request): Request {
  const headers = new Headers(request.headers)
  if (allowsJson(request) || headers.get('accept')?.includes('text/event-stream') === true)
    headers.set('accept', 'application/json, text/event-stream')
  return new Request(request.url, { method: 'POST', headers })
}

/** Sends a JSON answer as a stream of one event, to a client that accepts no JSON. */
async function asEventStream(answer: Response): Promise<Response> {
  if (!answer.ok || answer.headers.get('content-type')?.startsWith('application/json') !== true) return answer
  const headers = { 'Content-Type': 'text/event-stream' }
  return new Response(`event: message\ndata: ${await answer.text()}\n\n`, { headers })
}

async function readMessage(c: ServerRequest): Promise<unknown> {
  const message = withParsedArguments(parseJson(await c.req.text()))
  // MCP removed batches in 2025-06-18, and one would count as a single request against the rate limit.
  if (Array.isArray(message))
    throw new Problem(400, 'malformed', 'Send one JSON-RPC message a request: batches are not taken.')
  const isOpening =
    typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize'
  if (isOpening && !isInitializeRequest(message)) {
    const detail = 'initialize must carry protocolVersion, capabilities and clientInfo as MCP has them.'
    throw new Problem(400, 'malformed', detail)
  }
  return message
}

/** Reads the scope from the `X-Keepsake-*` headers, or the grant's only user and tenant. @throws Problem 400 */
function requireMcpScope(headers: Headers, grant: Grant): ScopeKey {
  const { scope } = readMemoryHeaders(headers, grant, { user: null, tokens: 0 })
  if (scope !== null) return scope
  const detail = 'Which user? Send the header X-Keepsake-User, or use a key made for one user.'
  const problem = 'is missing, and the key opens more than one user'
  throw new Problem(400, 'no-user', detail, { fields: [{ field: 'header.x-keepsake-user', problem }] })
}

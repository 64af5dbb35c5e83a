import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js'
import { Hono } from 'hono'
import type { Metadata, ScopeKey } from 'keepsake'
import { allows, requireAccess, type Grant } from '../access/access.ts'
import { refuseForeignPages } from '../access/guard-loopback.ts'
import { readMemoryHeaders } from '../chats/read-memory-headers.ts'
import { Problem } from '../problem.ts'
import type { ServerDeps, ServerEnv, ServerRequest } from '../server-context.ts'
import { parseJson } from '../serving/request-body.ts'
import { McpSessions, type McpSession } from './mcp-sessions.ts'

interface McpRoutesOptions {
  /** Web pages that may connect, such as `https://chat.example.com`. None but loopback's when absent. */
  readonly origins?: readonly string[]
}

const METHODS = 'GET, POST, DELETE'

/**
 * MCP over streamable HTTP at `/mcp`: `initialize` opens a session for the scope that the grant or the headers name, and every
 * further request carries its `Mcp-Session-Id`.
 *
 * @example
 * app.route('/', mcpRoutes(deps))
 */
export function mcpRoutes(deps: ServerDeps, { origins = [] }: McpRoutesOptions = {}): Hono<ServerEnv> {
  const sessions = new McpSessions(deps)
  const app = new Hono<ServerEnv>()
  app.use('/mcp', refuseForeignPages(origins))
  app.post('/mcp', async (c) => {
    const message = await readMessage(c)
    if (isCallOf(message, 'initialize')) return openSession(c, sessions, message)
    const { transport } = await requireSession(c, sessions)
    return transport.handleRequest(c.req.raw, { parsedBody: message })
  })
  app.get('/mcp', async (c) => {
    const { transport } = await requireSession(c, sessions)
    if (deps.stopping.aborted)
      throw new Problem(503, 'closed', 'The server is shutting down: connect again in a moment.', {
        retryAfter: 5,
      })
    // The newest stream is the one that is read: an earlier one may have lost its network without a word.
    transport.closeStandaloneSSEStream()
    return transport.handleRequest(c.req.raw)
  })
  app.delete('/mcp', async (c) => {
    const { transport } = await requireSession(c, sessions)
    await sessions.forget(transport.sessionId)
    return transport.handleRequest(c.req.raw)
  })
  app.all('/mcp', (c) => {
    c.header('Allow', METHODS)
    throw new Problem(405, 'method-not-allowed', `MCP takes ${METHODS} here.`)
  })
  return app
}

async function openSession(c: ServerRequest, sessions: McpSessions, message: unknown): Promise<Response> {
  const grant = c.get('grant')
  const scope = requireMcpScope(c.req.raw.headers, grant)
  requireAnyAccess(c, scope)
  if (!isInitializeRequest(message)) {
    throw new Problem(
      400,
      'malformed',
      'initialize must carry protocolVersion, capabilities and clientInfo as MCP has them.',
    )
  }
  const session = await sessions.open(grant, scope)
  const response = await session.transport.handleRequest(c.req.raw, { parsedBody: message })
  if (session.transport.sessionId === undefined) await session.server.close()
  else await sessions.keep(session, message as Metadata)
  return response
}

/** Reading or writing: what it may not do of the two is not listed. */
function requireAnyAccess(c: ServerRequest, scope: ScopeKey): void {
  requireAccess(c, allows(c.get('grant'), 'write', scope) ? 'write' : 'read', scope)
}

async function requireSession(c: ServerRequest, sessions: McpSessions): Promise<McpSession> {
  const id = c.req.header('mcp-session-id')
  if (id === undefined) {
    const detail = 'Send initialize first, and its Mcp-Session-Id with every further request.'
    const fields = [{ field: 'header.mcp-session-id', problem: 'is missing' }]
    throw new Problem(400, 'no-session', detail, { fields })
  }
  const grant = c.get('grant')
  const named = readMcpScope(c.req.raw.headers, grant)
  const session =
    (await sessions.find(id, grant)) ?? (named === null ? null : await sessions.resume(id, grant, named))
  if (session === null)
    throw new Problem(
      404,
      'no-such-session',
      'There is no such session, or it is over. Send initialize again.',
    )
  requireAnyAccess(c, session.scope)
  requireSameScope(named, session.scope)
  return session
}

/** Refuses another user in the middle of a session: their words would be stored as another's. */
function requireSameScope(named: ScopeKey | null, { tenant, user, agent, app }: ScopeKey): void {
  if (named === null) return
  const isSame =
    named.user === user &&
    (named.tenant ?? 'default') === (tenant ?? 'default') &&
    (named.agent ?? agent) === agent &&
    (named.app ?? app) === app
  if (!isSame)
    throw new Problem(
      409,
      'other-scope',
      'This session is about another scope than the headers name: open a session for that scope.',
    )
}

async function readMessage(c: ServerRequest): Promise<unknown> {
  const message = parseJson(await c.req.text())
  // Batches went out of MCP in 2025-06-18, and one would count as a single request against the rate limit.
  if (Array.isArray(message))
    throw new Problem(400, 'malformed', 'Send one JSON-RPC message a request: batches are not taken.')
  return message
}

function isCallOf(message: unknown, method: string): boolean {
  return typeof message === 'object' && message !== null && 'method' in message && message.method === method
}

/**
 * Whose memory a connection is about: as `X-Keepsake-User`, `-Tenant`, `-Agent` and `-App` say, and where they say nothing, the
 * only user and tenant that the grant opens. `null` when neither names a user.
 *
 * @throws Problem 400 naming the header that cannot be read.
 */
function readMcpScope(headers: Headers, grant: Grant): ScopeKey | null {
  const { scope } = readMemoryHeaders(headers, only(grant.users), 0)
  const tenant = only(grant.tenants)
  return scope === null || tenant === null ? scope : { tenant, ...scope }
}

/** As {@link readMcpScope}. @throws Problem 400 when nobody is named. */
function requireMcpScope(headers: Headers, grant: Grant): ScopeKey {
  const scope = readMcpScope(headers, grant)
  if (scope !== null) return scope
  const field = 'header.x-keepsake-user'
  throw new Problem(
    400,
    'no-user',
    'Which user? Send the header X-Keepsake-User, or use a key made for one user.',
    { fields: [{ field, problem: 'is missing, and the key opens more than one user' }] },
  )
}

function only(names: readonly string[] | null): string | null {
  const [first, ...others] = names ?? []
  return first === undefined || others.length > 0 ? null : first
}

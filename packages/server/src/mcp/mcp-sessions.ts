import { createHash, randomUUID } from 'node:crypto'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { Metadata, ScopeKey } from 'keepsake'
import type { Grant } from '../access/access.ts'
import { extentOf } from '../access/grant-watch.ts'
import type { ServerDeps } from '../server-context.ts'
import { EventFeed } from '../serving/event-feed.ts'
import { describeError } from '../serving/write-log.ts'
import { createMcpServer } from './create-mcp-server.ts'
import { onClose, onError } from './sdk-listeners.ts'

/** Most sessions at a time. One takes some tens of kilobytes, and many clients never end theirs. */
const MOST_SESSIONS = 1_000
/** A session nobody has used for so long is over. Hosts stay open all day without a call. */
const IDLE_MS = 24 * 3_600_000

const COLLECTION = 'mcp-sessions'
/** Whose session was opened by what, so that another process can go on with it. It names nobody: the scope is a hash. */
interface StoredSession {
  readonly grant: string
  readonly extent: string
  readonly scope: string
  /** The `initialize` that opened it. */
  readonly opening: Metadata
}

/** A connection over HTTP, from its `initialize` on. */
export interface McpSession {
  readonly scope: ScopeKey
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly server: McpServer
  readonly grant: Grant
  lastUsed: number
}

type Deps = Pick<ServerDeps, 'keepsake' | 'log' | 'now' | 'stopping' | 'grants'> &
  Partial<Pick<ServerDeps, 'worker'>>

/**
 * The sessions of MCP over HTTP. Each belongs to the grant that opened it and to one scope; with another grant, or with this
 * one changed, it is not found.
 *
 * open ──initialize──► kept ──DELETE, idle, no room, grant changed, revoked or over──► closed
 */
export class McpSessions {
  readonly #deps: Deps
  readonly #most: number
  readonly #events: EventFeed
  /** In order of use, the longest unused first. */
  readonly #sessions = new Map<string, McpSession>()

  constructor(deps: Deps, most = MOST_SESSIONS) {
    this.#deps = deps
    this.#most = most
    this.#events = new EventFeed(deps.keepsake, deps.worker)
    // Streams that wait for news would hold up the shutdown; calls under way are answered first.
    deps.stopping.addEventListener('abort', () => {
      for (const { transport } of this.#sessions.values()) transport.closeStandaloneSSEStream()
    })
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Makes a session, which is kept once its transport has taken an `initialize`; otherwise close its server. */
  open(grant: Grant, scope: ScopeKey): Promise<McpSession> {
    return this.#open(grant, scope, randomUUID)
  }

  /** Has the session outlive this process, where the store lets it. @param opening the `initialize` that it took */
  async keep({ transport, grant, scope }: McpSession, opening: Metadata): Promise<void> {
    const { keepsake, log } = this.#deps
    if (transport.sessionId === undefined) return
    const stored: StoredSession = { grant: grant.id, extent: extentOf(grant), scope: hashOf(scope), opening }
    const record = {
      collection: COLLECTION,
      key: transport.sessionId,
      value: { ...stored },
      lastsMs: IDLE_MS,
    }
    await keepsake.records
      .putRecord({ ...record, flush: false })
      .catch((error: unknown) =>
        log({ level: 'warn', event: 'mcp-session-not-kept', ...describeError(error) }),
      )
  }

  /**
   * Resumes a session that another process opened, or this one before its restart: by the `initialize` of then. What
   * it was subscribed to it has to subscribe to again.
   *
   * @returns `null` when there is none of this id that this grant opened, for this scope
   */
  async resume(id: string, grant: Grant, scope: ScopeKey): Promise<McpSession | null> {
    const found = await this.#deps.keepsake.records.record(COLLECTION, id)
    const stored = found?.value as unknown as StoredSession | undefined
    const isTheirs =
      stored?.grant === grant.id && stored.extent === extentOf(grant) && stored.scope === hashOf(scope)
    if (!isTheirs) return null
    const session = await this.#open(grant, scope, () => id)
    for (const message of [stored.opening, { jsonrpc: '2.0', method: 'notifications/initialized' }])
      await (await session.transport.handleRequest(asRequest(message, id), { parsedBody: message })).text()
    return this.#sessions.get(id) ?? null
  }

  /** Nobody goes on with it. */
  async forget(id: string | undefined): Promise<void> {
    if (id !== undefined) await this.#deps.keepsake.records.removeRecord(COLLECTION, id)
  }

  async #open(grant: Grant, scope: ScopeKey, newId: () => string): Promise<McpSession> {
    const { keepsake, log, now } = this.#deps
    const server = createMcpServer({ keepsake, scope, grant, log, events: this.#events })
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: newId,
      // Calls are answered whole: a client cannot notice a stream that breaks off with its process, and would wait.
      enableJsonResponse: true,
      onsessioninitialized: (id) => {
        this.#makeRoom()
        this.#sessions.set(id, session)
      },
    })
    const session: McpSession = { grant, scope, transport, server, lastUsed: now() }
    const unwatch = this.#deps.grants?.watch(grant, () => this.#close(session))
    onClose(transport, () => {
      unwatch?.()
      this.#sessions.delete(transport.sessionId ?? '')
    })
    onError(server.server, (error) =>
      log({ level: 'warn', event: 'mcp-message-failed', ...describeError(error) }),
    )
    await server.connect(transport)
    return session
  }

  /** The session of this id, when this grant opened it and is still what it was. */
  async find(id: string, grant: Grant): Promise<McpSession | null> {
    const session = this.#sessions.get(id)
    if (session?.grant.id !== grant.id) return null
    const isOver = this.#deps.now() - session.lastUsed > IDLE_MS
    if (isOver || extentOf(session.grant) !== extentOf(grant)) {
      await session.server.close()
      return null
    }
    session.lastUsed = this.#deps.now()
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    return session
  }

  #makeRoom(): void {
    const idle = [...this.#sessions.values()].filter(({ lastUsed }) => this.#deps.now() - lastUsed > IDLE_MS)
    for (const session of idle) this.#close(session)
    if (this.#sessions.size < this.#most) return
    const greediest = this.#greediestGrant()
    const unused = [...this.#sessions.values()].find(({ grant }) => grant.id === greediest)
    if (unused !== undefined) this.#close(unused)
  }

  /** The key with the most sessions loses one, so that no key can push out another's. */
  #greediestGrant(): string | null {
    const counts = new Map<string, number>()
    for (const { grant } of this.#sessions.values()) counts.set(grant.id, (counts.get(grant.id) ?? 0) + 1)
    const [most] = [...counts].sort(([, one], [, other]) => other - one)
    return most?.[0] ?? null
  }

  #close(session: McpSession): void {
    this.#sessions.delete(session.transport.sessionId ?? '')
    session.server.close().catch((error: unknown) => {
      this.#deps.log({ level: 'warn', event: 'mcp-close-failed', ...describeError(error) })
    })
  }
}

function hashOf({ tenant = 'default', user, agent, app }: ScopeKey): string {
  const names = [tenant, user, agent ?? null, app ?? null]
  return createHash('sha256').update(JSON.stringify(names)).digest('hex')
}

/** A message as its client sent it. Its first goes without an id, which it asks for. */
function asRequest(message: object, id: string): Request {
  const isOpening = 'id' in message
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(isOpening ? {} : { 'Mcp-Session-Id': id }),
    },
    body: JSON.stringify(message),
  })
}

import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { openMemory, type Keepsake, type ScopeKey } from 'keepsake'
import OpenAI from 'openai'
import { UNLOCKED, type Grant } from '../../access/access.ts'
import type { LogEntry, ServerDeps, ServerEnv, Upstream } from '../../server-context.ts'
import type { OpenaiOptions } from '../openai-options.ts'
import { openaiRoutes } from '../openai-routes.ts'
import { PendingWork } from '../pending-work.ts'

/** The door alone, as the server mounts it, on loopback. */
export interface ServedChat {
  readonly keepsake: Keepsake
  readonly url: string
  readonly app: Hono<ServerEnv>
  readonly log: readonly LogEntry[]
  readonly pending: PendingWork
  /** OpenAI's own client, with a key of Keepsake. */
  readonly client: (headers?: Record<string, string>) => OpenAI
  /** What was said in a scope, oldest first, once everything is remembered. */
  readonly turns: (scope: ScopeKey) => Promise<string[]>
  readonly close: () => Promise<void>
}

export interface ServeChatOptions extends OpenaiOptions {
  readonly upstream: Upstream | null
  readonly keepsake?: Keepsake
  /** Grants by key; every other key opens everything. */
  readonly grants?: Readonly<Record<string, Partial<Grant>>>
  /** The server's clock. */
  readonly now?: () => number
}

export const KEY = 'ks_test_0123456789'

export async function serveChat(options: ServeChatOptions): Promise<ServedChat> {
  const { upstream, now = Date.now, grants = {}, ...openai } = options
  const keepsake = options.keepsake ?? (await openMemory({ path: ':memory:', now }))
  const log: LogEntry[] = []
  const pending = new PendingWork()
  const deps = { keepsake, upstream, log: (entry: LogEntry) => void log.push(entry), now }
  const app = new Hono<ServerEnv>()
  app.use(async (c, next) => {
    const key = c.req.header('authorization')?.replace('Bearer ', '') ?? ''
    c.set('grant', { ...UNLOCKED, ...grants[key] })
    c.set('requestId', 'request-1')
    await next()
  })
  app.route('/v1', openaiRoutes(deps as unknown as ServerDeps, { ...openai, pending }))
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    keepsake,
    url,
    app,
    log,
    pending,
    client: (headers = {}) =>
      new OpenAI({ apiKey: KEY, baseURL: url, defaultHeaders: headers, maxRetries: 0 }),
    async turns(scope) {
      await pending.drain()
      return said(keepsake, scope)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await pending.drain()
      await keepsake.close()
    },
  }
}

async function said(keepsake: Keepsake, scope: ScopeKey): Promise<string[]> {
  const turns: string[] = []
  for await (const line of keepsake.scope(scope).export()) {
    const { row, role, text } = JSON.parse(line) as Readonly<Record<string, unknown>>
    if (row === 'turn') turns.push(`${String(role)}: ${String(text)}`)
  }
  return turns
}

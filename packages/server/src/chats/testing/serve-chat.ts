import type { Hono } from 'hono'
import { openMemory, type Keepsake, type ScopeKey } from 'keepsake'
import OpenAI from 'openai'
import { onTestFinished } from 'vitest'
import { UNLOCKED, type Grant } from '../../access/grant.ts'
import { createApp } from '../../app.ts'
import type { LogEntry, ServerEnv, Upstream } from '../../server-context.ts'
import { startServer } from '../../serving/start-server.ts'
import { testDeps } from '../../testing/test-deps.ts'
import { PendingWork, type ChatOptions } from '../chat-options.ts'

/** The whole server, on loopback, until the test ends. */
export interface ServedChat {
  readonly keepsake: Keepsake
  readonly url: string
  readonly app: Hono<ServerEnv>
  readonly log: readonly LogEntry[]
  readonly pending: PendingWork
  /** OpenAI's own client, with a key of Keepsake. */
  readonly client: (headers?: Record<string, string>) => OpenAI
  /** A chat as bytes, with the key and no network on this side. */
  readonly post: (
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ) => Promise<Response>
  readonly get: (path: string) => Promise<Response>
  /** What was said in a scope, oldest first, once everything is remembered. */
  readonly turns: (scope: ScopeKey) => Promise<string[]>
  readonly close: () => Promise<void>
}

export interface ServeChatOptions extends ChatOptions {
  readonly upstream: Upstream | null
  /** Where what Anthropic's clients ask goes on to. */
  readonly anthropic?: Upstream | null
  readonly keepsake?: Keepsake
  /** Grants by key, besides the one that opens everything. */
  readonly grants?: Readonly<Record<string, Partial<Grant>>>
  /** The server's clock. */
  readonly now?: () => number
}

/** A machine that is busy with other tests is slow, which is not what these are about. */
const PATIENT_MS = 20_000

export const KEY = 'ks_test_0123456789'

export async function serveChat(options: ServeChatOptions): Promise<ServedChat> {
  const { upstream, anthropic = null, now = Date.now, grants = {}, ...chats } = options
  const keepsake = options.keepsake ?? (await openMemory({ path: ':memory:', now }))
  const { deps, logged: log, stopping, close } = testDeps(keepsake, { upstream, anthropic, now })
  const pending = new PendingWork()
  const verify = (key: string): Grant | null => {
    const grant = grants[key]
    if (grant === undefined && key !== KEY) return null
    return { ...UNLOCKED, id: 'k1', ...grant }
  }
  const app = createApp(deps, {
    keys: { verify },
    chats: { recallTimeoutMs: PATIENT_MS, requireUser: false, ...chats, pending },
  })
  const server = await startServer({ app, port: 0, stopping, graceMs: PATIENT_MS })
  const url = `${server.url}/v1`
  let isOpen = true
  const stop = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await server.stop()
    await pending.drain()
    close()
    await keepsake.close()
  }
  onTestFinished(stop)
  return {
    keepsake,
    url,
    app,
    log,
    pending,
    client: (headers = {}) =>
      new OpenAI({ apiKey: KEY, baseURL: url, defaultHeaders: headers, maxRetries: 0 }),
    post: async (body, headers = {}) =>
      app.request('/v1/chat/completions', {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      }),
    get: async (path) => app.request(path, { headers: { authorization: `Bearer ${KEY}` } }),
    async turns(scope) {
      await pending.drain()
      return said(keepsake, scope)
    },
    close: stop,
  }
}

/** What was said in a scope, oldest first. */
export async function said(keepsake: Keepsake, scope: ScopeKey): Promise<string[]> {
  const turns: string[] = []
  for await (const line of keepsake.scope(scope).export()) {
    const { row, role, text } = JSON.parse(line) as Readonly<Record<string, unknown>>
    if (row === 'turn') turns.push(`${String(role)}: ${String(text)}`)
  }
  return turns
}

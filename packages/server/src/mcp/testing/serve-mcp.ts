import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { openMemory, type Keepsake, type OpenOptions } from 'keepsake'
import { onTestFinished } from 'vitest'
import type { Action } from '../../access/grant.ts'
import { KeyStore } from '../../access/key-store.ts'
import { createApp } from '../../app.ts'
import type { LogEntry } from '../../server-context.ts'
import { startServer, type RunningServer } from '../../serving/start-server.ts'
import { testDeps } from '../../testing/test-deps.ts'
import { newClient } from './connect-client.ts'

/** The whole server on a loopback port, with its keys, and clients for it. */
export interface ServedMcp {
  readonly keepsake: Keepsake
  readonly keys: KeyStore
  readonly server: RunningServer
  readonly logged: readonly LogEntry[]
  /** Makes a key; to read and write when no action is named. */
  keyFor(users: readonly string[] | null, ...actions: Action[]): Promise<string>
  connect(key: string | null, headers?: Record<string, string>): Promise<Client>
  /** A request without a client's help. */
  bare(key: string | null, body: unknown, headers?: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bare', version: '1' } },
}

export function headersFor(key: string | null, more: Record<string, string> = {}): Record<string, string> {
  return { ...(key === null ? {} : { Authorization: `Bearer ${key}` }), ...more }
}

/** What a refused request was told. */
export async function refusal(response: Promise<Response>): Promise<[status: number, code: string]> {
  const { status, headers, text } = await response.then(async (got) => ({
    status: got.status,
    headers: got.headers,
    text: await got.text(),
  }))
  if (headers.get('content-type') !== 'application/problem+json')
    throw new Error(`not a problem but ${status}: ${text}`)
  return [status, (JSON.parse(text) as { code: string }).code]
}

/** Serves a memory as `keepsake serve` does, until the test ends. */
export async function serveMcp(
  options: {
    readonly unlocked?: boolean
    readonly cors?: string[]
    readonly open?: OpenOptions
  } = {},
): Promise<ServedMcp> {
  const keepsake = await openMemory({ path: ':memory:', ...options.open })
  const keys = new KeyStore(keepsake.records)
  const { deps, logged, stopping, close } = testDeps(keepsake)
  const app = createApp(deps, { keys: options.unlocked === true ? null : keys, cors: options.cors ?? [] })
  const server = await startServer({ app, port: 0, stopping, graceMs: 60_000 })
  const url = `${server.url}/mcp`
  const clients: Client[] = []
  const bare: ServedMcp['bare'] = (key, body, more = {}) =>
    fetch(url, {
      method: 'POST',
      headers: headersFor(key, {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...more,
      }),
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  let isOpen = true
  const stop = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    for (const client of clients) await client.close()
    await server.stop()
    close()
    await keepsake.close()
  }
  onTestFinished(stop)
  return {
    keepsake,
    keys,
    server,
    logged,
    bare,
    async keyFor(users, ...given) {
      const actions = given.length === 0 ? (['read', 'write'] as const) : given
      return (await keys.create({ name: 'test', users, actions })).key
    },
    async connect(key, more = {}) {
      const client = newClient()
      const requestInit = { headers: headersFor(key, more) }
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
      clients.push(client)
      return client
    },
    close: stop,
  }
}

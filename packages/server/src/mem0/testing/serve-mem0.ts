import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import { openMemory, type Keepsake, type OpenOptions } from 'keepsake'
import { ACTIONS, type Grant } from '../../access/access.ts'
import { createApp } from '../../app.ts'
import { createMetrics } from '../../serving/create-metrics.ts'
import { RequestStore } from '../../serving/request-store.ts'
import type { LogEntry, ServerEnv } from '../../server-context.ts'

/** The server, with the keys that a test names, on a port of loopback as Mem0's client needs it. */
export interface Mem0Server {
  readonly app: Hono<ServerEnv>
  /** Where the client's `host` points. */
  readonly host: string
  readonly keepsake: Keepsake
  readonly logged: readonly LogEntry[]
  /** Tells the server to stop, as a shutdown does. */
  stop(): void
  close(): Promise<void>
}

/** A grant that opens everything, or what is said. */
export const grantOf = (given: Partial<Grant> = {}): Grant => ({
  id: randomUUID(),
  name: 'test',
  tenants: null,
  users: null,
  actions: ACTIONS,
  requestsPerMinute: null,
  ...given,
})

export interface ServeMem0 {
  readonly keys: Readonly<Record<string, Grant>>
  readonly open?: Partial<OpenOptions>
}

/** Serves a memory of nothing but memory. */
export async function serveMem0({ keys, open = {} }: ServeMem0): Promise<Mem0Server> {
  const keepsake = await openMemory({ path: ':memory:', ...open })
  const logged: LogEntry[] = []
  const stopping = new AbortController()
  const deps = {
    keepsake,
    model: null,
    upstream: null,
    metrics: createMetrics({ keepsake, inFlight: () => 0 }),
    idempotency: new RequestStore(keepsake.records),
    log: (entry: LogEntry) => logged.push(entry),
    now: Date.now,
    newId: randomUUID,
    stopping: stopping.signal,
  }
  const app = createApp(deps, { keys: { verify: (key) => keys[key] ?? null } })
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    app,
    host: `http://127.0.0.1:${port}/compat/mem0`,
    keepsake,
    logged,
    stop: () => stopping.abort(),
    close: async () => {
      stopping.abort()
      await new Promise((resolve) => server.close(resolve))
      await keepsake.close()
    },
  }
}

import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import {
  ACTIONS,
  createApp,
  createMetrics,
  RequestStore,
  startServer,
  type Grant,
  type LogEntry,
  type ServerDeps,
  type ServerEnv,
} from '@keepsake/server'
import { openMemory, type Keepsake, type OpenOptions } from 'keepsake'
import { mem0Protocol } from '../index.ts'

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

export async function serveMem0({ keys, open = {} }: ServeMem0): Promise<Mem0Server> {
  const keepsake = await openMemory({ path: ':memory:', ...open })
  const { deps, logged, stopping, close } = testDeps(keepsake)
  const app = createApp(deps, { keys: { verify: (key) => keys[key] ?? null }, protocols: [mem0Protocol] })
  const server = await startServer({ app, port: 0, stopping })
  return {
    app,
    host: `${server.url}/compat/mem0`,
    keepsake,
    logged,
    stop: () => stopping.abort(),
    close: async () => {
      await server.stop()
      close()
      await keepsake.close()
    },
  }
}

export interface TestDeps {
  readonly deps: ServerDeps
  readonly logged: readonly LogEntry[]
  readonly stopping: AbortController
  /** Releases what the parts hold; the memory stays open. */
  readonly close: () => void
}

/** A server's parts over a memory, as `openServer()` makes them. */
export function testDeps(keepsake: Keepsake): TestDeps {
  const logged: LogEntry[] = []
  const stopping = new AbortController()
  const metrics = createMetrics({ keepsake })
  const idempotency = new RequestStore(keepsake.records)
  const deps: ServerDeps = {
    keepsake,
    model: null,
    upstream: null,
    metrics,
    idempotency,
    log: (entry) => logged.push(entry),
    now: Date.now,
    newId: randomUUID,
    stopping: stopping.signal,
  }
  const close = (): void => {
    stopping.abort()
    metrics.close()
    idempotency.close()
  }
  return { deps, logged, stopping, close }
}

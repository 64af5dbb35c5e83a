import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import { openMemory, type Keepsake, type OpenOptions } from 'keepsake'
import { ACTIONS, type Grant } from '../../access/access.ts'
import { createApp } from '../../app.ts'
import { startServer } from '../../serving/start-server.ts'
import { testDeps } from '../../testing/test-deps.ts'
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
  const { deps, logged, stopping, close } = testDeps(keepsake)
  const app = createApp(deps, { keys: { verify: (key) => keys[key] ?? null } })
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

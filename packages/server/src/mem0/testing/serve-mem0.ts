import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { openMemory, type Keepsake, type OpenOptions } from 'keepsake'
import { ACTIONS, type Grant } from '../../access/access.ts'
import { presentedKey } from '../../access/authenticate.ts'
import { Problem } from '../../problem.ts'
import { handleError } from '../../serving/handle-error.ts'
import type { LogEntry, ServerDeps, ServerEnv } from '../../server-context.ts'
import { mem0ErrorResponse } from '../mem0-error.ts'
import { openMem0Notes, type Mem0Notes } from '../mem0-notes.ts'
import { mem0Routes } from '../mem0-routes.ts'

/** This door alone, with the keys that a test names, on a port of loopback as Mem0's client needs it. */
export interface Mem0Server {
  readonly app: Hono<ServerEnv>
  /** Where the client's `host` points. */
  readonly host: string
  readonly keepsake: Keepsake
  readonly notes: Mem0Notes
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
  readonly notes?: Mem0Notes
}

/** Serves the routes over a memory of nothing but memory. */
export async function serveMem0({
  keys,
  open = {},
  notes = openMem0Notes(':memory:'),
}: ServeMem0): Promise<Mem0Server> {
  const keepsake = await openMemory({ path: ':memory:', ...open })
  const logged: LogEntry[] = []
  const stopping = new AbortController()
  const app = new Hono<ServerEnv>()
  app.onError(
    handleError({ log: (entry) => logged.push(entry) }, (_, problem) => mem0ErrorResponse(problem), {
      withMessages: false,
    }),
  )
  app.use(async (c, next) => {
    const grant = keys[presentedKey(c) ?? '']
    if (grant === undefined) throw new Problem(401, 'unauthorized', 'This key is not known.')
    c.set('grant', grant)
    await next()
  })
  app.route('/compat/mem0', mem0Routes(depsOf(keepsake, logged, stopping.signal), { notes }))
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    app,
    host: `http://127.0.0.1:${port}/compat/mem0`,
    keepsake,
    notes,
    logged,
    stop: () => stopping.abort(),
    close: async () => {
      stopping.abort()
      await new Promise((resolve) => server.close(resolve))
      await keepsake.close()
      notes.close()
    },
  }
}

function depsOf(keepsake: Keepsake, logged: LogEntry[], stopping: AbortSignal): ServerDeps {
  return {
    keepsake,
    model: null,
    upstream: null,
    metrics: {
      requestEnded: () => undefined,
      render: () => Promise.resolve({ contentType: 'text/plain', text: '' }),
    },
    idempotency: { begin: () => Promise.resolve({ kind: 'busy' }) },
    log: (entry) => logged.push(entry),
    now: Date.now,
    newId: randomUUID,
    stopping,
  }
}

import { afterEach, beforeEach, expect } from 'vitest'
import { grantOf, serveMem0, type Mem0Server } from './serve-mem0.ts'

process.env['MEM0_TELEMETRY'] = 'false'
// Read when the package is loaded: its telemetry would call out.
export const mem0 = await import('mem0ai')
export const { MemoryClient, AuthenticationError, MemoryNotFoundError, ValidationError } = mem0

export type Client = InstanceType<typeof MemoryClient>
export type Added = {
  readonly id: string
  readonly data: { readonly memory: string }
  readonly event: string
}

/** A server and the real client, new for each test. */
export interface Mem0Bench {
  readonly server: Mem0Server
  /** With a key that opens everything. */
  readonly client: Client
  clientFor(key: string): Client
  /** What the client hands on as it came, which is an object and not the list that its types say. */
  add(...given: Parameters<Client['add']>): Promise<readonly Added[]>
  textsOf(user: string, of?: Client): Promise<string[]>
}

export const say = (content: string) => [{ role: 'user' as const, content }]
export const as = (userId: string) => ({ filters: { user_id: userId } })

/** Serves this door to each test of a file, and fails those that left an error in its log. */
export function benchMem0(): Mem0Bench {
  const bench: { server?: Mem0Server; client?: Client } = {}
  beforeEach(async () => {
    bench.server = await serveMem0({
      keys: {
        all: grantOf(),
        ana: grantOf({ users: ['ana'] }),
        reader: grantOf({ actions: ['read'] }),
        writer: grantOf({ actions: ['read', 'write'] }),
        acme: grantOf({ tenants: ['acme'] }),
      },
    })
    bench.client = clientFor('all')
  })
  afterEach(async () => {
    const failed = serverOf().logged.filter((entry) => entry.level === 'error')
    await serverOf().close()
    expect(failed).toEqual([])
  })
  const serverOf = (): Mem0Server => present(bench.server)
  const clientFor = (apiKey: string): Client => new MemoryClient({ apiKey, host: serverOf().host })
  return {
    get server() {
      return serverOf()
    },
    get client() {
      return present(bench.client)
    },
    clientFor,
    add: async (...given) => {
      const answer: unknown = await present(bench.client).add(...given)
      return (answer as { readonly results: readonly Added[] }).results
    },
    textsOf: async (user, of = present(bench.client)) =>
      (await of.getAll(as(user))).results.map((one) => one.memory ?? ''),
  }
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('asked before a test began')
  return value
}

import type { Hono } from 'hono'
import { openMemory, type Keepsake, type LanguageModel, type OpenOptions } from 'keepsake'
import { KeyStore } from '../access/key-store.ts'
import { createApp, type AppOptions } from '../app.ts'
import type { LogEntry, ServerEnv } from '../server-context.ts'
import { testDeps } from './test-deps.ts'

/** A key's bearer header. */
export type Headers = Readonly<Record<string, string>>

/** The whole server in memory, and what a test needs to ask and to look inside. */
export interface TestServer {
  readonly app: Hono<ServerEnv>
  readonly keepsake: Keepsake
  readonly keys: KeyStore
  readonly logged: readonly LogEntry[]
  /** Says that the server begins to shut down. */
  stop(): void
  /** Headers with a key that opens what is named; every tenant, user and action when nothing is. */
  keyFor(options?: Partial<Omit<Parameters<KeyStore['create']>[0], 'name'>>): Promise<Headers>
  close(): Promise<void>
}

/** What the memory behind a server is opened with: its model answers for the server as well. */
export type TestMemoryOptions = Omit<OpenOptions, 'model'> & { readonly model?: LanguageModel }

export async function openTestServer(
  open: TestMemoryOptions = {},
  options: Partial<AppOptions> = {},
): Promise<TestServer> {
  const keepsake = await openMemory({ path: ':memory:', ...open })
  const keys = new KeyStore(keepsake.records)
  const { deps, logged, stopping, close } = testDeps(keepsake, { model: open.model ?? null })
  const app = createApp(deps, { keys, requestsPerMinute: null, ...options })
  return {
    app,
    keepsake,
    keys,
    logged,
    stop: () => stopping.abort(),
    keyFor: async (given = {}) => {
      const { key } = await keys.create({ name: 'test', ...given })
      return { Authorization: `Bearer ${key}` }
    },
    close: async () => {
      close()
      await keepsake.close()
    },
  }
}

/** Asks with a JSON body and reads a JSON answer. */
export async function askJson<Answer>(
  app: Pick<Hono<ServerEnv>, 'request'>,
  method: string,
  path: string,
  body: unknown,
  headers: Headers,
): Promise<{ readonly status: number; readonly body: Answer; readonly headers: Response['headers'] }> {
  const response = await app.request(path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Answer, headers: response.headers }
}

/** The first of a list, which must not be empty. */
export function first<Item>(list: readonly Item[]): Item {
  const [item] = list
  if (item === undefined) throw new Error('a list that must not be empty is')
  return item
}

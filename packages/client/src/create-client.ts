import createClient from 'openapi-fetch'
import { eachItem, type Page } from './pages.ts'
import { dataOf } from './request-error.ts'
import type { paths } from './schema.ts'
import { bodyOf, parseEvents } from './read-stream.ts'
import { fileBody, type FileContent } from './send-file.ts'
import { ScopeClient } from './scope-client.ts'
import { signalOption, type KeepsakeApi } from './scope-reading.ts'
import { WebhookClient } from './webhook-client.ts'
import type {
  Access,
  AcrossRecall,
  AcrossScope,
  CallOptions,
  Job,
  KeepsakeEvent,
  PageOptions,
  RecallOptions,
  Scope,
  ScopeKey,
  Stats,
  WriteOptions,
} from './types.ts'

/** Options of {@link createKeepsakeClient}. */
export interface ClientOptions {
  /** The server's address: `http://127.0.0.1:4150`. */
  readonly baseUrl: string
  /** An API key of the server, `ks_…`; absent for a server without keys. */
  readonly key?: string | undefined
  /** Sends the requests. Default: the platform's `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** The names of all options. Misspelt names are refused, because requests would lose their server or their key. */
const OPTIONS = Object.keys({ baseUrl: true, key: true, fetch: true } satisfies Record<
  keyof ClientOptions,
  true
>)

function requireOptions(given: ClientOptions | undefined): void {
  const options: Partial<ClientOptions> = given ?? {}
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined)
    throw new TypeError(
      `createKeepsakeClient() has no option "${unknown}". There are: ${OPTIONS.join(', ')}.`,
    )
  if (typeof options.baseUrl !== 'string')
    throw new TypeError(
      "createKeepsakeClient() needs the server's address: pass { baseUrl: 'http://127.0.0.1:4150' }, or the address of your server.",
    )
  // A page may name a path of its own server.
  if (!URL.canParse(options.baseUrl) && !/^(?:\/|$)/.test(options.baseUrl))
    throw new TypeError(
      `createKeepsakeClient() needs a web address as baseUrl, such as 'http://127.0.0.1:4150', but it is ${JSON.stringify(options.baseUrl)}.`,
    )
}

/** Adds the server's address to the platform's error when no answer comes. */
function sendTo(baseUrl: string, send: NonNullable<ClientOptions['fetch']>): typeof send {
  return async (request) => {
    try {
      return await send(request)
    } catch (error) {
      if (request.signal.aborted) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw new TypeError(`The server at ${baseUrl} did not answer: ${reason}.`, { cause: error })
    }
  }
}

function requireUser(scope: ScopeKey | undefined): ScopeKey {
  if (typeof scope?.user === 'string') return scope
  throw new TypeError("scope() needs a user: pass { user: 'ana' }.")
}

/** A filter for scopes. */
export interface ScopeFilter {
  readonly tenant?: string
  readonly user?: string
}

/** A filter for jobs. */
export interface JobFilter {
  readonly state?: 'queued' | 'parked'
  /** Whether to include the model's answers; for a key that may read all users. */
  readonly answers?: boolean
}

/** A Keepsake server, over its REST interface. Made by {@link createKeepsakeClient}. */
export interface KeepsakeClient {
  /** Every route, typed. `api.GET('/v1/stats')` returns `{ data }` or `{ error }` and does not throw. */
  readonly api: KeepsakeApi
  /** Returns one user's memory, or the part of it that an agent or app can read. */
  scope(key: ScopeKey): ScopeClient
  /** Addresses that receive the events of memories. */
  readonly webhooks: WebhookClient
  /** Searches several users' memories for one question. Each result names its user. The key must give access to all of them. */
  recallAcross(
    scopes: readonly AcrossScope[],
    question: string,
    options?: RecallOptions & CallOptions,
  ): Promise<AcrossRecall>
  /** Iterates over the scopes of all users; for a key with `admin`. */
  scopes(filter?: ScopeFilter, options?: CallOptions): AsyncGenerator<Scope>
  /** Returns one page of the scopes. */
  scopePage(
    filter?: ScopeFilter & Omit<PageOptions, 'newestFirst'>,
    options?: CallOptions,
  ): Promise<Page<Scope>>
  /** Returns the key's permissions and users, and the server's preset and models; for any key. */
  access(options?: CallOptions): Promise<Access>
  /** Returns rows, bytes and settings of the server; for a key with `admin`. */
  stats(options?: CallOptions): Promise<Stats>
  /** Iterates over the queued and failed jobs; for a key with `admin`. */
  jobs(filter?: JobFilter, options?: CallOptions): AsyncGenerator<Job>
  /** Retries the failed jobs; for a key with `admin`. @returns the number of jobs */
  retryJobs(options?: WriteOptions): Promise<number>
  /** Streams the events of all users from now on; for a key with `admin`. */
  events(options?: CallOptions): AsyncGenerator<KeepsakeEvent>
  /** Restores an export completely or not at all; for a key with `admin`. @returns the created scopes */
  import(lines: FileContent, options?: CallOptions): Promise<readonly Scope[]>
}

/**
 * Creates a client of a Keepsake server, for browsers, edge runtimes and Node. It needs only `fetch`.
 *
 * @throws TypeError for an unknown option, or without the server's address
 * @example
 * const keepsake = createKeepsakeClient({ baseUrl: 'http://127.0.0.1:4150', key: 'ks_…' })
 * const ana = keepsake.scope({ user: 'ana' })
 * await ana.remember({ role: 'user', text: 'I moved to Lyon last week.' })
 * const { context, known } = await ana.recall('Where does Ana live?')
 */
export function createKeepsakeClient(options: ClientOptions): KeepsakeClient {
  requireOptions(options)
  const { baseUrl, key, fetch } = options
  const api = createClient<paths>({
    baseUrl,
    ...(key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } }),
    fetch: sendTo(baseUrl, fetch ?? ((request) => globalThis.fetch(request))),
  })
  return {
    api,
    scope: (scope) => new ScopeClient(api, requireUser(scope)),
    webhooks: new WebhookClient(api),
    recallAcross: async (scopes, question, { signal, ...recallOptions } = {}) => {
      const body = { question, scopes: [...scopes], ...recallOptions }
      return dataOf(await api.POST('/v1/recall', { ...signalOption(signal), body }))
    },
    scopes: (filter = {}, options = {}) =>
      eachItem((cursor) => scopePage(api, { ...filter, ...cursor }, options)),
    scopePage: (filter = {}, options = {}) => scopePage(api, filter, options),
    access: async (options = {}) => dataOf(await api.GET('/v1/access', { ...options })),
    stats: async (options = {}) => dataOf(await api.GET('/v1/stats', { ...options })),
    jobs: (filter = {}, options = {}) =>
      eachItem(async (cursor) => {
        const query = { ...filter, ...cursor }
        const { jobs, next } = dataOf(await api.GET('/v1/jobs', { ...options, params: { query } }))
        return { items: jobs, next }
      }),
    retryJobs: async ({ idempotencyKey, ...options } = {}) => {
      const header = idempotencyKey === undefined ? {} : { header: { 'idempotency-key': idempotencyKey } }
      return dataOf(await api.POST('/v1/jobs/retry', { ...options, params: header })).retried
    },
    events: (options = {}) => listen(api, options),
    import: (lines, options = {}) => importLines(api, lines, options),
  }
}

async function scopePage(
  api: KeepsakeApi,
  query: ScopeFilter & PageOptions,
  options: CallOptions,
): Promise<Page<Scope>> {
  const { scopes, next } = dataOf(await api.GET('/v1/scopes', { ...options, params: { query } }))
  return { items: scopes, next }
}

async function* listen(api: KeepsakeApi, options: CallOptions): AsyncGenerator<KeepsakeEvent> {
  const headers = { Accept: 'text/event-stream' }
  const stream = dataOf(await api.GET('/v1/events', { ...options, headers, parseAs: 'stream' }))
  yield* parseEvents(bodyOf(stream))
}

async function importLines(
  api: KeepsakeApi,
  lines: FileContent,
  options: CallOptions,
): Promise<readonly Scope[]> {
  const answer = await api.POST('/v1/import', { ...options, ...fileBody(lines, 'application/x-ndjson') })
  return dataOf(answer).scopes
}

import createClient from 'openapi-fetch'
import { eachItem, type Page } from './pages.ts'
import { dataOf } from './request-error.ts'
import type { paths } from './schema.ts'
import { bodyOf, parseEvents } from './read-stream.ts'
import { sentFile, type FileContent } from './send-file.ts'
import { ScopeClient } from './scope-client.ts'
import { callOf, type KeepsakeApi } from './scope-reading.ts'
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
  /** Where the server is: `http://127.0.0.1:4150`. */
  readonly baseUrl: string
  /** A key of the server, `ks_…`. Absent: the server asks for none. */
  readonly key?: string | undefined
  /** Makes the requests; the platform's own when absent. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** All options, each once: one that is misspelt would leave requests without their server or their key. */
const OPTIONS = Object.keys({ baseUrl: true, key: true, fetch: true } satisfies Record<
  keyof ClientOptions,
  true
>)

function requireOptions(options: ClientOptions): void {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined)
    throw new TypeError(
      `createKeepsakeClient() has no option "${unknown}". There are: ${OPTIONS.join(', ')}.`,
    )
  if (typeof options.baseUrl !== 'string')
    throw new TypeError(
      "createKeepsakeClient() needs the server's address: pass { baseUrl: 'http://127.0.0.1:4150' }, or the address of your server.",
    )
}

/** Whose memories to list. */
export interface ScopeFilter {
  readonly tenant?: string
  readonly user?: string
}

/** Which jobs to list. */
export interface JobFilter {
  readonly state?: 'queued' | 'parked'
  /** What the model answered too; for a key that may read everybody. */
  readonly answers?: boolean
}

/** A Keepsake server, over its REST interface. Made by {@link createKeepsakeClient}. */
export interface KeepsakeClient {
  /** Every route, typed: `api.GET('/v1/stats')` answers `{ data }` or `{ error }` and throws for neither. */
  readonly api: KeepsakeApi
  /** One person's memory, or what one agent or app sees of it. */
  scope(key: ScopeKey): ScopeClient
  /** Addresses that receive the events of memories. */
  readonly webhooks: WebhookClient
  /** What several people's memories hold on one question; each memory says whose it is. For a key that opens all of them. */
  recallAcross(
    scopes: readonly AcrossScope[],
    question: string,
    options?: RecallOptions & CallOptions,
  ): Promise<AcrossRecall>
  /** Whose memories there are, page after page; for a key with `admin`. */
  scopes(filter?: ScopeFilter, options?: CallOptions): AsyncGenerator<Scope>
  /** A page of whose memories there are. */
  scopePage(
    filter?: ScopeFilter & Omit<PageOptions, 'newestFirst'>,
    options?: CallOptions,
  ): Promise<Page<Scope>>
  /** What the key may do, whom it opens, and with what the server works; for any key. */
  access(options?: CallOptions): Promise<Access>
  /** Rows, bytes and settings; for a key with `admin`. */
  stats(options?: CallOptions): Promise<Stats>
  /** Work that waits, or failed and why, page after page; for a key with `admin`. */
  jobs(filter?: JobFilter, options?: CallOptions): AsyncGenerator<Job>
  /** Tries what failed again; for a key with `admin`. @returns how many jobs */
  retryJobs(options?: WriteOptions): Promise<number>
  /** What happens to everybody's memory from now on; for a key with `admin`. */
  events(options?: CallOptions): AsyncGenerator<KeepsakeEvent>
  /** Reads an export back, all or none; for a key with `admin`. @returns the scopes that were made. */
  import(lines: FileContent, options?: CallOptions): Promise<readonly Scope[]>
}

/**
 * A client of a Keepsake server, for browsers, edge runtimes and Node: it needs `fetch` and nothing else.
 *
 * @throws TypeError for an option that there is not, or without the server's address
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
    ...(fetch === undefined ? {} : { fetch }),
  })
  return {
    api,
    scope: (scope) => new ScopeClient(api, scope),
    webhooks: new WebhookClient(api),
    recallAcross: async (scopes, question, { signal, ...asked } = {}) => {
      const body = { question, scopes: [...scopes], ...asked }
      return dataOf(await api.POST('/v1/recall', { ...callOf(signal), body }))
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
  const answer = await api.POST('/v1/import', { ...options, ...sentFile(lines, 'application/x-ndjson') })
  return dataOf(answer).scopes
}

import createClient from 'openapi-fetch'
import { eachItem } from './pages.ts'
import { dataOf } from './request-error.ts'
import type { paths } from './schema.ts'
import { bodyOf, parseEvents, ScopeClient, type KeepsakeApi } from './scope-client.ts'
import type { CallOptions, KeepsakeEvent, Scope, ScopeKey } from './types.ts'

export interface ClientOptions {
  /** Where the server is: `http://127.0.0.1:4150`. */
  readonly baseUrl: string
  /** A key of the server, `ks_…`. Absent: the server asks for none. */
  readonly key?: string
  /** Makes the requests; the platform's own when absent. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** A Keepsake server, over its REST interface. Made by {@link createKeepsakeClient}. */
export interface KeepsakeClient {
  /** Every route, typed: `api.GET('/v1/stats')` answers `{ data }` or `{ error }` and throws for neither. */
  readonly api: KeepsakeApi
  /** One person's memory, or what one agent or app sees of it. */
  scope(key: ScopeKey): ScopeClient
  /** Whose memories there are, page after page; for a key with `admin`. */
  scopes(
    filter?: { readonly tenant?: string; readonly user?: string },
    options?: CallOptions,
  ): AsyncGenerator<Scope>
  /** What happens to everybody's memory from now on; for a key with `admin`. */
  events(options?: CallOptions): AsyncGenerator<KeepsakeEvent>
  /** Reads an export back, all or none; for a key with `admin`. @returns the scopes that were made. */
  import(lines: string | Blob | ReadableStream<Uint8Array>, options?: CallOptions): Promise<readonly Scope[]>
}

/**
 * A client of a Keepsake server, for browsers, edge runtimes and Node: it needs `fetch` and nothing else.
 *
 * @example
 * const keepsake = createKeepsakeClient({ baseUrl: 'http://127.0.0.1:4150', key: 'ks_…' })
 * const ana = keepsake.scope({ user: 'ana' })
 * await ana.remember({ role: 'user', text: 'I moved to Lyon last week.' })
 * const { context, known } = await ana.recall('Where does Ana live?')
 */
export function createKeepsakeClient({ baseUrl, key, fetch }: ClientOptions): KeepsakeClient {
  const api = createClient<paths>({
    baseUrl,
    ...(key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } }),
    ...(fetch === undefined ? {} : { fetch }),
  })
  return {
    api,
    scope: (scope) => new ScopeClient(api, scope),
    scopes: (filter = {}, options = {}) =>
      eachItem(async (cursor) => {
        const query = { ...filter, ...cursor }
        const { scopes, next } = dataOf(await api.GET('/v1/scopes', { ...options, params: { query } }))
        return { items: scopes, next }
      }),
    events: (options = {}) => listen(api, options),
    import: (lines, options = {}) => importLines(api, lines, options),
  }
}

async function* listen(api: KeepsakeApi, options: CallOptions): AsyncGenerator<KeepsakeEvent> {
  const headers = { Accept: 'text/event-stream' }
  const stream = dataOf(await api.GET('/v1/events', { ...options, headers, parseAs: 'stream' }))
  yield* parseEvents(bodyOf(stream))
}

async function importLines(
  api: KeepsakeApi,
  lines: string | Blob | ReadableStream<Uint8Array>,
  options: CallOptions,
): Promise<readonly Scope[]> {
  const isStream = lines instanceof ReadableStream
  const answer = await api.POST('/v1/import', {
    ...options,
    // The types know a text; what is sent is whatever `fetch` takes.
    body: lines as string,
    bodySerializer: (body: string) => body,
    headers: { 'Content-Type': 'application/x-ndjson' },
    ...(isStream ? { duplex: 'half' } : {}),
  })
  return dataOf(answer).scopes
}

import type { Keepsake, LanguageModel, ScopeKey } from 'keepsake'
import type { Context } from 'hono'
import type { Grant } from './access/grant.ts'
import type { GrantWatch } from './access/grant-watch.ts'
import type { Idempotency } from './serving/request-store.ts'
import type { ServerMetrics } from './serving/metrics.ts'
import type { Webhooks } from './webhooks/webhooks.ts'
import type { WorkerLink } from './workers/worker-link.ts'

/** The upstream of requests to language models. */
export interface Upstream {
  /** The address with the API's version: `https://host/v1`. */
  readonly url: string
  /** The key that replaces the caller's; `null`: the caller's own key is sent. Never logged. */
  readonly key: string | null
  /** The header of the key. Default: `authorization`, with a bearer token. */
  readonly keyHeader?: 'authorization' | 'x-api-key'
}

/** The dependencies of all routes. */
export interface ServerDeps {
  readonly keepsake: Keepsake
  /** The memory's language model; `null`: rules extract facts. */
  readonly model: LanguageModel | null
  /** Upstream of OpenAI's API. */
  readonly upstream: Upstream | null
  /** Upstream of Anthropic's API. Default: none. */
  readonly anthropic?: Upstream | null
  readonly metrics: Pick<ServerMetrics, 'requestEnded' | 'render'>
  readonly idempotency: Idempotency
  /** The connection to the other workers. Default: none. */
  readonly worker?: WorkerLink | null
  /** Posts changes to registered addresses. Default: none. */
  readonly webhooks?: Webhooks
  /** Logs internal failures, without texts of conversations. */
  readonly log: (entry: LogEntry) => void
  /** The time, in milliseconds since 1970. */
  readonly now: () => number
  /** Makes the id of a request. */
  readonly newId: () => string
  /** Aborted when the server begins to shut down, which ends all streams. */
  readonly stopping: AbortSignal
  /** Ends streams whose key is revoked or expired. Set by `createApp`. */
  readonly grants?: GrantWatch
}

/** One line of the server’s log. */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
  readonly request?: string
  readonly [field: string]: string | number | boolean | null | undefined
}

/** Types of a request’s context, for Hono. */
export interface ServerEnv {
  Variables: {
    /** The rights of the request's key, set by the middleware of `access/` for all routes except health, readiness and metrics. */
    grant: Grant
    protocol: Protocol
    /** Also sent as `X-Request-Id`. */
    requestId: string
    /** The user that the request concerns, with whom its stored answer is erased. */
    about?: ScopeKey
    /** Headers that every answer to this request carries. */
    replyHeaders?: Readonly<Record<string, string>>
  }
}

/** The context of a request, which routes receive. */
export type ServerRequest = Context<ServerEnv>

/** The API that a request is for: `rest`, `openai`, `anthropic`, `mcp`, `server` (health, metrics, description), or an adapter's name. */
export type Protocol = string

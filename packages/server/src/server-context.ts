import type { EventMap, EventName, Keepsake, LanguageModel, ScopeKey } from 'keepsake'
import type { Context } from 'hono'
import type { Grant } from './access/access.ts'
import type { GrantWatch } from './access/grant-watch.ts'
import type { Protocol } from './protocols.ts'
import type { Idempotency } from './serving/request-store.ts'
import type { ServerMetrics } from './serving/metrics.ts'
import type { Webhooks } from './webhooks/webhooks.ts'
import type { WorkerLink } from './workers/worker-link.ts'

/** Where requests to language models go on to. */
export interface Upstream {
  /** With the version: `https://host/v1`. */
  readonly url: string
  /** Sent instead of the caller's key; `null`: none. Never logged. */
  readonly key: string | null
  /** The header that the key is sent in. `authorization`, as a bearer's, when absent. */
  readonly keyHeader?: 'authorization' | 'x-api-key'
}

/** What all APIs of the server share. */
export interface ServerDeps {
  readonly keepsake: Keepsake
  /** The language model that the memory works with; `null`: by rules. */
  readonly model: LanguageModel | null
  /** Where what OpenAI's clients ask goes on to. */
  readonly upstream: Upstream | null
  /** Where what Anthropic's clients ask goes on to; nowhere when absent. */
  readonly anthropic?: Upstream | null
  readonly metrics: Pick<ServerMetrics, 'requestEnded' | 'render'>
  readonly idempotency: Idempotency
  /** The connection to the other workers; none when absent. */
  readonly worker?: WorkerLink | null
  /** Posts changes to registered addresses; nothing is posted when absent. */
  readonly webhooks?: Webhooks
  /** Logs what went wrong inside, without texts of conversations. */
  readonly log: (entry: LogEntry) => void
  readonly now: () => number
  readonly newId: () => string
  /** Becomes aborted when the server begins to shut down: streams end then. */
  readonly stopping: AbortSignal
  /** Ends what stays open when its key no longer stands. Set by `createApp`. */
  readonly grants?: GrantWatch
}

/** An event of the engine, with its name. */
export type EngineEvent = {
  readonly [Name in EventName]: { readonly event: Name; readonly told: EventMap[Name][0] }
}[EventName]

export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
  readonly request?: string
  readonly [field: string]: string | number | boolean | null | undefined
}

/** Variables of a request. */
export interface ServerEnv {
  Variables: {
    /** Set by the middleware of `access/`; every route but health, readiness and metrics has one. */
    grant: Grant
    /** The API that the request is for. */
    protocol: Protocol
    /** Also sent as `X-Request-Id`. */
    requestId: string
    /** Whose scope it is about, where it is about one. */
    about?: ScopeKey
    /** Headers that every answer to this request carries. */
    replyHeaders?: Readonly<Record<string, string>>
  }
}

export type ServerRequest = Context<ServerEnv>

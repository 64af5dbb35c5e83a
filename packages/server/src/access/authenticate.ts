import type { MiddlewareHandler } from 'hono'
import { Problem } from '../problem.ts'
import type { ServerEnv, ServerRequest } from '../server-context.ts'
import { UNLOCKED, type Grant } from './access.ts'
import type { DownloadTickets } from './download-tickets.ts'
import { clientAddress } from './client-address.ts'
import { RequestLimits, type Allowance, type RequestCounter } from './limit-requests.ts'

/** Knows keys: a `KeyStore`, or anything else that does. */
export interface KeyVerifier {
  /** What a key opens; `null` when it opens nothing. */
  verify(key: string): Grant | null | Promise<Grant | null>
  /** What the key of this id opens now; `null` when it opens nothing any more. Absent: it stands for ever. */
  standing?(id: string): Grant | null | Promise<Grant | null>
}

export interface AuthenticateOptions {
  /** Who may come in; `null`: everybody, with {@link UNLOCKED} (on loopback only: see `requireLoopback`). */
  readonly keys: KeyVerifier | null
  /** Requests a minute for keys that say nothing of their own; `null`: as many as they like. */
  readonly requestsPerMinute: number | null
  /** Counts them; in this process alone when absent. */
  readonly counter?: RequestCounter
  /** Wrong keys a minute from one address, after which it is told to wait. Counted in this process: strangers write nothing. */
  readonly failuresPerMinute: number
  /** What lets a download in without a key; nothing does when absent. */
  readonly tickets?: DownloadTickets
}

/**
 * Lets in who has a key, and says so by `c.get('grant')`: `Authorization: Bearer ks_…` (or `Token ks_…`, which Mem0's client
 * sends), or `X-API-Key: ks_…`. Requests of a key are counted, and too many answered with 429.
 *
 * Wrong keys are counted by address. A right key is served from any address, however many wrong ones came from there: secrets
 * of 256 bits cannot be guessed, so shutting an address out would only let one client harm another behind the same proxy.
 */
export function authenticate(options: AuthenticateOptions): MiddlewareHandler<ServerEnv> {
  const { keys } = options
  if (keys === null) {
    return (c, next) => {
      c.set('grant', UNLOCKED)
      return next()
    }
  }
  const requests = options.counter ?? new RequestLimits()
  const failures = new RequestLimits()
  return async (c, next) => {
    const key = presentedKey(c)
    const grant = key === null ? byTicket(c, options) : await keys.verify(key)
    if (grant === null) throw await refuse(c, failures, options, key !== null)
    c.set('grant', grant)
    const allowance = await count(requests, grant, options)
    if (allowance !== null) tell(c, allowance)
    if (allowance?.isAllowed === false) throw tooMany(allowance)
    await next()
  }
}

const DOWNLOADS = /^\/v1\/scopes\/[^/]+\/export$/

function byTicket(c: ServerRequest, { tickets }: AuthenticateOptions): Grant | null {
  const ticket = c.req.method === 'GET' && DOWNLOADS.test(c.req.path) ? c.req.query('ticket') : undefined
  return ticket === undefined ? null : (tickets?.take(ticket) ?? null)
}

/** The key that a request presents, in any of the ways that clients do; `null` when it presents none. */
export function presentedKey(c: ServerRequest): string | null {
  const header = c.req.header('authorization')
  const [, key] = /^(?:Bearer|Token) +(\S+) *$/i.exec(header ?? '') ?? []
  return key ?? (header === undefined ? (c.req.header('x-api-key') ?? null) : null)
}

async function refuse(
  c: ServerRequest,
  failures: RequestLimits,
  { failuresPerMinute }: AuthenticateOptions,
  hasKey: boolean,
): Promise<Problem> {
  const failed = await failures.take(clientAddress(c), failuresPerMinute)
  if (!failed.isAllowed) {
    const detail = 'Too many requests without a right key came from this address.'
    return new Problem(429, 'too-many-failures', detail, { retryAfter: failed.reset })
  }
  const detail = hasKey
    ? 'This key is not known, it was revoked, or its time is over.'
    : 'This server asks for a key: send "Authorization: Bearer ks_…". "keepsake keys create" makes one ("npx keepsake keys create" where nothing is installed globally).'
  return new Problem(401, 'unauthorized', detail)
}

async function count(
  requests: RequestCounter,
  grant: Grant,
  { requestsPerMinute }: AuthenticateOptions,
): Promise<Allowance | null> {
  const limit = grant.requestsPerMinute ?? requestsPerMinute
  return limit === null ? null : requests.take(grant.id, limit)
}

function tell(c: ServerRequest, { limit, remaining, reset }: Allowance): void {
  c.set('replyHeaders', {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(reset),
  })
}

function tooMany({ limit, reset }: Allowance): Problem {
  const detail = `This key may make ${limit} requests a minute. Wait, then go on.`
  return new Problem(429, 'too-many-requests', detail, { retryAfter: reset })
}

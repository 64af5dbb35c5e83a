// Finds the key of a request and its grant. Runs before every route.
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import ipaddr from 'ipaddr.js'
import { Problem } from '../problem.ts'
import type { ServerEnv, ServerRequest } from '../server-context.ts'
import { UNLOCKED, type Grant, type KeyVerifier } from './grant.ts'
import type { DownloadTickets } from './download-tickets.ts'
import { RequestLimits, type RequestCounter } from './limit-requests.ts'

export interface AuthenticateOptions {
  /** Checks keys; `null`: every request is served with {@link UNLOCKED} (on loopback only: see `requireLoopback`). */
  readonly keys: KeyVerifier | null
  /** Requests a minute of keys without a limit of their own; `null`: no limit. */
  readonly requestsPerMinute: number | null
  /** Counts requests. Default: in this process alone. */
  readonly counter?: RequestCounter
  /** Wrong keys a minute from one address before it gets 429. Counted in this process, so that strangers cause no writes. */
  readonly failuresPerMinute: number
  /** Admits downloads without a key. Default: disabled. */
  readonly tickets?: DownloadTickets
}

/** Checks a key and sets `c.get('grant')`. Requests are counted by key and wrong keys by address; a right key is served from anywhere. */
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
    const grant = key === null ? await findTicketGrant(c, options) : await keys.verify(key)
    if (grant === null) throw await refuse(c, failures, options, key !== null)
    c.set('grant', grant)
    const perMinute = grant.requestsPerMinute ?? options.requestsPerMinute
    if (perMinute !== null) await countRequest(c, requests, perMinute)
    await next()
  }
}

/** Counts a request, and says in headers how many are left. @throws Problem 429 */
async function countRequest(c: ServerRequest, requests: RequestCounter, perMinute: number): Promise<void> {
  const { isAllowed, limit, remaining, reset } = await requests.take(c.get('grant').id, perMinute)
  c.set('replyHeaders', {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(reset),
  })
  if (isAllowed) return
  const detail = `This key may make ${limit} requests a minute. Wait, then retry.`
  throw new Problem(429, 'too-many-requests', detail, { retryAfter: reset })
}

const DOWNLOAD_PATH = /^\/v1\/scopes\/[^/]+\/export$/

async function findTicketGrant(c: ServerRequest, { tickets }: AuthenticateOptions): Promise<Grant | null> {
  const ticket = c.req.method === 'GET' && DOWNLOAD_PATH.test(c.req.path) ? c.req.query('ticket') : undefined
  return ticket === undefined ? null : ((await tickets?.take(ticket)) ?? null)
}

/** The key of a request, in any form that clients send; `null` when there is none. */
function presentedKey(c: ServerRequest): string | null {
  const header = c.req.header('authorization')
  const [, key] = /^(?:Bearer|Token) +(\S+) *$/i.exec(header ?? '') ?? []
  return key ?? (header === undefined ? (c.req.header('x-api-key') ?? null) : null)
}

/** Groups of an IPv6 address that count as one client: providers give a customer a /64. */
const NETWORK_GROUPS = 4

/** The client's address, for counting. `X-Forwarded-For` is not trusted: anybody can send it. */
export function clientAddress(c: ServerRequest): string {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  const address = incoming?.socket?.remoteAddress
  if (address === undefined || !ipaddr.isValid(address)) return address ?? 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.slice(0, NETWORK_GROUPS)
  return groups.map((group) => group.toString(16)).join(':')
}

async function refuse(
  c: ServerRequest,
  failures: RequestLimits,
  { failuresPerMinute }: AuthenticateOptions,
  hasKey: boolean,
): Promise<Problem> {
  const failed = await failures.take(clientAddress(c), failuresPerMinute)
  if (!failed.isAllowed) {
    const detail = 'Too many requests with a wrong key came from this address.'
    return new Problem(429, 'too-many-failures', detail, { retryAfter: failed.reset })
  }
  const detail = hasKey
    ? 'This key is unknown, revoked or expired.'
    : 'This server needs a key: send "Authorization: Bearer ks_…". "keepsake keys create" makes one ("npx keepsake keys create" where nothing is installed globally).'
  return new Problem(401, 'unauthorized', detail)
}

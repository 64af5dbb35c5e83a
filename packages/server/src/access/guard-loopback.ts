// Keeps a server without keys on the machine it runs on.
import { isIPv4 } from 'node:net'
import { InvalidInputError } from 'keepsake'
import type { MiddlewareHandler } from 'hono'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../server-context.ts'

/** Whether a host is reachable from this machine alone: `127.0.0.1`, `::1`, `localhost`. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return bare === 'localhost' || bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'))
}

/** @throws InvalidInputError when other machines could reach a server without keys. */
export function requireLoopback(host: string): void {
  if (isLoopback(host)) return
  throw new InvalidInputError(
    `Without keys (--unlocked) the server listens only on a loopback address such as 127.0.0.1, not on ${host}: anyone who reaches it could read and erase every memory.`,
  )
}

/** Protects a server without keys from foreign web pages: refuses other hosts, and origins that CORS does not allow. */
export function guardLoopback(origins: readonly string[]): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const host = c.req.header('host')
    if (host !== undefined && !isLoopback(host.replace(/:\d+$/, ''))) throw foreignRequest('host')
    const origin = c.req.header('origin')
    const isForeign =
      origin === undefined
        ? isSubresourceOfOtherSite(c.req.raw.headers)
        : !origins.includes(origin) && origin !== `http://${host}`
    if (isForeign) throw foreignRequest('origin')
    await next()
  }
}

/** Whether another site's page requests a subresource, where browsers send no `Origin`. Followed links are allowed. */
function isSubresourceOfOtherSite(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== 'cross-site' && site !== 'same-site') return false
  return headers.get('sec-fetch-mode') !== 'navigate' || headers.get('sec-fetch-dest') !== 'document'
}

function foreignRequest(header: 'host' | 'origin'): Problem {
  const reason =
    header === 'host'
      ? 'it was reached by a name that is not this machine’s'
      : 'the request is from a page of another origin: allow it with --cors'
  return new Problem(403, `foreign-${header}`, `A server without keys does not answer this: ${reason}.`, {
    fields: [{ field: `header.${header}`, problem: 'is not of this machine' }],
  })
}

/** Refuses foreign web pages, as MCP requires. Pages send `Origin`, programs do not; loopback pages are allowed. */
export function refuseForeignPages(origins: readonly string[]): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const origin = c.req.header('origin')
    const isLocal = origin === undefined || (URL.canParse(origin) && isLoopback(new URL(origin).hostname))
    if (!isLocal && !origins.includes(origin))
      throw new Problem(403, 'foreign-origin', 'Pages of this origin may not use this server over MCP.')
    await next()
  }
}

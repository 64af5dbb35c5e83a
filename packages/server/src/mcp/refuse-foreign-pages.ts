import type { MiddlewareHandler } from 'hono'
import { isLoopback } from '../access/guard-loopback.ts'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../server-context.ts'

/**
 * Keeps web pages out that were not asked in, as MCP requires of servers. A page names itself by `Origin`; hosts that are
 * programs send none. Where no key is asked for, `guardLoopback` has looked at `Host` as well.
 *
 * @param origins pages that may come, such as `https://chat.example.com`; those of loopback always may.
 */
export function refuseForeignPages(origins: readonly string[]): MiddlewareHandler<ServerEnv> {
  const allowed = new Set(origins)
  return async (c, next) => {
    const origin = c.req.header('origin')
    if (origin !== undefined && !allowed.has(origin) && !isHere(hostOf(origin))) {
      throw new Problem(403, 'foreign-origin', 'Pages of this origin may not use this server over MCP.')
    }
    await next()
  }
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).hostname : null
}

function isHere(host: string | null): boolean {
  return host !== null && isLoopback(host)
}

import type { MiddlewareHandler } from 'hono'
import { UNLOCKED } from '../access/access.ts'
import { isLoopback } from '../access/guard-loopback.ts'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../server-context.ts'

/**
 * Keeps web pages out that were not asked in, as MCP requires of servers. A page names itself by `Origin`; hosts that are
 * programs send none. Where no key is asked for, `Host` must be loopback as well: a page whose name was bound to 127.0.0.1
 * after it was loaded (DNS rebinding) still sends its own.
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
    if (c.get('grant').id === UNLOCKED.id) {
      const host = c.req.header('host')
      const named = [new URL(c.req.url).hostname, ...(host === undefined ? [] : [hostOf(`http://${host}`)])]
      if (!named.every(isHere)) {
        throw new Problem(
          403,
          'foreign-host',
          'Without a key this server is for this machine alone: address it as 127.0.0.1 or localhost.',
        )
      }
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

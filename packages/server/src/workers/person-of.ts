import type { IncomingMessage } from 'node:http'

const IN_PATH = /^\/v1\/scopes\/([^/?]+)/
const TENANT = /[?&]tenant=([^&]*)/
const USER = /[?&]user(?:_id)?=([^&]*)/

/**
 * Who a request is about, as far as its head says: in the path, in the query, in a header, or by the key of a connection that is
 * one person's for its whole life. One text per person, whatever way they are named; `null` when the head does not say.
 *
 * Only for choosing who serves the request: who may ask for whom is decided there.
 */
export function personOf({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string | null {
  const header = (name: string): string | null => {
    const value = headers[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  const inPath = IN_PATH.exec(url)?.[1]
  const named = inPath !== undefined && inPath !== '%20' ? inPath : USER.exec(url)?.[1]
  const user = named ?? header('x-keepsake-user')
  const tenant = TENANT.exec(url)?.[1] ?? header('x-keepsake-tenant') ?? 'default'
  if (user !== null) return `${plain(tenant)}\n${plain(user)}`
  // A session of MCP is about one person; where no header names them, the key does.
  return url.startsWith('/mcp') ? header('authorization') : null
}

function plain(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    // Refused wherever it is served.
    return name
  }
}

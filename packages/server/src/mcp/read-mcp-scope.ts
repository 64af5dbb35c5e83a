import type { ScopeKey } from 'keepsake'
import type { Grant } from '../access/access.ts'
import { readMemoryHeaders } from '../chats/read-memory-headers.ts'
import { Problem } from '../problem.ts'

/**
 * Whose memory a connection is about: as `X-Keepsake-User`, `-Tenant`, `-Agent` and `-App` say, and where they say nothing, the
 * only user and tenant that the grant opens. `null` when neither names a user.
 *
 * @throws Problem 400 naming the header that cannot be read.
 */
export function readMcpScope(headers: Headers, grant: Grant): ScopeKey | null {
  const { scope } = readMemoryHeaders(headers, only(grant.users), 0)
  const tenant = only(grant.tenants)
  return scope === null || tenant === null ? scope : { tenant, ...scope }
}

/** As {@link readMcpScope}. @throws Problem 400 when nobody is named. */
export function requireMcpScope(headers: Headers, grant: Grant): ScopeKey {
  const scope = readMcpScope(headers, grant)
  if (scope !== null) return scope
  const field = 'header.x-keepsake-user'
  throw new Problem(
    400,
    'no-user',
    'Nobody says whose memory this is: send X-Keepsake-User, or use a key that opens one user.',
    { fields: [{ field, problem: 'is missing, and the key opens more than one user' }] },
  )
}

function only(names: readonly string[] | null): string | null {
  const [first, ...others] = names ?? []
  return first === undefined || others.length > 0 ? null : first
}

import type { ScopeKey } from 'keepsake'
import { Problem } from '../problem.ts'
import type { RequireAccess } from '../server-context.ts'
import { allows, type Action, type Grant } from './access.ts'

/** What a key is told that does not open what was asked; the same whether or not such a scope exists. */
export function forbidden(action: Action): Problem {
  return new Problem(
    403,
    'forbidden',
    `This key does not open that for "${action}". Use a key that names this tenant, user and action ("keepsake keys create --help").`,
  )
}

/**
 * Lets a request go on when its grant opens the scope for the action; without a scope, when it opens every one. A handler
 * calls it before it reads anything of the scope, so that the answer cannot tell whether the scope exists.
 *
 * @throws Problem 403 `forbidden`.
 * @example
 * requireAccess(c, 'read', { tenant: 'acme', user: 'ana' })
 */
export const requireAccess: RequireAccess = (c, action, scope) => {
  requireGrant(c.get('grant'), action, scope)
}

/** {@link requireAccess} where there is a grant and no request: tools of MCP over stdio. @throws Problem 403 `forbidden`. */
export function requireGrant(grant: Grant, action: Action, scope?: ScopeKey): void {
  if (!allows(grant, action, scope)) throw forbidden(action)
}

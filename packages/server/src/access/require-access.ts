import type { ScopeKey } from 'keepsake'
import { Problem } from '../problem.ts'
import type { ServerRequest } from '../server-context.ts'
import { noteAccess } from './audit-log.ts'
import { allows, type Action, type Grant } from './access.ts'

/**
 * Lets a request go on when its grant opens the scope for the action; without a scope, when it opens every one. A handler
 * calls it before it reads anything of the scope, so that the answer cannot tell whether the scope exists.
 *
 * @throws Problem 403 `forbidden`, the same whether or not such a scope exists.
 * @example
 * requireAccess(c, 'read', { tenant: 'acme', user: 'ana' })
 */
export function requireAccess(c: ServerRequest, action: Action, scope?: ScopeKey): void {
  requireGrant(c.get('grant'), action, scope)
}

/** {@link requireAccess} where there is a grant and no request: tools of MCP over stdio. @throws Problem 403 `forbidden`. */
export function requireGrant(grant: Grant, action: Action, scope?: ScopeKey): void {
  noteAccess(action, scope)
  if (allows(grant, action, scope)) return
  const detail = `This key does not open that for "${action}". Use a key that names this tenant, user and action ("keepsake keys create --help").`
  throw new Problem(403, 'forbidden', detail)
}

/** A key that may only erase, or only look after the server, has no business with a model. @throws Problem 403 `forbidden` */
export function requireAnyMemory({ actions }: Grant): void {
  if (actions.includes('read') || actions.includes('write')) return
  throw new Problem(403, 'forbidden', 'This key opens no memory to read or write, and so sends no chats on.')
}

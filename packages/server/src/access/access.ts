// Checks that the key of a request may do an action in a scope. Called by every route.
import type { ScopeKey } from 'keepsake'
import { Problem } from '../problem.ts'
import type { ServerRequest } from '../server-context.ts'
import { noteAccess } from './audit-log.ts'
import { type Action, type Grant, allows } from './grant.ts'

/** Continues when the grant allows the action on the scope, or on all. The refusal never reveals whether a scope exists. */
export function requireAccess(c: ServerRequest, action: Action, scope?: ScopeKey): void {
  requireGrant(c.get('grant'), action, scope)
}

/** Checks a grant outside a request, for MCP tools over stdio. @throws Problem 403 `forbidden`. */
export function requireGrant(grant: Grant, action: Action, scope?: ScopeKey): void {
  noteAccess(action, scope)
  if (allows(grant, action, scope)) return
  const detail = `This key does not allow "${action}" here. Use a key that names this tenant, user and action ("keepsake keys create --help").`
  throw new Problem(403, 'forbidden', detail)
}

/** Refuses keys that may only erase or administer: they may not call a model. @throws Problem 403 `forbidden` */
export function requireAnyMemory({ actions }: Grant): void {
  if (actions.includes('read') || actions.includes('write')) return
  throw new Problem(
    403,
    'forbidden',
    'This key may neither read nor write a memory, so its chats are not forwarded.',
  )
}

import type { ScopeKey } from 'keepsake'
import { Problem } from '../problem.ts'
import type { ServerRequest } from '../server-context.ts'
import { noteAccess } from './audit-log.ts'

/**
 * What a key may do. `read`: recall, list, export. `write`: remember, correct, delete, undo, reply. `erase`: erase for good.
 * `admin`: everything about the server itself: all scopes, statistics, events of everybody, jobs, import.
 */
export const ACTIONS = ['read', 'write', 'erase', 'admin'] as const
export type Action = (typeof ACTIONS)[number]

/** What a key opens. */
export interface Grant {
  /** The key's public id; never the key. */
  readonly id: string
  readonly name: string
  /** Tenants it opens; `null`: every one. */
  readonly tenants: readonly string[] | null
  /** Users it opens within them; `null`: every one. */
  readonly users: readonly string[] | null
  readonly actions: readonly Action[]
  /** Requests a minute; `null`: the server's default. */
  readonly requestsPerMinute: number | null
  /** Bytes that it may send a minute; the server's default when absent or `null`. */
  readonly bytesPerMinute?: number | null
  /** How often it may ask the upstream a day; the server's default when absent or `null`. */
  readonly upstreamPerDay?: number | null
}

/** Whether a grant opens a scope for an action. The wall is (tenant, user): agents and apps narrow within it. */
export function allows(grant: Grant, action: Action, scope?: ScopeKey): boolean {
  if (!grant.actions.includes(action)) return false
  if (scope === undefined) return grant.tenants === null && grant.users === null
  return opens(grant.tenants, scope.tenant ?? 'default') && opens(grant.users, scope.user)
}

function opens(names: readonly string[] | null, name: string): boolean {
  return names === null || names.includes(name)
}

/** Everything: on loopback, by explicit flag, where no key is asked for. */
export const UNLOCKED: Grant = {
  id: 'unlocked',
  name: 'no key asked for',
  tenants: null,
  users: null,
  actions: ACTIONS,
  requestsPerMinute: null,
}

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

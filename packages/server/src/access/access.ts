import type { ScopeKey } from 'keepsake'
import { Problem } from '../problem.ts'
import type { ServerRequest } from '../server-context.ts'
import { noteAccess } from './audit-log.ts'

/**
 * Actions of a key. `read`: recall, list, export. `write`: remember, correct, delete, undo, reply. `erase`: erase permanently. `admin`: the
 * server itself, with all scopes, statistics, events, jobs and imports.
 */
export const ACTIONS = ['read', 'write', 'erase', 'admin'] as const
export type Action = (typeof ACTIONS)[number]

export interface Grant {
  readonly id: string
  readonly name: string
  /** Allowed tenants; `null`: all. */
  readonly tenants: readonly string[] | null
  /** Allowed users within these tenants; `null`: all. */
  readonly users: readonly string[] | null
  readonly actions: readonly Action[]
  /** Requests a minute; `null`: the server's default. */
  readonly requestsPerMinute: number | null
  /** Bytes a minute; the server's default when absent or `null`. */
  readonly bytesPerMinute?: number | null
  /** Upstream calls a day; the server's default when absent or `null`. */
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

/** Full access, for a server on loopback started without keys by an explicit flag. */
export const UNLOCKED: Grant = {
  id: 'unlocked',
  name: 'no key asked for',
  tenants: null,
  users: null,
  actions: ACTIONS,
  requestsPerMinute: null,
}

/**
 * Continues a request when its grant allows the action on the scope, or on every scope when none is named.
 * Handlers call it before reading the scope, so answers never reveal whether a scope exists.
 *
 * @throws Problem 403 `forbidden`, the same whether or not such a scope exists.
 *
 * @example
 * requireAccess(c, 'read', { tenant: 'acme', user: 'ana' })
 */
export function requireAccess(c: ServerRequest, action: Action, scope?: ScopeKey): void {
  requireGrant(c.get('grant'), action, scope)
}

/** Checks a grant outside a request, for MCP tools over stdio. @throws Problem 403 `forbidden`. */
export function requireGrant(grant: Grant, action: Action, scope?: ScopeKey): void {
  noteAccess(action, scope)
  if (allows(grant, action, scope)) return
  const detail = `This key does not open that for "${action}". Use a key that names this tenant, user and action ("keepsake keys create --help").`
  throw new Problem(403, 'forbidden', detail)
}

/** Refuses keys that may only erase or administer: they may not call a model. @throws Problem 403 `forbidden` */
export function requireAnyMemory({ actions }: Grant): void {
  if (actions.includes('read') || actions.includes('write')) return
  throw new Problem(403, 'forbidden', 'This key opens no memory to read or write, and so sends no chats on.')
}

// Defines what a key grants: actions, users, agents and apps.
import type { ScopeKey } from 'keepsake'
import { isErasedName, namesUser } from 'keepsake/store'

/** Actions of a key. `admin`: the server itself, with all scopes, statistics, events, jobs and imports. */
export const ACTIONS = ['read', 'write', 'erase', 'admin'] as const

/** One kind of action that a key may allow. */
export type Action = (typeof ACTIONS)[number]

/** The permissions of a key, and the users to whom they apply. */
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
  /** Bytes a minute. With `null` or without it, the server's default applies. */
  readonly bytesPerMinute?: number | null
  /** Upstream calls a day. With `null` or without it, the server's default applies. */
  readonly upstreamPerDay?: number | null
}

/** Whether a grant allows an action in a scope. Access depends on tenant and user only, not on agent and app. */
export function allows(grant: Grant, action: Action, scope?: ScopeKey): boolean {
  if (!grant.actions.includes(action)) return false
  if (scope === undefined) return grant.tenants === null && grant.users === null
  return includesName(grant.tenants, scope.tenant ?? 'default') && includesName(grant.users, scope.user)
}

/** Whether a list allows a name. An erased user is listed by a hash, which `namesUser` compares. */
function includesName(names: readonly string[] | null, name: string): boolean {
  return names === null || namesUser(names, name)
}

/** Returns the only name of a grant's users or tenants; `null` when it has several, allows all, or the user was erased. */
export function onlyName(names: readonly string[] | null): string | null {
  const [first, ...others] = names ?? []
  return first === undefined || others.length > 0 || isErasedName(first) ? null : first
}

/** Whether a grant allows an action for all named tenants and users; `null` names all. */
export function allowsAll(
  grant: Grant,
  action: Action,
  { tenants, users }: Pick<Grant, 'tenants' | 'users'>,
): boolean {
  const covers = (allowed: readonly string[] | null, named: readonly string[] | null): boolean =>
    allowed === null || (named?.every((name) => includesName(allowed, name)) ?? false)
  return grant.actions.includes(action) && covers(grant.tenants, tenants) && covers(grant.users, users)
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

export interface KeyVerifier {
  /** Finds what a key opens; `null` when it opens nothing. */
  verify(key: string): Grant | null | Promise<Grant | null>
  /** Finds what the key with this id opens now; `null` when revoked or expired. Absent: keys never end. */
  standing?(id: string): Grant | null | Promise<Grant | null>
}

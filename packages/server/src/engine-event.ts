import type { EventMap, EventName, ScopeKey, EventScope } from 'keepsake'

export type User = Pick<EventScope, 'tenant' | 'user'>

export type EngineEvent = {
  readonly [Name in EventName]: { readonly event: Name; readonly payload: EventMap[Name][0] }
}[EventName]

/** Whether an event is visible to a scope key. Events without a scope are not. */
export function isAbout({ payload }: EngineEvent, key: ScopeKey): boolean {
  if (!('scope' in payload) || !isSameUser(key, payload.scope)) return false
  if (key.agent === undefined && key.app === undefined) return true
  return payload.scope.agent === (key.agent ?? null) && payload.scope.app === (key.app ?? null)
}

export function isSameUser(key: ScopeKey, { tenant, user }: User): boolean {
  return tenant === (key.tenant ?? 'default') && user === key.user
}

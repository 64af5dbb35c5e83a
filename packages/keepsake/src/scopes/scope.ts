// Keys of scopes, as callers give them and as they are stored.
import { InvalidInputError, describeValue, readId, requireKnownOptions } from '@keepsake/text'

/**
 * Selects a memory. Nothing crosses the boundary of (tenant, user). Agent and app narrow it; omit both for all of a user's scopes.
 */
export interface ScopeKey {
  /** The application's own customer or environment. `default` when absent. */
  readonly tenant?: string
  readonly user: string
  readonly agent?: string
  readonly app?: string
}

/** A scope's key as stored, with every part. */
export interface StoredScopeKey {
  readonly tenant: string
  readonly user: string
  readonly agent: string | null
  readonly app: string | null
}

/** The scope of an event. */
export type EventScope = StoredScopeKey

/** A scope as stored. */
export interface ScopeRow extends StoredScopeKey {
  readonly owner: number
  readonly scope: number
}

/** The tenant of applications that have only one. */
export const DEFAULT_TENANT = 'default'

const FIELDS = ['tenant', 'user', 'agent', 'app']

/** Refuses a key with an unknown field, because a misspelt one would open another scope. @throws InvalidInputError */
export function requireScopeFields(key: ScopeKey): void {
  if (typeof key === 'object' && key !== null) requireKnownOptions(key, FIELDS, 'scope', 'field')
}

/** Checks a caller's key and adds the missing parts. @throws InvalidInputError when it names no user */
export function readScopeKey(key: ScopeKey): StoredScopeKey {
  if (typeof key !== 'object' || key === null) {
    throw new InvalidInputError(
      `A scope must be an object such as {user: "ana"}, but it is ${describeValue(key)}.`,
    )
  }
  return {
    tenant: key.tenant === undefined ? DEFAULT_TENANT : readId(key.tenant, 'scope.tenant'),
    user: readId(key.user, 'scope.user'),
    agent: key.agent === undefined ? null : readId(key.agent, 'scope.agent'),
    app: key.app === undefined ? null : readId(key.app, 'scope.app'),
  }
}

export function eventScope(row: ScopeRow): EventScope {
  return { tenant: row.tenant, user: row.user, agent: row.agent, app: row.app }
}

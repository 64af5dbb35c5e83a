/**
 * Whose memory it is. (tenant, user) is the wall: nothing crosses it. Agent and app narrow within it; leave
 * both out to ask for a user's whole.
 */
export interface ScopeKey {
  /** The application's own customer or environment. `default` when absent. */
  readonly tenant?: string
  readonly user: string
  readonly agent?: string
  readonly app?: string
}

/** A scope's key as stored, every part told. */
export interface StoredScopeKey {
  readonly tenant: string
  readonly user: string
  readonly agent: string | null
  readonly app: string | null
}

/** Whose memory an event is about. */
export type EventScope = StoredScopeKey

/** A scope as stored: the person's row number and its own. */
export interface ScopeRow extends StoredScopeKey {
  readonly owner: number
  readonly scope: number
}

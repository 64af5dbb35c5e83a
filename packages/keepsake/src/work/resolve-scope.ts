import type { ScopeRow } from '../scopes/scope.ts'
import type { StoredScopeKey } from '../scopes/scope.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Users } from '../user-state/users.ts'

/** What a request may see: one person, and which of their scopes. */
export interface ResolvedScope {
  readonly owner: number
  readonly rows: readonly ScopeRow[]
  readonly scopes: readonly number[]
  /** The user's state, where it was in memory and as new as the store when the scope was resolved. */
  readonly state?: UserState
}

/** A key that names an agent or app sees exactly that scope; one that names neither, all of the person's. */
export async function resolveScope(
  users: Pick<Users, 'find'>,
  key: StoredScopeKey,
): Promise<ResolvedScope | null> {
  const { rows, state } = await users.find(key)
  const isOne = key.agent !== null || key.app !== null
  const seen = isOne ? rows.filter((row) => isScopeOf(row, key)) : rows
  const [first] = seen
  if (first === undefined) return null
  const scopes = seen.map((row) => row.scope)
  return { owner: first.owner, rows: seen, scopes, ...(state === undefined ? {} : { state }) }
}

/** Whether this is the very scope that the key names. */
export function isScopeOf({ agent, app }: ScopeRow, key: StoredScopeKey): boolean {
  return agent === key.agent && app === key.app
}

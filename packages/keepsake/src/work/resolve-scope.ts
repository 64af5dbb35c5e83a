import type { ScopeRow } from '../scopes/scope.ts'
import type { OwnerVersion, Store } from '../stores/store.ts'
import type { StoredScopeKey } from '../scopes/scope.ts'

/** What a request may see: one person, and which of their scopes. */
export interface ResolvedScope {
  readonly owner: number
  readonly rows: readonly ScopeRow[]
  readonly scopes: readonly number[]
  /** The person's, where the store told it along: as it stood when the request came. */
  readonly version?: OwnerVersion
}

/** A key that names an agent or app sees exactly that scope; one that names neither, all of the person's. */
export async function resolveScope(store: Store, key: StoredScopeKey): Promise<ResolvedScope | null> {
  if (store.findSeen !== undefined) {
    const seen = await store.findSeen(key)
    return seen === null ? null : resolved(seen.rows, seen.version)
  }
  if (key.agent !== null || key.app !== null) {
    const row = await store.findScope(key)
    return row === null ? null : resolved([row])
  }
  return resolved(await store.listScopes({ tenant: key.tenant, user: key.user }))
}

function resolved(rows: readonly ScopeRow[], version?: OwnerVersion): ResolvedScope | null {
  const [first] = rows
  if (first === undefined) return null
  const seen = { owner: first.owner, rows, scopes: rows.map((row) => row.scope) }
  return version === undefined ? seen : { ...seen, version }
}

import type { ScopeRow } from '../scopes/scope.ts'
import type { Store } from '../store/store.ts'
import type { StoredScopeKey } from '../scopes/scope.ts'

/** What a request may see: one person, and which of their scopes. */
export interface ResolvedScope {
  readonly owner: number
  readonly rows: readonly ScopeRow[]
  readonly scopes: readonly number[]
}

/** A key that names an agent or app sees exactly that scope; one that names neither, all of the person's. */
export async function resolveScope(store: Store, key: StoredScopeKey): Promise<ResolvedScope | null> {
  if (key.agent !== null || key.app !== null) {
    const row = await store.findScope(key)
    return row === null ? null : resolved([row])
  }
  return resolved(await store.listScopes({ tenant: key.tenant, user: key.user }))
}

function resolved(rows: readonly ScopeRow[]): ResolvedScope | null {
  const [first] = rows
  return first === undefined ? null : { owner: first.owner, rows, scopes: rows.map((row) => row.scope) }
}

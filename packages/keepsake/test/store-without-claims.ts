import { openSqliteStore } from 'keepsake'
import type { Store } from 'keepsake/store'

/**
 * A store whose claims keep no other process off, as when a lease lapsed while its holder was suspended: what then keeps work from being
 * done twice are the conflicts of commits alone.
 */
export async function openWithoutClaims(path: string): Promise<Store> {
  const store = await openSqliteStore({ path, busyTimeoutMs: 20_000 })
  const held = new Map<string, number>()
  const other: Pick<Store, 'claimJobs' | 'releaseClaim' | 'renewClaim'> = {
    claimJobs: async (request) => {
      const result = await store.claimJobs(request)
      if (result.outcome !== 'claimed') return result
      await store.releaseClaim(result.claim.id)
      if ([...held.values()].includes(result.claim.userId)) return { outcome: 'held' }
      held.set(result.claim.id, result.claim.userId)
      return result
    },
    releaseClaim: async (id) => void held.delete(id),
    renewClaim: async () => true,
  }
  return { ...store, ...other }
}

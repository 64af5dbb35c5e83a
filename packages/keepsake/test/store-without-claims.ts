import Database from 'better-sqlite3'
import { openSqliteStore, type Store } from 'keepsake'

/**
 * A store whose claims hold off nobody in another process, as when a lease lapsed while its holder was suspended: what then
 * keeps work from being done twice are the expectations of commits alone.
 */
export async function openWithoutClaims(path: string): Promise<Store> {
  const store = await openSqliteStore({ path, busyTimeoutMs: 20_000 })
  const held = new Map<string, number>()
  const homes = new Database(path)
  const claim: Store['claim'] = async (request) => {
    // Nor is work left to the process that queued it.
    homes.exec('UPDATE jobs SET home = NULL WHERE home IS NOT NULL')
    const result = await store.claim(request)
    if (result.outcome !== 'claimed') return result
    await store.release(result.claim.id)
    if ([...held.values()].includes(result.claim.owner)) return { outcome: 'held' }
    held.set(result.claim.id, result.claim.owner)
    return result
  }
  const release: Store['release'] = async (id) => void held.delete(id)
  const renew: Store['renew'] = async () => true
  const close: Store['close'] = async () => {
    homes.close()
    await store.close()
  }
  // Given back and taken in one step would hold others off.
  const other = { claim, release, renew, close, turnOver: undefined, endsClaims: undefined }
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = name in other ? Reflect.get(other, name) : Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

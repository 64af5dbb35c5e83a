import { openSqliteStore, type Store } from '../src/index.ts'

/**
 * A store whose claims hold off nobody in another process, as when a lease lapsed while its holder was suspended: what then
 * keeps work from being done twice are the expectations of commits alone.
 */
export async function openWithoutClaims(path: string): Promise<Store> {
  const store = await openSqliteStore({ path, busyTimeoutMs: 20_000 })
  const held = new Map<string, number>()
  const claim: Store['claim'] = async (request) => {
    const result = await store.claim(request)
    if (result.outcome !== 'claimed') return result
    await store.release(result.claim.id)
    if ([...held.values()].includes(result.claim.owner)) return { outcome: 'held' }
    held.set(result.claim.id, result.claim.owner)
    return result
  }
  const release: Store['release'] = async (id) => void held.delete(id)
  const renew: Store['renew'] = async () => true
  const other = { claim, release, renew }
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = name in other ? Reflect.get(other, name) : Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

import { openMemory, type Change, type Keepsake } from 'keepsake'
import type { Store } from 'keepsake/store'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { PgliteStores } from './pglite-store.ts'

let stores: PgliteStores
/** Two processes of one store, as far as the store can tell. */
let one: Keepsake
let other: Keepsake
let store: Store

beforeAll(async () => void (stores = await PgliteStores.start()))
beforeEach(async () => {
  stores.reuse()
  store = await stores.open()
  one = await openMemory({ store })
  other = await openMemory({ store: await stores.openAgain(store) })
})
afterEach(async () => {
  await one.close()
  await other.close()
})

/** What one is told of the other from now on. */
function follow(wants?: (person: { user: string } | null) => boolean): { told: Change[]; stop: () => void } {
  const told: Change[] = []
  const stop = one.follow({ onChange: (change) => told.push(change), ...(wants ? { filter: wants } : {}) })
  return { told, stop }
}

const eventsOf = (told: readonly Change[]): string[] => told.map(({ event }) => event)

it('tells what another process stored, learned, changed and erased, once and in its order', async () => {
  const ana = other.scope({ user: 'ana' })
  const { told, stop } = follow()
  await ana.remember({ role: 'user', text: 'I live in Lyon.', id: 'lyon' })
  await other.drain()
  await expect.poll(() => eventsOf(told)).toContain('memory-added')
  const note = await ana.note('Prefers the window seat', { name: 'seat' })
  await ana.forget(note.id)
  await expect.poll(() => eventsOf(told)).toContain('memory-deleted')
  await ana.erase({ everything: true })
  await expect.poll(() => eventsOf(told)).toContain('scope-erased')
  stop()
  const turns = told.flatMap((change) => (change.event === 'turns-recorded' ? change.payload.turns : []))
  expect(turns).toEqual(['lyon'])
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length)
  const [added, deleted] = ['memory-added', 'memory-deleted'].map((event) =>
    told.findIndex((change) => change.event === event),
  )
  expect(added).toBeLessThan(deleted ?? 0)
  expect(eventsOf(told).at(-1)).toBe('scope-erased')
})

it('reads nothing of whom nobody follows, and tells nothing once it is stopped', async () => {
  const { told, stop } = follow((person) => person?.user === 'bea')
  for (const user of ['ana', 'bea']) {
    await other.scope({ user }).remember({ role: 'user', text: 'I keep bees.' })
    await other.drain()
  }
  await expect.poll(() => eventsOf(told)).toContain('turns-recorded')
  const users = new Set(
    told.flatMap((change) => ('scope' in change.payload ? [change.payload.scope.user] : [])),
  )
  expect([...users]).toEqual(['bea'])
  stop()
  const before = told.length
  const heard = follow()
  await other.scope({ user: 'bea' }).remember({ role: 'user', text: 'I have a dog.' })
  await expect.poll(() => eventsOf(heard.told)).toContain('turns-recorded')
  expect(told.length).toBe(before)
  heard.stop()
})

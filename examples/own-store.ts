// A store of one's own: all that any store must do is tried on it, and then a memory is opened with it.
import { openMemory } from 'keepsake'
import { storeContract } from 'keepsake/store-kit'
import { MemoryStore } from './own-store/memory-store.ts'
import { newRows, type Shared } from './own-store/opening.ts'

const rows = new WeakMap<object, Shared>()
const open = async (shared = newRows()) => {
  const store = new MemoryStore(shared)
  rows.set(store, shared)
  return store
}
// What a store need not be able to do comes with the reason why it is left out.
const cases = storeContract({ open: () => open(), openAgain: (store) => open(rows.get(store)) }).filter(
  ({ skip }) => skip === undefined,
)
for (const { name, run } of cases)
  await run().catch((error: unknown) => {
    throw new Error(`The store does not pass "${name}".`, { cause: error })
  })
console.log(`The store does all ${cases.length} things that any store must do.`)

await using keepsake = await openMemory({ store: new MemoryStore() })
const ana = keepsake.scope({ user: 'ana' })
await ana.remember({ role: 'user', text: 'My sister Mia is allergic to peanuts.' })
await ana.drain()
console.log((await ana.recall('What can Mia not eat?')).context.text)

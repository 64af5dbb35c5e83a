import { storeContract, type Store } from 'keepsake/store-kit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PgliteStores } from './pglite-store.ts'

let stores: PgliteStores
beforeAll(async () => {
  stores = await PgliteStores.start()
})
beforeEach(() => stores.reuse())
afterAll(() => stores.database.close())

const cases = storeContract({
  open: () => stores.open(),
  openAgain: (store: Store) => stores.openAgain(store),
})

describe('the store in PGlite', () => {
  it.each(cases)('$name', ({ skip, run }) => {
    expect(skip).toBeUndefined()
    return run()
  })
})

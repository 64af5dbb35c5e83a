import { storeContract } from 'keepsake/store'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PgliteStores } from './pglite-store.ts'

let stores: PgliteStores
beforeAll(async () => void (stores = await PgliteStores.start()))
beforeEach(() => stores.reuse())

const cases = storeContract({
  open: () => stores.open(),
  openAgain: (store) => stores.openAgain(store),
})

describe('the store in PGlite', () => {
  it.each(cases)('$name', ({ skip, run }) => {
    expect(skip).toBeUndefined()
    return run()
  })
})

import { storeContract, type Store } from 'keepsake/store-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PostgresServer, whyNoServer } from '../src/testing/postgres-server.ts'
import { storesOn } from './server-stores.ts'

const reason = whyNoServer()
/** Debian's server has no pgvector; `candidates.long.test.ts` tries it where it is installed. */
const NO_CANDIDATES = 'this store gives no candidates'
// oxlint-disable-next-line no-console -- whoever reads the run is told what it left out
if (reason !== null) console.warn(`Tests of a real Postgres are left out: ${reason}.`)

describe.skipIf(reason !== null).each([
  ['in one piece', 0],
  ['in four hash partitions', 4],
])('the store in Postgres, tables %s', (_, partitions) => {
  let server: PostgresServer
  let stores: ReturnType<typeof storesOn>
  beforeAll(async () => {
    server = await PostgresServer.start(['fsync=off'])
    stores = storesOn(server, { partitions })
  })
  afterAll(() => server.stop())

  const cases = storeContract({
    open: () => stores.open(),
    openAgain: (store: Store) => stores.openAgain(store),
  })
  it.for(cases)('$name', ({ skip, run }, context) => {
    if (skip === NO_CANDIDATES) return context.skip(skip)
    expect(skip).toBeUndefined()
    return run()
  })
})

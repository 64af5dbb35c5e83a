import { storeContract, type Store } from 'keepsake/store-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PostgresServer, whyNoServer } from '../src/testing/postgres-server.ts'
import { storesOn } from './server-stores.ts'

/** Why candidates are not tried on a real server: there is none, or it has no pgvector. */
async function whyNoCandidates(): Promise<string | null> {
  const reason = whyNoServer()
  if (reason !== null) return reason
  const server = await PostgresServer.start()
  try {
    const found = await server.ask(`SELECT FROM pg_available_extensions WHERE name = 'vector'`)
    return found.length > 0
      ? null
      : 'the server has no pgvector (Debian: postgresql-15-pgvector, where there is one)'
  } finally {
    await server.stop()
  }
}

const reason = await whyNoCandidates()
// oxlint-disable-next-line no-console -- whoever reads the run is told what it left out
if (reason !== null) console.warn(`Candidates on a real Postgres are left out: ${reason}.`)

describe.skipIf(reason !== null).each([
  ['in one piece', 0],
  ['in four hash partitions', 4],
])('candidates in Postgres, tables %s', (_, partitions) => {
  let server: PostgresServer
  let stores: ReturnType<typeof storesOn>
  beforeAll(async () => {
    server = await PostgresServer.start(['fsync=off'])
    stores = storesOn(server, { partitions, candidates: true })
  })
  afterAll(() => server.stop())

  const cases = storeContract({
    open: () => stores.open(),
    openAgain: (store: Store) => stores.openAgain(store),
    givesCandidates: true,
  }).filter(({ name }) => /^(candidates|erasing):/.test(name))
  it.each(cases)('$name', ({ skip, run }) => {
    expect(skip).toBeUndefined()
    return run()
  })
})

import { type ChangeNote, type Store, samples, storeContract } from 'keepsake/store-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresStore } from '../src/open-postgres-store.ts'
import { PostgresServer, whyNoServer } from '../src/testing/postgres-server.ts'

const reason = whyNoServer()
// oxlint-disable-next-line no-console -- the run says what it left out
if (reason !== null) console.warn(`Tests of a real Postgres are left out: ${reason}.`)

describe.skipIf(reason !== null).each([
  ['in one piece', 0],
  ['in four hash partitions', 4],
])('the store in Postgres, tables %s', (_, partitions) => {
  let server: PostgresServer
  let made = 0
  const schemas = new WeakMap<Store, string>()
  beforeAll(async () => {
    server = await PostgresServer.start(['fsync=off'])
  })
  afterAll(() => server.stop())

  const open = async (schema: string): Promise<Store> => {
    const store = await openPostgresStore({
      connectionString: server.address(),
      connections: 4,
      schema,
      partitions,
    })
    schemas.set(store, schema)
    return store
  }
  const cases = storeContract({
    open: () => open(`contract_${(made += 1)}`),
    openAgain: (store) => open(schemas.get(store) ?? ''),
  })
  it.each(cases)('$name', ({ skip, run }) => {
    expect(skip).toBeUndefined()
    return run()
  })

  it('is notified of what another process changes', async () => {
    const [one, other] = [await open('watched'), await open('watched')]
    const notes: (ChangeNote | null)[] = []
    const stop = other.watch((note) => void notes.push(note))
    await expect.poll(() => notes.length).toBe(1)
    const { ADA, turnOf } = samples
    const ada = await one.ensureScope(ADA)
    await one.append(turnOf(ada, 't1', 'hello'))
    await expect.poll(() => notes.at(-1)).toMatchObject({ userId: ada.owner, turns: [{ position: 0 }] })
    stop()
    await one.close()
    await other.close()
  })
})

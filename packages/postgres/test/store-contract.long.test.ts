import { type ChangeNote, samples, storeContract } from 'keepsake/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PostgresServer, whyNoServer } from '../src/testing/postgres-server.ts'
import { storesOn } from './server-stores.ts'

const reason = whyNoServer()
// oxlint-disable-next-line no-console -- the run says what it left out
if (reason !== null) console.warn(`Tests of a real Postgres are left out: ${reason}.`)

/** Tables in one piece pass the same contract in PGlite, in the short tests. */
const PARTITIONS = 4

describe.skipIf(reason !== null)('the store in Postgres, tables in four hash partitions', () => {
  let server: PostgresServer
  let stores: ReturnType<typeof storesOn>
  beforeAll(async () => {
    server = await PostgresServer.start(['fsync=off'])
    stores = storesOn(server, { partitions: PARTITIONS })
  })
  beforeEach(() => stores.reuse())
  afterAll(() => server.stop())

  const cases = storeContract({
    open: () => stores.open(),
    openAgain: (store) => stores.openAgain(store),
  })
  it.each(cases)('$name', ({ skip, run }) => {
    expect(skip).toBeUndefined()
    return run()
  })

  it('is notified of what another process changes', async () => {
    const one = await stores.open()
    const other = await stores.openAgain(one)
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

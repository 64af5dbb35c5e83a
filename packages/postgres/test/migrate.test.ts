import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory, openSqliteStore } from 'keepsake'
import { type Store, migrateStore, type ExportRow } from 'keepsake/store'
import { expect, it, onTestFinished } from 'vitest'
import { PgliteStores } from './pglite-store.ts'

async function rowsOf(store: Store): Promise<ExportRow[]> {
  const rows: ExportRow[] = []
  for (const { owner, agent } of await store.listScopes())
    if (agent === null) for await (const row of store.exportUser(owner)) rows.push(row)
  return rows
}

it('takes everybody from a file to Postgres and back, and recalls the same there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-migrate-'))
  const stores = await PgliteStores.start()
  const closing: Store[] = []
  onTestFinished(async () => {
    for (const store of closing) await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const openFile = async (name: string, readOnly = false) => {
    const store = await openSqliteStore({ path: join(folder, name), readOnly })
    closing.push(store)
    return store
  }
  const keepsake = await openMemory({ path: join(folder, 'from.db') })
  for (const user of ['ana', 'ben']) {
    await keepsake.scope({ user }).remember([
      {
        role: 'user',
        text: `I am ${user}\0 and I keep four hives of bees on my roof. 我住在里昂。`,
        id: 't1',
      },
      { role: 'assistant', text: 'How lovely.', id: 't2' },
    ])
    await keepsake.scope({ user, agent: 'coach' }).note('Runs on Mondays.', { metadata: { plan: 'a\0b' } })
  }
  await keepsake.drain()
  await keepsake.close()
  const [from, server, back] = [
    await openFile('from.db', true),
    await stores.open(),
    await openFile('back.db'),
  ]
  closing.push(server)
  expect(await migrateStore({ from, to: server, source: 'from.db', collections: [] })).toMatchObject({
    people: 2,
  })
  expect(await rowsOf(server)).toEqual(await rowsOf(from))
  const recalls = async (store: Store) => {
    const memory = await openMemory({ store })
    const found = await memory.scope({ user: 'ben' }).recall('Where are my bees?', { reinforce: false })
    await memory.close()
    return found.memories.map(({ memory, score }) => [memory.text, score])
  }
  const expected = await recalls(await openSqliteStore({ path: join(folder, 'from.db') }))
  expect(await recalls(await stores.openAgain(server))).toEqual(expected)
  await migrateStore({ from: server, to: back, source: 'server', collections: [] })
  expect(await rowsOf(back)).toEqual(await rowsOf(from))
  expect(await recalls(back)).toEqual(expected)
  closing.splice(closing.indexOf(back), 1)
})

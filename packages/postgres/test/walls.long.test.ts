import { samples, type ScopeRow, type Store } from 'keepsake/store-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PgliteStores } from './pglite-store.ts'
import { SAID } from './said.ts'

const { ADA, addOf, commitOf, turnOf } = samples

describe.each([
  ['in one piece', 0],
  ['in three hash partitions', 3],
])('row-level security, tables %s', (_, partitions) => {
  let stores: PgliteStores
  let store: Store
  let schema: string
  let ada: ScopeRow
  let bob: ScopeRow

  beforeAll(async () => {
    stores = await PgliteStores.start({ partitions })
    store = await stores.open()
    schema = stores.schemaOf(store)
    ada = await store.ensureScope(ADA)
    bob = await store.ensureScope({ ...ADA, user: 'bob' })
    for (const scope of [ada, bob]) {
      await store.append(turnOf(scope, 't1', `words of ${scope.user}`))
      await store.commit(commitOf(scope, [addOf(scope, 'm1', 'one', ['t1'])]))
    }
  })
  afterAll(async () => {
    await store.close()
    await stores.database.close()
  })

  /** A statement of somebody who forgot whose rows it is about, in a transaction as the store's are. */
  async function ask(statement: string, owner: number | null = null, sees = ''): Promise<unknown[]> {
    const { database } = stores
    try {
      await database.exec(`BEGIN; SELECT set_config('search_path', '${schema}', true), set_config('role', 'keepsake_rows', true),
        set_config('keepsake.owner', '${owner ?? ''}', true), set_config('keepsake.sees', '${sees}', true)`)
      return (await database.query(statement)).rows
    } finally {
      await database.exec('ROLLBACK')
    }
  }

  it('shows nothing to a statement of a transaction that named nobody', async () => {
    for (const table of [...SAID, 'owners', 'scopes', 'people', 'jobs', 'claims', 'erasures'])
      expect([table, await ask(`SELECT * FROM ${table}`)]).toEqual([table, []])
  })

  it('shows one person’s rows to a statement that forgot to say whose', async () => {
    expect(await ask('SELECT owner, text FROM turns', ada.owner)).toEqual([
      { owner: ada.owner, text: 'words of ada' },
    ])
    expect(await ask('SELECT owner FROM memories', bob.owner)).toEqual([{ owner: bob.owner }])
    expect(await ask(`SELECT 1 FROM turns WHERE owner = ${ada.owner}`, bob.owner)).toEqual([])
  })

  it('neither changes nor makes rows of others', async () => {
    expect(await ask("UPDATE turns SET text = 'x' RETURNING owner", ada.owner)).toEqual([
      { owner: ada.owner },
    ])
    expect(await ask('DELETE FROM memories RETURNING owner', ada.owner)).toEqual([{ owner: ada.owner }])
    await expect(
      ask(
        `INSERT INTO progress (owner, scope, branch, position) VALUES (${bob.owner}, 1, 'x', 1)`,
        ada.owner,
      ),
    ).rejects.toThrow(/row-level security/)
  })

  it('hides what was said also from who looks for work or counts', async () => {
    for (const table of SAID)
      expect([table, await ask(`SELECT * FROM ${table}`, null, 'all')]).toEqual([table, []])
    for (const table of ['payloads', 'memory_documents', 'images', 'evidence'])
      expect([table, await ask(`SELECT * FROM ${table}`, null, 'counts')]).toEqual([table, []])
    expect(await ask('UPDATE turns SET text = NULL RETURNING owner', null, 'counts')).toEqual([])
  })

  it('holds for every table there is, and for each part of one', async () => {
    const { rows } = await stores.database.query<{
      relname: string
      relrowsecurity: boolean
      relforcerowsecurity: boolean
    }>(
      `SELECT relname, relrowsecurity, relforcerowsecurity FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = '${schema}' AND relkind IN ('r', 'p')`,
    )
    const open = rows
      .filter((row) => !row.relrowsecurity || !row.relforcerowsecurity)
      .map(({ relname }) => relname)
    expect(open.toSorted()).toEqual(['migrations', 'names', 'records'])
    expect(rows.length).toBe(21 + partitions * 17)
    if (partitions > 0) expect(await ask('SELECT * FROM turns_0', ada.owner)).toEqual([])
  })

  it('takes changes of the log from nobody', async () => {
    await expect(ask('UPDATE operations SET at = 0', ada.owner)).rejects.toThrow(/append-only/)
    await expect(ask('DELETE FROM operations', ada.owner)).rejects.toThrow(/append-only/)
  })
})

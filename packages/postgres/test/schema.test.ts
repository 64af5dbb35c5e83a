import type { PGlite } from '@electric-sql/pglite'
import type { ScopeRow } from 'keepsake'
import { LARGE_TABLES, type Store, USER_TABLES, samples } from 'keepsake/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPgliteStore } from '../src/open-postgres-store.ts'
import { sharedDatabase } from './pglite-store.ts'

const { ADA, addOf, commit, commitOf, turnOf } = samples

describe.each([
  ['in one piece', 0],
  ['in three hash partitions', 3],
])('row-level security, tables %s', (_, partitions) => {
  const schema = `walls_${partitions}`
  let database: PGlite
  let store: Store
  let ada: ScopeRow
  let bob: ScopeRow

  beforeAll(async () => {
    database = await sharedDatabase()
    store = await openPgliteStore({ database, schema, partitions })
    ada = await store.ensureScope(ADA)
    bob = await store.ensureScope({ ...ADA, user: 'bob' })
    for (const scope of [ada, bob]) {
      await store.append(turnOf(scope, 't1', `words of ${scope.user}`))
      await commit(store, commitOf(scope, [addOf(scope, 'm1', 'one', ['t1'])]))
    }
  })
  afterAll(() => store.close())

  /** A statement that forgot to name a user, in a transaction like the store's. */
  async function run(statement: string, userId: number | null = null, sees = ''): Promise<unknown[]> {
    try {
      await database.exec(`BEGIN; SELECT set_config('search_path', '${schema}', true), set_config('role', 'keepsake_rows', true),
        set_config('keepsake.user_id', '${userId ?? ''}', true), set_config('keepsake.sees', '${sees}', true)`)
      return (await database.query(statement)).rows
    } finally {
      await database.exec('ROLLBACK')
    }
  }

  it('shows nothing to a transaction that named no user', async () => {
    for (const table of USER_TABLES) expect([table, await run(`SELECT * FROM ${table}`)]).toEqual([table, []])
  })

  it('shows one user’s rows, and neither changes nor creates those of others', async () => {
    const rows = await run('SELECT user_id, text FROM turns', ada.owner)
    expect(rows).toEqual([{ user_id: ada.owner, text: 'words of ada' }])
    expect(await run(`SELECT 1 FROM turns WHERE user_id = ${ada.owner}`, bob.owner)).toEqual([])
    expect(await run("UPDATE turns SET text = 'x' RETURNING user_id", ada.owner)).toHaveLength(1)
    const insert = `INSERT INTO progress (user_id, scope_id, branch, position) VALUES (${bob.owner}, 1, 'x', 1)`
    await expect(run(insert, ada.owner)).rejects.toThrow(/row-level security/)
  })

  it('hides what was said from a search for work, and payloads from counting', async () => {
    for (const table of ['turns', 'sessions', 'documents', 'operations', 'memories', 'evidence', 'usage'])
      expect([table, await run(`SELECT * FROM ${table}`, null, 'users')]).toEqual([table, []])
    for (const table of ['documents', 'evidence', 'usage'])
      expect([table, await run(`SELECT * FROM ${table}`, null, 'counts')]).toEqual([table, []])
    expect(await run('UPDATE turns SET text = NULL RETURNING user_id', null, 'counts')).toEqual([])
  })

  it('holds for every table and each part of one', async () => {
    const { rows } = await database.query<{ relname: string; isWalled: boolean }>(
      `SELECT relname, relrowsecurity AND relforcerowsecurity AS "isWalled" FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = '${schema}' AND relkind IN ('r', 'p')`,
    )
    const open = rows.filter(({ isWalled }) => !isWalled).map(({ relname }) => relname)
    expect(open.toSorted()).toEqual(['kysely_migration', 'kysely_migration_lock', 'records'])
    expect(rows.length).toBe(3 + USER_TABLES.length + partitions * LARGE_TABLES.length)
    if (partitions > 0) expect(await run('SELECT * FROM turns_0', ada.owner)).toEqual([])
  })

  it('takes changes of the log from no one', async () => {
    await expect(run('UPDATE operations SET at = 0', ada.owner)).rejects.toThrow(/append-only/)
    await expect(run('DELETE FROM operations', ada.owner)).rejects.toThrow(/append-only/)
  })
})

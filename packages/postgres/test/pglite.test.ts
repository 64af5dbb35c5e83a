// What the Postgres store does on a real database: one PGlite for all, since it takes seconds to start.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { openMemory, openSqliteStore, type Change, type Keepsake, type ScopeRow } from 'keepsake'
import {
  type ExportRow,
  LARGE_TABLES,
  migrateStore,
  samples,
  type Store,
  storeContract,
  USER_TABLES,
} from 'keepsake/store'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openPgliteStore } from '../src/open-postgres-store.ts'
import { PgliteStores } from './pglite-store.ts'

const { ADA, addOf, commit, commitOf, turnOf } = samples

let stores: PgliteStores
beforeAll(async () => void (stores = await PgliteStores.start()))
afterAll(() => stores.database.close())
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

describe('a follower', () => {
  /** Two processes of one store, as far as the store can tell. */
  let one: Keepsake
  let other: Keepsake
  let store: Store

  beforeEach(async () => {
    store = await stores.open()
    one = await openMemory({ store })
    other = await openMemory({ store: await stores.openAgain(store) })
  })
  afterEach(async () => {
    await one.close()
    await other.close()
  })

  /** What one is told of the other from now on. */
  function follow(wants?: (person: { user: string } | null) => boolean): {
    told: Change[]
    stop: () => void
  } {
    const told: Change[] = []
    const stop = one.follow({ onChange: (change) => told.push(change), ...(wants ? { filter: wants } : {}) })
    return { told, stop }
  }

  const eventsOf = (told: readonly Change[]): string[] => told.map(({ event }) => event)

  it('tells what another process stored, learned, changed and erased, once and in its order', async () => {
    const ana = other.scope({ user: 'ana' })
    const { told, stop } = follow()
    await ana.remember({ role: 'user', text: 'I live in Lyon.', id: 'lyon' })
    await other.drain()
    await expect.poll(() => eventsOf(told)).toContain('memory-added')
    const note = await ana.note('Prefers the window seat', { name: 'seat' })
    await ana.forget(note.id)
    await expect.poll(() => eventsOf(told)).toContain('memory-deleted')
    await ana.erase({ everything: true })
    await expect.poll(() => eventsOf(told)).toContain('scope-erased')
    stop()
    const turns = told.flatMap((change) => (change.event === 'turns-recorded' ? change.payload.turns : []))
    expect(turns).toEqual(['lyon'])
    expect(new Set(told.map(({ id }) => id)).size).toBe(told.length)
    const [added, deleted] = ['memory-added', 'memory-deleted'].map((event) =>
      told.findIndex((change) => change.event === event),
    )
    expect(added).toBeLessThan(deleted ?? 0)
    expect(eventsOf(told).at(-1)).toBe('scope-erased')
  })

  it('reads nothing of whom nobody follows, and tells nothing once it is stopped', async () => {
    const { told, stop } = follow((person) => person?.user === 'bea')
    for (const user of ['ana', 'bea']) {
      await other.scope({ user }).remember({ role: 'user', text: 'I keep bees.' })
      await other.drain()
    }
    await expect.poll(() => eventsOf(told)).toContain('turns-recorded')
    const users = new Set(
      told.flatMap((change) => ('scope' in change.payload ? [change.payload.scope.user] : [])),
    )
    expect([...users]).toEqual(['bea'])
    stop()
    const before = told.length
    const heard = follow()
    await other.scope({ user: 'bea' }).remember({ role: 'user', text: 'I have a dog.' })
    await expect.poll(() => eventsOf(heard.told)).toContain('turns-recorded')
    expect(told.length).toBe(before)
    heard.stop()
  })
})

async function rowsOf(store: Store): Promise<ExportRow[]> {
  const rows: ExportRow[] = []
  for (const { owner, agent } of await store.listScopes())
    if (agent === null) for await (const row of store.exportUser(owner)) rows.push(row)
  return rows
}

it('takes everybody from a file to Postgres and back, and recalls the same there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-migrate-'))
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
    database = stores.database
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

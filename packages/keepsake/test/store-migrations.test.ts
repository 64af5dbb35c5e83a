import { hash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { migrations } from '../src/stores/sqlite/migrations/index.ts'
import { migrate, SCHEMA_VERSION } from '../src/stores/sqlite/open-database.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import {
  addOf,
  commitOf,
  eraseOf,
  reinforceOf,
  turnOf,
  unreadSegmentOf,
} from '../src/store/contract/samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'keepsake-migrations-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What each schema added, schema 1 first. */
const OLD_ROWS = [1, 2, 3].map((schema) => join(import.meta.dirname, `schema-${schema}-rows.sql`))

/** A file as that schema left it. */
function makeOldFile(name: string, schema: 1 | 2 | 3 = 1): string {
  const path = join(folder, name)
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  for (const [index, rows] of OLD_ROWS.slice(0, schema).entries()) {
    migrate(database, path, index + 1)
    database.exec(readFileSync(rows, 'utf8'))
  }
  database.close()
  return path
}

describe('migrations', () => {
  it('are never edited once released: files of every schema are about', () => {
    expect(migrations.map((text) => hash('sha256', text).slice(0, 16))).toEqual([
      '8165fae3868af8de',
      '222efa417df0f047',
      'd2471f74e1a6e421',
      'c76e33891865d963',
      '7e92ba09aaefef78',
      '4fa5ebda85d8a82c',
      '2f8ae57da0ef7383',
    ])
  })

  it('take a file of schema 1, with its rows, to the newest', async () => {
    const path = makeOldFile('old.db')
    const store = await openSqliteStore({ path })
    const [ada] = await store.listScopes()
    if (ada === undefined) throw new Error('the old scope is gone')
    expect(ada).toMatchObject({ tenant: 'default', user: 'ada' })
    expect((await store.stats()).schema).toBe(SCHEMA_VERSION)
    expect((await store.listTurns({ userId: ada.owner })).map(({ text }) => text)).toEqual([
      'I moved to Oslo',
      'How is it there?',
    ])
    const [kept] = await store.listMemories({ userId: ada.owner })
    expect(kept?.memory).toMatchObject({
      id: 'm1',
      text: 'lives in Oslo',
      status: 'live',
      evidence: [{ turn: 't1' }],
    })
    expect((await store.indexRows(ada.owner, 0)).documents.map(({ terms }) => terms)).toEqual([
      ['move', 'oslo'],
      ['live', 'oslo'],
    ])
    await store.append(turnOf(ada, 't3', 'new words'))
    expect(await store.erase(eraseOf(ada, ['t1'], ['m1']))).toMatchObject({ turns: 1, memories: 1 })
    await store.close()
  })

  it('take the jobs of a file of schema 2 along, and give room for segments', async () => {
    const store = await openSqliteStore({ path: makeOldFile('jobs.db', 2) })
    const [ada] = await store.listScopes()
    if (ada === undefined) throw new Error('the old scope is gone')
    const plain = { owner: ada.owner, scope: ada.scope, branch: null, from: null, to: null, answer: null }
    const waiting = {
      kind: 'end-session',
      session: 's1',
      state: 'queued',
      attempts: 0,
      at: 3000,
      reason: null,
    }
    const parked = {
      kind: 'consolidate',
      session: null,
      state: 'parked',
      attempts: 5,
      at: 3001,
      reason: 'no model',
    }
    expect(await store.listJobs()).toEqual([
      { ...plain, ...waiting, id: 'j1' },
      { ...plain, ...parked, id: 'j2' },
    ])
    expect((await store.listErasures(ada.owner)).map(({ id }) => id)).toEqual(['e1'])
    await store.commit({ ...commitOf(ada, []), queueJobs: [unreadSegmentOf(ada, 'j3', 2, 'prose')] })
    expect((await store.listJobs()).map(({ id }) => id)).toEqual(['j1', 'j2', 'j3'])
    await store.close()
  })

  it('take away what a file of schema 3 kept of documents that were removed', async () => {
    const path = makeOldFile('removed.db', 3)
    const count = (): number => {
      const database = new Database(path, { readonly: true })
      const rows = database.prepare<[], number>('SELECT count(*) FROM turn_documents').pluck().get()
      database.close()
      return rows ?? 0
    }
    expect(count()).toBe(2)
    const store = await openSqliteStore({ path })
    const [ada] = await store.listScopes()
    const { documents } = await store.indexRows(ada?.owner ?? 0, 0)
    expect(documents.map(({ id }) => id)).toEqual(['t1', 'm1'])
    await store.close()
    expect(count()).toBe(1)
  })

  it('let only strengthenings leave the log, once the file is of schema 5', async () => {
    const path = makeOldFile('log.db', 3)
    const store = await openSqliteStore({ path })
    const [ada] = await store.listScopes()
    if (ada === undefined) throw new Error('the old scope is gone')
    const add = addOf(ada, 'm9', 'one', [])
    const recalled = reinforceOf(ada, [{ memory: 'm9', rank: 'first' }])
    await store.commit(commitOf(ada, [add, recalled]))
    await store.close()
    const database = new Database(path)
    const remove = (from: string, id: string) => () =>
      database
        .prepare(`DELETE FROM ${from} WHERE operation IN (SELECT operation FROM operations WHERE id = ?)`)
        .run(id)
    expect(remove('operations', add.id)).toThrow(/append-only/)
    expect(remove('touched', recalled.id)).toThrow(/append-only/)
    expect(() => database.exec(`UPDATE touched SET tally = '{}'`)).toThrow(/append-only/)
    expect(() => database.exec(`UPDATE operations SET at = 1`)).toThrow(/append-only/)
    expect(remove('operations', recalled.id)().changes).toBe(1)
    database.close()
  })

  it('refuse an older file opened for reading, and leave it', async () => {
    const path = makeOldFile('read.db')
    await expect(openSqliteStore({ path, readOnly: true })).rejects.toThrow(/older schema 1/)
    const database = new Database(path)
    expect(database.pragma('user_version', { simple: true })).toBe(1)
    database.close()
  })

  it('run once when several open an old file at once', async () => {
    const path = makeOldFile('shared.db')
    const stores = await Promise.all([1, 2, 3].map(() => openSqliteStore({ path })))
    for (const store of stores) {
      expect(await store.stats()).toMatchObject({ turns: 2, schema: SCHEMA_VERSION })
      await store.close()
    }
  })
})

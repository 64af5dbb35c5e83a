import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { projectLog, samples } from 'keepsake/store-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PgliteSessions } from '../src/connection/pglite-sessions.ts'
import { migrate } from '../src/migrate.ts'
import { migrations, SCHEMA_VERSION } from '../src/migrations/index.ts'
import { layOut } from '../src/migrations/layout.ts'
import { openPgliteStore } from '../src/open-postgres-store.ts'
import { COLUMNS } from '../src/tables.ts'

const { addOf, commitOf, eraseOf, reinforceOf, turnOf } = samples

let database: PGlite
beforeAll(async () => {
  database = await PGlite.create()
})
afterAll(() => database.close())

/** A schema as version 1 left it, with what a person had in it. */
async function makeOld(schema: string, partitions: number): Promise<void> {
  await migrate(new PgliteSessions(database), { schema, partitions, upTo: 1 })
  const rows = readFileSync(join(import.meta.dirname, 'schema-1-rows.sql'), 'utf8')
  await database.exec(`SET search_path = ${schema}; ${rows}; RESET search_path`)
}

describe('migrations', () => {
  it('are never edited once released: schemas of every version are about', () => {
    const texts = [0, 2].map((partitions) =>
      migrations.map(({ change }) => hash('sha256', change(layOut(partitions))).slice(0, 16)),
    )
    expect(texts).toMatchInlineSnapshot(`
      [
        [
          "4feb4ba913863ca2",
          "b6623f16e962fa52",
          "c1decaf0439d2464",
          "53a8dfc8867b1b25",
          "68c1552c25bf49ef",
        ],
        [
          "4994a09845ec65d9",
          "cc3427e57266985b",
          "c1decaf0439d2464",
          "53a8dfc8867b1b25",
          "b1586bc6bfb2a595",
        ],
      ]
    `)
  })

  it.each([0, 2])(
    'take a schema of version 1 in %i parts, with its rows, to the newest',
    async (partitions) => {
      const schema = `old_${partitions}`
      await makeOld(schema, partitions)
      const store = await openPgliteStore({ database, schema })
      const [ada] = await store.listScopes()
      if (ada === undefined) throw new Error('the old scope is gone')
      const { owner } = ada
      expect(ada).toMatchObject({ tenant: 'default', user: 'ada' })
      expect(await store.stats()).toMatchObject({ schema: SCHEMA_VERSION, turns: 2, memories: { live: 1 } })
      expect((await store.turns({ owner })).map(({ text }) => text)).toEqual([
        'I moved to Oslo',
        'How is it\0 there?',
      ])
      const kept = await store.memories({ owner })
      expect(kept).toMatchObject([{ memory: { id: 'm1', text: 'lives in Oslo', use: { first: 1 } } }])
      expect(kept.map(({ memory }) => memory)).toEqual([
        ...projectLog(await store.operations({ owner })).values(),
      ])
      expect((await store.indexRows(owner, 0)).documents.map(({ terms }) => terms)).toEqual([
        ['move', 'oslo'],
        ['live', 'oslo'],
      ])
      const tally = { first: 2, second: 0, rounds: [3], lastSession: 1, lastAt: 9 }
      const recalled = reinforceOf(ada, [{ memory: 'm1', rank: 'first', tally }])
      const log = await store.operations({ owner })
      await store.commit(commitOf(ada, [recalled], log))
      await store.append(turnOf(ada, 't3', 'new words'))
      await store.commit(commitOf(ada, [addOf(ada, 'm2', 'new', ['t3'])]))
      expect(await store.erase(eraseOf(ada, ['t1'], ['m1']))).toMatchObject({ turns: 1, memories: 1 })
      await store.close()
    },
  )

  it('refuse a schema made by a newer Keepsake, and another program’s, and leave them', async () => {
    await migrate(new PgliteSessions(database), { schema: 'newer', partitions: 0 })
    await database.exec(
      `INSERT INTO newer.migrations (version, name, partitions) VALUES (${SCHEMA_VERSION + 1}, 'later', 0)`,
    )
    await expect(openPgliteStore({ database, schema: 'newer' })).rejects.toMatchObject({
      code: 'store-schema',
    })
    await database.exec('CREATE SCHEMA songs; CREATE TABLE songs.titles (title TEXT)')
    await expect(openPgliteStore({ database, schema: 'songs' })).rejects.toThrow(/another program/)
    const { rows } = await database.query(`SELECT to_regclass('songs.turns') AS made`)
    expect(rows).toEqual([{ made: null }])
  })

  it('refuse names that could not stand in a statement, and parts that are none', async () => {
    for (const schema of ['Robert"; DROP', '', '1st', 'ä'])
      await expect(openPgliteStore({ database, schema })).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(openPgliteStore({ database, partitions: 1.5 })).rejects.toMatchObject({
      code: 'invalid-input',
    })
  })

  it('leave tables whose columns are as the code binds them', async () => {
    await migrate(new PgliteSessions(database), { schema: 'columns', partitions: 0 })
    const { rows } = await database.query<{ table: string; column: string; type: string }>(
      `SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, NULL) AS type FROM pg_attribute a
       JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'columns' AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`,
    )
    const found = rows
      .filter(({ table }) => table !== 'migrations')
      .map(({ table, column, type }) => `${table}.${column} ${type}`)
    const told = Object.entries(COLUMNS).flatMap(([table, columns]) =>
      Object.entries(columns).map(([column, type]) => `${table}.${column} ${type}`),
    )
    expect(found.toSorted()).toEqual(told.toSorted())
  })
})

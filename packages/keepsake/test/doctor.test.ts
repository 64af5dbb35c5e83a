import Database from 'better-sqlite3'
import { beforeEach, describe, expect, it } from 'vitest'
import { openMemory, type Keepsake } from 'keepsake'
import { examineFile, type Examined } from 'keepsake/store'
import { temporaryFile } from './temporary-file.ts'

let path = ''
beforeEach(() => {
  path = temporaryFile()
})

async function withMemory<Result>(work: (keepsake: Keepsake) => Promise<Result>): Promise<Result> {
  const keepsake = await openMemory({ path })
  try {
    return await work(keepsake)
  } finally {
    await keepsake.close()
  }
}

async function makeMemory(): Promise<void> {
  await withMemory(async (keepsake) => {
    const ana = keepsake.scope({ user: 'ana' })
    const said = ['I live in Porto.', 'My sister Mia is allergic to peanuts.', 'I have a parrot named Kiwi.']
    await ana.remember(
      said.map((text) => ({ role: 'user' as const, text })),
      { session: 's' },
    )
    await ana.endSession()
    await keepsake.drain()
    await ana.recall('Where do I live?', { reinforce: true })
    await keepsake.drain()
  })
}

/** As no code of ours does it. */
function spoil(statements: string): void {
  const database = new Database(path)
  database.pragma('foreign_keys = OFF')
  database.unsafeMode(true)
  database.exec(statements)
  database.close()
}

const told = ({ findings }: Examined) => findings.map(({ check, state }) => `${check} ${state}`)

/** What is found, mended and found again. */
async function examineThrice(): Promise<string[][]> {
  const found = told(await examineFile({ path }))
  const mended = await examineFile({ path, mend: true })
  await withMemory(async (keepsake) => {
    for (const owner of mended.unindexed) await keepsake.rebuildIndex(owner)
  })
  return [found, told(mended), told(await examineFile({ path }))]
}

describe('examineFile', () => {
  it('finds nothing in a sound memory, also with one open beside it', async () => {
    await makeMemory()
    expect(await examineFile({ path })).toEqual({ findings: [], unindexed: [] })
    await withMemory(async () => {
      expect(await examineFile({ path })).toEqual({ findings: [], unindexed: [] })
    })
  })

  it('makes memories again that are not what the log says', async () => {
    await makeMemory()
    const before = await withMemory((keepsake) => keepsake.scope({ user: 'ana' }).memories())
    spoil(`UPDATE memories SET state = json_set(state, '$.text', 'I live in Rome.') WHERE number = 1;
      UPDATE memories SET state = '{broken' WHERE number = 2`)
    expect(await examineThrice()).toEqual([['projection mendable'], ['projection mended'], []])
    expect(await withMemory((keepsake) => keepsake.scope({ user: 'ana' }).memories())).toEqual(before)
  })

  it('has turns indexed that stand in no index', async () => {
    await makeMemory()
    spoil(`DELETE FROM documents WHERE kind = 'turn' AND id = (SELECT id FROM turns WHERE position = 3)`)
    expect(await examineThrice()).toEqual([['index mendable'], ['index mendable'], []])
    const found = await withMemory((keepsake) => keepsake.scope({ user: 'ana' }).recall('Which parrot?'))
    expect(found.context.text).toContain('Kiwi')
  })

  it('takes away rows that belong to nothing', async () => {
    await makeMemory()
    spoil(`INSERT INTO documents (user_id, kind, id, revision, analyser, traits, terms) VALUES (1, 'turn', 'none', 1, '', 0, '');
      INSERT INTO evidence (user_id, turn_id, memory_id) VALUES (1, 'none', 'none')`)
    expect(await examineThrice()).toEqual([
      ['orphans mendable', 'orphans mendable'],
      ['orphans mended', 'orphans mended'],
      [],
    ])
  })

  it('makes an index of the database again', async () => {
    await makeMemory()
    const name = 'memories_by_revision'
    const database = new Database(path)
    const { rootpage, sql } = database
      .prepare('SELECT rootpage, sql FROM sqlite_schema WHERE name = ?')
      .get(name) as { rootpage: number; sql: string }
    database.close()
    spoil(`PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = '${name}'`)
    spoil('UPDATE memories SET revision = revision + 100')
    spoil(`PRAGMA writable_schema = ON; INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)
      VALUES ('index', '${name}', 'memories', ${rootpage}, '${sql}')`)
    const [found, mended, again] = await examineThrice()
    expect(new Set(found)).toEqual(new Set(['pages mendable']))
    expect(new Set(mended)).toEqual(new Set(['pages mended']))
    expect(again).toEqual([])
  })

  it('tells what is lost, and leaves it', async () => {
    await makeMemory()
    spoil('UPDATE operations SET before = NULL, after = NULL WHERE sequence = 1')
    const [found, mended, again] = await examineThrice()
    expect(found).toContain('orphans lost')
    expect(mended).toContain('orphans lost')
    expect(again).toContain('orphans lost')
  })

  it('quotes nothing of what was said', async () => {
    await makeMemory()
    spoil(`UPDATE memories SET state = '{"text": "secret'`)
    expect(JSON.stringify(await examineFile({ path }))).not.toMatch(/secret|Porto|Mia/)
  })
})

import { chmodSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ScopeRow } from '../src/scopes/scope.ts'
import { openConnection } from '../src/store/sqlite/open-connection.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import type { ConnectSqlite } from '../src/store/sqlite/sqlite-store.ts'
import { addOf, commit, commitOf, turnOf } from '../src/store/contract/samples.ts'

const root = mkdtempSync(join(tmpdir(), 'keepsake-errors-'))
afterAll(() => rmSync(root, { recursive: true }))

const ADA = { tenant: 'default', user: 'ada', agent: null, app: null }
let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'))
  path = join(folder, 'memory.db')
})

async function makeFile(turns = 0): Promise<ScopeRow> {
  const store = await openSqliteStore({ path })
  const ada = await store.ensureScope(ADA)
  for (let turn = 0; turn < turns; turn++) await store.append(turnOf(ada, `t${turn}`, 'x'.repeat(2000)))
  await store.close()
  return ada
}

describe('a file that cannot be used', () => {
  it('tells a folder, a missing folder and a missing file apart', async () => {
    await expect(openSqliteStore({ path: folder })).rejects.toThrow(/is a folder/)
    await expect(openSqliteStore({ path: join(folder, 'no', 'memory.db') })).rejects.toThrow(
      /does not exist\. Create it/,
    )
    await expect(openSqliteStore({ path, readOnly: true })).rejects.toThrow(/no file/)
    await expect(openSqliteStore({ path: '' })).rejects.toMatchObject({ code: 'store-failed' })
  })

  it('leaves what is no database as it is', async () => {
    const garbage = Buffer.from('this is my diary, not a database. '.repeat(300))
    writeFileSync(path, garbage)
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      code: 'store-corrupt',
      isRetryable: false,
    })
    expect(readFileSync(path).equals(garbage)).toBe(true)
  })

  it("leaves another program's database as it is", async () => {
    const other = new Database(path)
    other.exec('CREATE TABLE songs (title)')
    other.close()
    const before = readFileSync(path)
    await expect(openSqliteStore({ path })).rejects.toThrow(/another program/)
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('refuses a file made by a newer Keepsake and does not touch it', async () => {
    await makeFile()
    const newer = new Database(path)
    newer.pragma('user_version = 99')
    newer.pragma('wal_checkpoint(TRUNCATE)')
    newer.close()
    const before = readFileSync(path)
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      code: 'store-schema',
      message: expect.stringContaining('newer Keepsake (schema 99'),
    })
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('says so when the file was cut off or overwritten in the middle', async () => {
    const ada = await makeFile(40)
    const whole = readFileSync(path)
    truncateSync(path, Math.floor(whole.length / 2))
    await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: 'store-corrupt' })
    const middle = Buffer.from(whole)
    middle.fill(0xaa, 16_384 * 2)
    writeFileSync(path, middle)
    const use = async (): Promise<unknown> => {
      const store = await openSqliteStore({ path })
      try {
        return await store.listTurns({ userId: ada.owner })
      } finally {
        await store.close()
      }
    }
    await expect(use()).rejects.toMatchObject({
      code: 'store-corrupt',
      message: expect.stringContaining('restore a backup'),
    })
  })
})

describe('a store that cannot write', () => {
  it('refuses changes when opened for reading, and reads', async () => {
    const ada = await makeFile(1)
    const store = await openSqliteStore({ path, readOnly: true })
    expect(await store.listTurns({ userId: ada.owner })).toHaveLength(1)
    await expect(store.append(turnOf(ada, 'new', 'x'))).rejects.toMatchObject({
      code: 'store-read-only',
      isRetryable: false,
    })
    await store.close()
  })

  if (process.getuid?.() === 0) {
    process.stderr.write('A folder that cannot be written — skipped: permissions do not bind root.\n')
  }
  it.skipIf(process.getuid?.() === 0)(
    'says so when the folder cannot be written (skipped for root, whom permissions do not bind)',
    async () => {
      await makeFile(1)
      chmodSync(folder, 0o500)
      await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: 'store-read-only' })
      chmodSync(folder, 0o700)
    },
  )

  it('says that another process is writing, and can be tried again', async () => {
    const ada = await makeFile(1)
    const store = await openSqliteStore({ path, busyTimeoutMs: 20 })
    const other = new Database(path)
    other.exec('BEGIN IMMEDIATE')
    await expect(store.append(turnOf(ada, 'a', 'x'))).rejects.toMatchObject({
      code: 'store-busy',
      isRetryable: true,
    })
    other.exec('ROLLBACK')
    expect((await store.append(turnOf(ada, 'a', 'x'))).added).toHaveLength(1)
    other.close()
    await store.close()
  })

  it('waits for another process without holding up this one, to open and to write', async () => {
    const ada = await makeFile(1)
    const other = new Database(path)
    other.exec('BEGIN IMMEDIATE')
    let ticks = 0
    const ticking = setInterval(() => (ticks += 1), 5)
    const store = await openSqliteStore({ path })
    const writing = store.append(turnOf(ada, 'a', 'x'))
    await expect.poll(() => ticks).toBeGreaterThan(20)
    other.exec('ROLLBACK')
    expect((await writing).added).toHaveLength(1)
    clearInterval(ticking)
    other.close()
    await store.close()
  })

  it('keeps what it has when there is no room left, and goes on when there is', async () => {
    const ada = await makeFile(3)
    const opened: Database.Database[] = []
    const connect: ConnectSqlite = (file, options) => {
      const connection = new Database(file, options)
      opened.push(connection)
      return connection
    }
    const store = await openSqliteStore({ path, synchronous: 'normal', connect })
    const [database] = opened
    if (database === undefined) throw new Error('the file was opened')
    database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true })) + 2}`)
    const turns = Array.from(
      { length: 50 },
      (_, index) => turnOf(ada, `more${index}`, 'y'.repeat(3000)).turns,
    ).flat()
    await expect(store.append({ ...turnOf(ada, '', ''), turns })).rejects.toMatchObject({
      code: 'store-full',
      isRetryable: true,
    })
    expect(await store.listTurns({ userId: ada.owner })).toHaveLength(3)
    database.pragma('max_page_count = 100000')
    expect((await store.append({ ...turnOf(ada, '', ''), turns })).added).toHaveLength(50)
    await store.close()
  })
})

describe('a connection', () => {
  it('is durable, checks references, and zeroes what is deleted, unless told otherwise', async () => {
    const pragmas = async (synchronous: 'full' | 'normal'): Promise<unknown[]> => {
      const database = await openConnection({ path, synchronous })
      const names = ['journal_mode', 'synchronous', 'foreign_keys', 'secure_delete', 'temp_store']
      const values = names.map((name) => database.pragma(name, { simple: true }))
      database.close()
      return values
    }
    expect(await pragmas('full')).toEqual(['wal', 2, 1, 1, 2])
    expect(await pragmas('normal')).toEqual(['wal', 1, 1, 1, 2])
  })
})

describe('the operation log', () => {
  it('refuses to be changed, even by hand', async () => {
    const store = await openSqliteStore({ path })
    const ada = await store.ensureScope(ADA)
    await commit(store, commitOf(ada, [addOf(ada, 'm1', 'one', [])]))
    await store.close()
    const database = new Database(path)
    for (const change of ["UPDATE operations SET kind = 'delete'", 'DELETE FROM operations'])
      expect(() => database.exec(change)).toThrow(/append-only/)
    database.close()
  })
})

describe('a backup', () => {
  let store: Awaited<ReturnType<typeof openSqliteStore>>
  beforeAll(() => mkdirSync(join(root, 'backups')))

  it('is a whole store, made while the first is written to', async () => {
    store = await openSqliteStore({ path })
    const ada = await store.ensureScope(ADA)
    for (let turn = 0; turn < 300; turn++) await store.append(turnOf(ada, `t${turn}`, 'x'.repeat(5000)))
    const copy = join(root, 'backups', 'copy.db')
    const backup = store.backup(copy)
    await store.append(turnOf(ada, 'during', 'x'))
    await backup
    await store.append(turnOf(ada, 'after', 'x'))
    const restored = await openSqliteStore({ path: copy })
    expect((await restored.listTurns({ userId: ada.owner })).length).toBeGreaterThanOrEqual(300)
    expect(await restored.listTurns({ userId: ada.owner, ids: ['after'] })).toEqual([])
    await restored.close()
    const bytes = readFileSync(copy)
    await expect(store.backup(copy)).rejects.toThrow(/exists already/)
    expect(readFileSync(copy).equals(bytes)).toBe(true)
    await expect(store.backup(join(root, 'no', 'copy.db'))).rejects.toMatchObject({ code: 'store-failed' })
    await store.close()
  })
})

import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openMemory } from 'keepsake'
import { turnOf } from '../src/store/contract/samples.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'

const ADA = { tenant: 'default', user: 'ada', agent: null, app: null }

let path = ''
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-damage-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  path = join(folder, 'memory.db')
})

describe('a file of which next to nothing is left', () => {
  it.each([0, 1, 99])('is no memory with %i bytes, and stays as it is', async (bytes) => {
    writeFileSync(path, Buffer.alloc(bytes, 'S'))
    writeFileSync(`${path}-wal`, 'what may be left of it')
    // A new file is empty for a moment, while another process creates it.
    utimesSync(path, 1, 1)
    const opening = openMemory({ path })
    await expect(opening).rejects.toMatchObject({ code: 'store-corrupt' })
    await expect(opening).rejects.toThrow(/no memory is that small.*restore a backup.*remove the file/i)
    expect([statSync(path).size, readFileSync(`${path}-wal`, 'utf8')]).toEqual([
      bytes,
      'what may be left of it',
    ])
  })

  it('is none of a new one, which only its owner may read', async () => {
    await (await openMemory({ path })).close()
    expect(readdirSync(dirname(path))).toEqual([basename(path)])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('is opened by several at once when it is not there yet', async () => {
    const opened = await Promise.all(Array.from({ length: 5 }, () => openSqliteStore({ path })))
    const [first, ...others] = opened
    const ada = await first?.ensureScope(ADA)
    for (const other of others) expect(await other.findScope(ADA)).toEqual(ada)
    for (const one of opened) await one.close()
  })
})

/** A memory of one turn, then as many more as stand in its journal alone. Both files are copied as a kill leaves them. */
async function makeKilled(turns: number): Promise<void> {
  const alive = `${path}.alive`
  const store = await openSqliteStore({ path: alive })
  const ada = await store.ensureScope(ADA)
  for (let turn = 0; turn < turns; turn++) await store.append(turnOf(ada, `t${turn}`, 'x'.repeat(500)))
  for (const end of ['', '-wal']) copyFileSync(`${alive}${end}`, `${path}${end}`)
  await store.close()
  rmSync(alive)
}

async function countTurns(): Promise<number> {
  const store = await openSqliteStore({ path })
  const ada = await store.ensureScope(ADA)
  const turns = (await store.listTurns({ userId: ada.owner })).length
  await store.close()
  return turns
}

describe('a journal that is left behind', () => {
  it('is taken in whole where it is whole', async () => {
    await makeKilled(10)
    expect(await countTurns()).toBe(10)
  })

  it('is taken in as far as it is whole where it was cut off in the middle of a write', async () => {
    await makeKilled(10)
    truncateSync(`${path}-wal`, statSync(`${path}-wal`).size - 3_000)
    const turns = await countTurns()
    expect(turns).toBeGreaterThan(0)
    expect(turns).toBeLessThan(10)
  })

  it('is taken in whole also with what an earlier run left behind it', async () => {
    await makeKilled(10)
    appendFileSync(`${path}-wal`, Buffer.alloc(40_000, 7))
    expect(await countTurns()).toBe(10)
  })
})

describe('a backup', () => {
  it('is kept account of, with what was erased since', async () => {
    const keepsake = await openMemory({ path })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'I have a parrot.', id: 't1' })
    const copy = join(dirname(path), 'copy.db')
    await keepsake.backup(copy)
    expect(await keepsake.backups()).toMatchObject([{ path: copy, erasedSince: 0 }])
    await ana.erase({ turns: ['t1'] })
    await ana.erase({ everything: true })
    expect(await keepsake.backups()).toMatchObject([{ path: copy, erasedSince: 2 }])
    await keepsake.close()
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    const twin = await openMemory({ path: copy })
    expect(await twin.backups()).toEqual([])
    await twin.close()
  })
})

it('says that it is damaged where pages were zeroed, and quotes nothing of it', async () => {
  const store = await openSqliteStore({ path })
  const ada = await store.ensureScope(ADA)
  for (let turn = 0; turn < 40; turn++)
    await store.append(turnOf(ada, `t${turn}`, `private ${'x'.repeat(900)}`))
  await store.close()
  const whole = readFileSync(path)
  const codes = new Set<unknown>()
  for (let page = 1; page * 8_192 < whole.length; page++) {
    const damaged = Buffer.from(whole)
    damaged.fill(0, page * 8_192, (page + 1) * 8_192)
    writeFileSync(path, damaged)
    try {
      const opened = await openSqliteStore({ path })
      try {
        await opened.loadUser({ userId: ada.owner, afterRevision: 0 })
      } finally {
        await opened.close()
      }
    } catch (error) {
      codes.add((error as { code?: string }).code)
      expect(String(error)).not.toContain('private')
    }
  }
  expect([...codes]).toEqual(['store-corrupt'])
})

it('says so where a row holds what was never written there', async () => {
  const store = await openSqliteStore({ path })
  const ada = await store.ensureScope(ADA)
  const { turns } = turnOf(ada, 't1', 'private words')
  await store.append({ ...turnOf(ada, '', ''), turns: turns.map((one) => ({ ...one, metadata: { a: 1 } })) })
  await store.close()
  const database = new Database(path)
  database.exec(`UPDATE turns SET metadata = 'private {'`)
  database.close()
  const again = await openSqliteStore({ path })
  const reading = again.listTurns({ userId: ada.owner })
  await expect(reading).rejects.toMatchObject({
    code: 'store-corrupt',
    message: expect.not.stringContaining('private'),
  })
  await again.close()
})

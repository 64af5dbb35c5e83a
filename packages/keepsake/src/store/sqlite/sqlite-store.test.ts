import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ADA,
  addOf,
  commit,
  commitOf,
  documentOf,
  eraseOf,
  operationOf,
  turnOf,
} from '../contract/samples.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import type { SqliteStore } from './sqlite-store.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-'))
  path = join(folder, 'memory.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = (): Promise<SqliteStore> => openSqliteStore({ path, synchronous: 'normal' })

describe('erasing from a file', () => {
  it('leaves the words in no file, also where pages were split', async () => {
    const store = await open()
    const ada = await store.ensureScope(ADA)
    const wordOf = (index: number): string => `secret${index}word`
    for (let index = 0; index < 150; index += 1) {
      const text = `${wordOf(index)} `.repeat(1 + ((index * 7) % 30))
      await store.append(turnOf(ada, `t${index}`, text))
      const add = addOf(ada, `m${index}`, text, [`t${index}`])
      const documents = [{ id: `m${index}`, kind: 'memory' as const, ...documentOf(text) }]
      await commit(store, { ...commitOf(ada, [add]), documents })
      const more = operationOf(ada, 'modify', `m${index}`, { text: text.repeat(3) })
      if (index % 3 === 0) await commit(store, commitOf(ada, [more], [add]))
    }
    const erased = Array.from({ length: 50 }, (_, index) => index * 3)
    const turns = erased.map((index) => `t${index}`)
    const memories = erased.map((index) => `m${index}`)
    const receipt = await store.erase(eraseOf(ada, turns, memories))
    expect(receipt).toMatchObject({ turns: 50, memories: 50, purgedAt: expect.any(Number) })
    const bytes = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'))
    const isLeft = (index: number): boolean => bytes.some((file) => file.includes(wordOf(index)))
    expect(erased.filter(isLeft)).toEqual([])
    expect(isLeft(1)).toBe(true)
    await store.close()
  })

  it('is finished once no other process reads old pages', async () => {
    const store = await open()
    const ada = await store.ensureScope(ADA)
    await store.append(turnOf(ada, 't1', 'secretword'))
    const reader = new Database(path, { readonly: true })
    reader.exec('BEGIN')
    reader.prepare('SELECT text FROM turns').all()
    const receipt = await store.erase(eraseOf(ada, ['t1'], []))
    expect(receipt.purgedAt).toBeNull()
    reader.exec('COMMIT')
    reader.close()
    await expect.poll(async () => (await store.listErasures(ada.owner))[0]?.purgedAt).not.toBeNull()
    await store.close()
  })
})

describe('a file that several connections have open', () => {
  it('takes writes from all of them', async () => {
    const [first, ...others] = [await open(), await open(), await open()]
    const stores = [first, ...others]
    const ada = await first.ensureScope(ADA)
    const writes = stores.flatMap((store, from) =>
      Array.from({ length: 20 }, (_, index) => store.append(turnOf(ada, `t${from}-${index}`, 'hello'))),
    )
    await Promise.all(writes)
    for (const store of stores) {
      const { turns, revision } = await store.loadUser({ userId: ada.owner, afterRevision: 0 })
      expect(turns.map(({ position }) => position)).toEqual(turns.map((_, index) => index + 1))
      expect(revision).toBe(60)
      expect(await store.revision(ada.owner)).toBe(60)
      await store.close()
    }
  })

  it('is created once, whoever comes first', async () => {
    const stores = await Promise.all([open(), open(), open()])
    const scopes = await Promise.all(stores.map((store) => store.ensureScope(ADA)))
    expect(new Set(scopes.map(({ scope }) => scope)).size).toBe(1)
    for (const store of stores) await store.close()
  })
})

describe('opening a file', () => {
  it('refuses one of another program, a newer one and one that was cut off, and changes nothing', async () => {
    const other = new Database(path)
    other.exec('CREATE TABLE theirs (a)')
    await expect(open()).rejects.toMatchObject({ code: 'store-schema' })
    other.exec('DROP TABLE theirs')
    other.pragma('application_id = 0x4b454550')
    other.pragma('user_version = 99')
    await expect(open()).rejects.toThrow(/made by a newer Keepsake \(schema 99/)
    other.pragma('user_version = 8')
    await expect(open()).rejects.toThrow(/Export it with the version that made it/)
    other.close()
  })
})

describe('a folder that cannot be written', () => {
  it.skipIf(process.platform === 'win32')(
    'has its files read, also by an account that is not root',
    async ({ skip }) => {
      // Root writes anywhere.
      const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
      const probe = spawnSync(process.execPath, [fileURLToPath(import.meta.resolve('keepsake'))], account)
      if (probe.status !== 0) skip('another account than root cannot read this checkout')
      const store = await open()
      const ada = await store.ensureScope(ADA)
      await store.append(turnOf(ada, 't1', 'hello'))
      await store.close()
      chmodSync(path, 0o444)
      chmodSync(folder, 0o555)
      const script = `
      import { openMemory } from ${JSON.stringify(import.meta.resolve('keepsake'))}
      const path = ${JSON.stringify(path)}
      const refusal = await openMemory({ path }).then(() => 'opened', (error) => error.code)
      const memory = await openMemory({ path, readOnly: true })
      const scope = memory.scope({ user: 'ada' })
      const [turn] = await scope.turns()
      const { context } = await scope.recall('hello')
      const change = await scope.remember({ role: 'user', text: 'x' }).catch((error) => error.code)
      await memory.close()
      console.log([refusal, turn.text, context.text.includes('hello'), change].join())`
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        ...account,
        cwd: folder,
        encoding: 'utf8',
      })
      chmodSync(folder, 0o755)
      expect(stderr).toBe('')
      expect(stdout.trim()).toBe('store-read-only,hello,true,store-read-only')
    },
  )
})

describe('a backup', () => {
  it('is whole, replaces nothing, and counts the erasures it does not include', async () => {
    let now = 1_000
    const store = await openSqliteStore({ path, now: () => now })
    const ada = await store.ensureScope(ADA)
    await store.append(turnOf(ada, 't1', 'hello'))
    const copy = join(folder, 'copy.db')
    await store.backup(copy)
    await expect(store.backup(copy)).rejects.toThrow(/exists already/)
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    now = 5_000
    await store.erase(eraseOf(ada, ['t1'], []))
    expect(await store.listBackups()).toEqual([{ path: copy, at: 1_000, erasedSince: 1 }])
    await store.close()
    const restored = await openSqliteStore({ path: copy })
    expect((await restored.listTurns({ userId: ada.owner }))[0]?.text).toBe('hello')
    await restored.close()
  })
})

describe('a file of schema 9', () => {
  function shapeOf(of: string): unknown[] {
    const file = new Database(of, { readonly: true })
    const shape = file.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all()
    file.close()
    return shape
  }

  it('opens, knows its turns, and has the shape of a new one', async () => {
    const old = new Database(path)
    old.exec(readFileSync(new URL('../../../test/schema-9.sql', import.meta.url), 'utf8'))
    old.close()
    const store = await open()
    const [scope] = await store.listScopes()
    if (scope === undefined) throw new Error('no scope')
    const again = turnOf(scope, 't3', 'I promise to send the recipe on Friday.', {
      role: 'assistant',
      speaker: 'Juno',
    })
    expect((await store.append({ ...again, session: 's1' })).added).toEqual([])
    await store.close()
    const fresh = join(folder, 'new.db')
    await (await openSqliteStore({ path: fresh })).close()
    expect(shapeOf(path)).toEqual(shapeOf(fresh))
  })
})

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@libsql/client'
import { openMemory, openSqliteStore } from 'keepsake'
import { samples } from 'keepsake/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLibsqlStore } from '../src/open-libsql-store.ts'
import { startServer } from './hrana-server.ts'

const { ADA, addOf, commit, commitOf, documentOf, eraseOf, turnOf } = samples

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-libsql-'))
  path = join(folder, 'memory.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a file of libSQL', () => {
  it('leaves the words of what is erased in no file', async () => {
    const store = await openLibsqlStore({ url: `file:${path}` })
    const ada = await store.ensureScope(ADA)
    const wordOf = (index: number): string => `secret${index}word`
    for (let index = 0; index < 60; index += 1) {
      const text = `${wordOf(index)} `.repeat(1 + ((index * 7) % 30))
      await store.append(turnOf(ada, `t${index}`, text))
      const documents = [{ id: `m${index}`, kind: 'memory' as const, ...documentOf(text) }]
      await commit(store, { ...commitOf(ada, [addOf(ada, `m${index}`, text, [`t${index}`])]), documents })
    }
    const erased = Array.from({ length: 20 }, (_, index) => index * 3)
    const turns = erased.map((index) => `t${index}`)
    const memories = erased.map((index) => `m${index}`)
    const receipt = await store.erase(eraseOf(ada, turns, memories))
    expect(receipt).toMatchObject({ turns: 20, memories: 20, purgedAt: expect.any(Number) })
    const bytes = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'))
    const isLeft = (index: number): boolean => bytes.some((file) => file.includes(wordOf(index)))
    expect(erased.filter(isLeft)).toEqual([])
    expect(isLeft(1)).toBe(true)
    await store.close()
  })

  it('takes writes after another process held it', async () => {
    const store = await openLibsqlStore({ url: `file:${path}` })
    const ada = await store.ensureScope(ADA)
    const other = createClient({ url: `file:${path}`, timeout: 0 })
    for (const id of ['t1', 't2', 't3']) {
      const held = await other.transaction('write')
      const writing = store.append(turnOf(ada, id, 'hello'))
      await sleep(30)
      await held.commit()
      expect((await writing).added.length).toBe(1)
    }
    expect((await store.listTurns({ userId: ada.owner })).length).toBe(3)
    other.close()
    await store.close()
  })

  it('is one that the SQLite store opens, and that only its owner reads', async () => {
    const store = await openLibsqlStore({ url: `file:${path}` })
    await using keepsake = await openMemory({ store })
    await keepsake.scope({ user: 'ana' }).remember({ role: 'user', text: 'I live in Lisbon.' })
    await keepsake.close()
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await using again = await openMemory({ store: await openSqliteStore({ path }) })
    expect((await again.scope({ user: 'ana' }).recall('Where do I live?')).context.text).toContain('Lisbon')
  })

  it('of another program, or a missing one that must exist, is refused', async () => {
    const open = (mustExist = false) => openLibsqlStore({ url: `file:${path}`, mustExist })
    await expect(open(true)).rejects.toMatchObject({ code: 'store-failed' })
    const other = createClient({ url: `file:${path}` })
    await other.execute('CREATE TABLE theirs (a)')
    await expect(open()).rejects.toThrow(/another program's database/)
    await other.execute('DROP TABLE theirs')
    await expect(open(true)).rejects.toThrow(/no memory yet/)
    other.close()
  })
})

describe('a server of libSQL', () => {
  it('remembers, and gives an erasure a receipt without a time, since it removes no bytes', async () => {
    const { url, server } = await startServer(path)
    await using keepsake = await openMemory({
      store: await openLibsqlStore({ url: `${url}?authToken=secret` }),
    })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'My sister Mia lives in Porto.' })
    await ana.drain()
    const { memories } = await ana.recall('Where does Mia live?')
    expect(memories[0]?.memory.text).toContain('Porto')
    const receipt = await ana.erase({ everything: true })
    expect(receipt).toMatchObject({ turns: 1, purgedAt: null })
    expect((await ana.recall('Where does Mia live?')).memories).toEqual([])
    server.close()
  })

  it('that is gone or refuses the token is an error that says so, without the token', async () => {
    const { url, server } = await startServer(path)
    const store = await openLibsqlStore({ url: `${url}?authToken=secret` })
    expect(store.name).toBe(url)
    server.closeAllConnections()
    server.close()
    await expect(store.ensureScope(ADA)).rejects.toMatchObject({ code: 'store-busy', isRetryable: true })
    await store.close()
    const refusing = await startServer(join(folder, 'other.db'), 401)
    await expect(openLibsqlStore({ url: refusing.url })).rejects.toThrow(/refused the token/)
    refusing.server.close()
  })
})

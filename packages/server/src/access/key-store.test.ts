import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Connection from 'better-sqlite3'
import { openMemory } from 'keepsake'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openKeys, readToken, type KeyStore, type KeyStoreOptions, type KeyToken } from './key-store.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder, 'memory.db')
})

async function open(options: KeyStoreOptions = {}): Promise<KeyStore> {
  const { keys, close } = await openKeys(path, options)
  onTestFinished(close)
  return keys
}

function partsOf(key: string): KeyToken {
  const token = readToken(key)
  if (token === null) throw new Error('This is no whole key.')
  return token
}

describe('KeyStore', () => {
  it('opens what a key was made for', async () => {
    const keys = await open()
    const { key, entry } = await keys.create({
      name: ' support bot ',
      tenants: ['acme', 'acme'],
      users: ['ana'],
      actions: ['write', 'read'],
      requestsPerMinute: 30,
    })
    expect(key).toMatch(/^ks_[0-9a-f]{12}_[\w-]{43}$/)
    expect(await keys.verify(key)).toMatchObject({
      id: entry.id,
      name: 'support bot',
      tenants: ['acme'],
      users: ['ana'],
      actions: ['read', 'write'],
      requestsPerMinute: 30,
      bytesPerMinute: null,
      upstreamPerDay: null,
    })
  })

  it('reads and writes everywhere when nothing else is said, and neither erases nor rules', async () => {
    const { entry } = await (await open()).create({ name: 'x' })
    expect(entry).toMatchObject({ tenants: null, users: null, actions: ['read', 'write'] })
  })

  it('opens nothing for what is not whole, changed or unknown', async () => {
    const keys = await open()
    const { key } = await keys.create({ name: 'x' })
    const { key: other } = await keys.create({ name: 'y' })
    const { id, secret } = partsOf(key)
    const flipped = secret.startsWith('A') ? `B${secret.slice(1)}` : `A${secret.slice(1)}`
    for (const wrong of [
      '',
      'ks_',
      key.slice(0, -1),
      `${key}x`,
      ` ${key}`,
      `ks_${id}_${flipped}`,
      `ks_${partsOf(other).id}_${secret}`,
      `ks_000000000000_${secret}`,
      `ks_' OR 1=1 --_${secret}`,
    ])
      expect(await keys.verify(wrong)).toBeNull()
    expect(await keys.verify(key)).not.toBeNull()
  })

  it('keeps no secret in any of its files', async () => {
    const { keys, close } = await openKeys(path)
    const made: string[] = []
    for (let index = 0; index < 20; index += 1) made.push((await keys.create({ name: `key ${index}` })).key)
    for (const key of made) await keys.verify(key)
    const grep = (): void => {
      const files = readdirSync(folder)
      expect(files).toContain('memory.db')
      for (const file of files) {
        const bytes = readFileSync(join(folder, file))
        for (const key of made) {
          const { id, secret } = partsOf(key)
          expect(bytes.includes(secret)).toBe(false)
          expect(bytes.includes(Buffer.from(secret, 'base64url'))).toBe(false)
          if (file === 'memory.db-wal') expect(bytes.includes(id)).toBe(true)
        }
      }
    }
    grep()
    await close()
    grep()
    expect(readFileSync(path).includes(partsOf(made[0] ?? '').id)).toBe(true)
  })

  it('lies with a memory that nobody else may read, and goes on after it was closed', async () => {
    const keepsake = await openMemory({ path })
    const { key } = await (await open()).create({ name: 'x' })
    expect(await keepsake.scopes()).toEqual([])
    await keepsake.close()
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(await (await open()).verify(key)).not.toBeNull()
  })

  it('closes a key at once when another connection revokes it, and knows when', async () => {
    let now = 1_000
    const server = await open()
    const command = await open({ now: () => now })
    const { key, entry } = await command.create({ name: 'x' })
    expect(await server.verify(key)).not.toBeNull()
    now = 2_000
    expect(await command.revoke(entry.id)).toMatchObject({ revokedAt: 2_000 })
    expect(await server.verify(key)).toBeNull()
    now = 3_000
    expect(await command.revoke(entry.id)).toMatchObject({ revokedAt: 2_000 })
    expect(await command.revoke('nobody')).toBeNull()
    expect(await server.count()).toBe(0)
    expect(await server.list()).toHaveLength(1)
  })

  it('notes the last use to the minute, and lists in the order of making', async () => {
    let now = 60_000 * 10 + 5_000
    const keys = await open({ now: () => now })
    const { key } = await keys.create({ name: 'x' })
    const last = async (): Promise<(number | null)[]> =>
      (await keys.list()).map(({ lastUsedAt }) => lastUsedAt)
    expect(await last()).toEqual([null])
    await keys.verify(`${key.slice(0, -2)}xx`)
    expect(await last()).toEqual([null])
    await keys.verify(key)
    expect(await last()).toEqual([600_000])
    now += 60_000
    await keys.verify(key)
    expect(await last()).toEqual([660_000])
    for (const name of ['b', 'a', 'c']) {
      now += 1
      await keys.create({ name })
    }
    expect((await keys.list()).map(({ name }) => name)).toEqual(['x', 'b', 'a', 'c'])
  })

  it('still opens when the last use cannot be written, and says so', async () => {
    let now = 60_000
    const faults: unknown[] = []
    const keys = await open({ now: () => now, report: (error) => faults.push(error) })
    const { key } = await keys.create({ name: 'x' })
    const other = new Connection(path)
    other.exec("CREATE TRIGGER full BEFORE UPDATE ON records BEGIN SELECT raise(ABORT, 'full'); END")
    other.close()
    now += 60_000
    expect(await keys.verify(key)).not.toBeNull()
    expect(faults).toHaveLength(1)
  })

  it.each([
    [{ name: ' ' }, /name of 1 to 200/],
    [{ name: 'bot, password is hunter2' }, /seems to contain a secret/],
    [{ name: 'x', actions: [] }, /actions of read, write, erase, admin/],
    [{ name: 'x', tenants: [] }, /at least one name/],
    [{ name: 'x', users: [' '] }, /at least one name/],
    [{ name: 'x', requestsPerMinute: 0 }, /whole number from 1/],
  ])('refuses %j', async (given, message) => {
    const keys = await open()
    await expect(keys.create(given)).rejects.toThrow(message)
    expect(await keys.list()).toEqual([])
  })
})

describe('openKeys', () => {
  it('makes no folder', async () => {
    await expect(openKeys(join(folder, 'none', 'x.keys'))).rejects.toThrow(/folder .* does not exist/)
  })

  it('leaves the files of others as they are', async () => {
    const text = join(folder, 'notes.txt')
    writeFileSync(text, 'These are my notes, of more than a hundred bytes. '.repeat(30))
    const before = readFileSync(text)
    await expect(openKeys(text)).rejects.toThrow(/no SQLite database/)
    expect(readFileSync(text).equals(before)).toBe(true)
  })
})

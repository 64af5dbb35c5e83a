import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Connection from 'better-sqlite3'
import { openMemory } from 'keepsake'
import { beforeEach, describe, expect, it } from 'vitest'
import { openKeyStore } from './key-store.ts'
import { readToken, type KeyToken } from './key-token.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-keys-'))
  path = join(folder, 'memory.db.keys')
})

function partsOf(key: string): KeyToken {
  const token = readToken(key)
  if (token === null) throw new Error('This is no whole key.')
  return token
}

describe('KeyStore', () => {
  it('opens what a key was made for', () => {
    const keys = openKeyStore({ path })
    const { key, entry } = keys.create({
      name: ' support bot ',
      tenants: ['acme', 'acme'],
      users: ['ana'],
      actions: ['write', 'read'],
      requestsPerMinute: 30,
    })
    expect(key).toMatch(/^ks_[0-9a-f]{12}_[\w-]{43}$/)
    expect(keys.verify(key)).toEqual({
      id: entry.id,
      name: 'support bot',
      tenants: ['acme'],
      users: ['ana'],
      actions: ['read', 'write'],
      requestsPerMinute: 30,
    })
    keys.close()
  })

  it('reads and writes everywhere when nothing else is said, and neither erases nor rules', () => {
    const keys = openKeyStore({ path })
    const { entry } = keys.create({ name: 'x' })
    expect(entry).toMatchObject({ tenants: null, users: null, actions: ['read', 'write'] })
    keys.close()
  })

  it('opens nothing for what is not whole, changed or unknown', () => {
    const keys = openKeyStore({ path })
    const { key } = keys.create({ name: 'x' })
    const { key: other } = keys.create({ name: 'y' })
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
      expect(keys.verify(wrong)).toBeNull()
    expect(keys.verify(key)).not.toBeNull()
    keys.close()
  })

  it('keeps no secret in any of its files', () => {
    const keys = openKeyStore({ path })
    const made = Array.from({ length: 20 }, (_, index) => keys.create({ name: `key ${index}` }).key)
    for (const key of made) keys.verify(key)
    const grep = (): void => {
      const files = readdirSync(folder)
      expect(files).toContain('memory.db.keys')
      for (const file of files) {
        const bytes = readFileSync(join(folder, file))
        for (const key of made) {
          const { id, secret } = partsOf(key)
          expect(bytes.includes(secret)).toBe(false)
          expect(bytes.includes(Buffer.from(secret, 'base64url'))).toBe(false)
          if (file === 'memory.db.keys-wal') expect(bytes.includes(id)).toBe(true)
        }
      }
    }
    grep()
    keys.close()
    grep()
    expect(readFileSync(path).includes(partsOf(made[0] ?? '').id)).toBe(true)
  })

  it('can be read by its owner alone', () => {
    openKeyStore({ path }).close()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('closes a key at once when another connection revokes it, and knows when', () => {
    let now = 1_000
    const server = openKeyStore({ path })
    const command = openKeyStore({ path, now: () => now })
    const { key, entry } = command.create({ name: 'x' })
    expect(server.verify(key)).not.toBeNull()
    now = 2_000
    expect(command.revoke(entry.id)).toMatchObject({ revokedAt: 2_000 })
    expect(server.verify(key)).toBeNull()
    now = 3_000
    expect(command.revoke(entry.id)).toMatchObject({ revokedAt: 2_000 })
    expect(command.revoke('nobody')).toBeNull()
    expect(server.count()).toBe(0)
    expect(server.list()).toHaveLength(1)
    server.close()
    command.close()
  })

  it('notes the last use to the minute', () => {
    let now = 60_000 * 10 + 5_000
    const keys = openKeyStore({ path, now: () => now })
    const { key } = keys.create({ name: 'x' })
    const last = (): (number | null)[] => keys.list().map(({ lastUsedAt }) => lastUsedAt)
    expect(last()).toEqual([null])
    keys.verify(`${key.slice(0, -2)}xx`)
    expect(last()).toEqual([null])
    keys.verify(key)
    expect(last()).toEqual([600_000])
    now += 60_000
    keys.verify(key)
    expect(last()).toEqual([660_000])
    keys.close()
  })

  it('still opens when the last use cannot be written, and says so', () => {
    let now = 60_000
    const faults: unknown[] = []
    const keys = openKeyStore({ path, now: () => now, report: (error) => faults.push(error) })
    const { key } = keys.create({ name: 'x' })
    const other = new Connection(path)
    other.exec("CREATE TRIGGER full BEFORE UPDATE ON keys BEGIN SELECT raise(ABORT, 'full'); END")
    other.close()
    now += 60_000
    expect(keys.verify(key)).not.toBeNull()
    expect(faults).toHaveLength(1)
    keys.close()
  })

  it.each([
    [{ name: ' ' }, /name of 1 to 200/],
    [{ name: 'x', actions: [] }, /actions of read, write, erase, admin/],
    [{ name: 'x', tenants: [] }, /name of at least one/],
    [{ name: 'x', users: [' '] }, /name of at least one/],
    [{ name: 'x', requestsPerMinute: 0 }, /whole number from 1/],
  ])('refuses %j', (given, message) => {
    const keys = openKeyStore({ path: ':memory:' })
    expect(() => keys.create(given)).toThrow(message)
    expect(keys.list()).toHaveLength(0)
    keys.close()
  })
})

describe('openKeyStore', () => {
  it('makes no file where there must be one, nor a folder', () => {
    expect(() => openKeyStore({ path, mustExist: true })).toThrow(/There is no file/)
    expect(readdirSync(folder)).toEqual([])
    expect(() => openKeyStore({ path: join(folder, 'none', 'x.keys') })).toThrow(/There is no folder/)
  })

  it('leaves the files of others as they are: a memory, a text', async () => {
    const memory = join(folder, 'memory.db')
    await (await openMemory({ path: memory })).close()
    const before = readFileSync(memory)
    expect(() => openKeyStore({ path: memory })).toThrow(/Choose another file/)
    expect(readFileSync(memory).equals(before)).toBe(true)
    const text = join(folder, 'notes.txt')
    writeFileSync(text, 'These are my notes, of more than a hundred bytes. '.repeat(30))
    expect(() => openKeyStore({ path: text })).toThrow(/cannot be used/)
  })
})

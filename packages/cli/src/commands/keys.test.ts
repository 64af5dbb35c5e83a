import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openKeys } from '@keepsake/server'
import { beforeEach, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

let db = ''
beforeEach(() => {
  db = join(temporaryFolder(), 'memory.db')
})

const keys = (...argv: string[]) => run(['keys', ...argv, '--db', db])

async function create(...argv: string[]): Promise<{ id: string; key: string }> {
  const [made] = (await keys('create', '--name', 'bot', '--json', ...argv)).json()
  return made as { id: string; key: string }
}

describe('keepsake keys', () => {
  it('prints a key once, and what it opens', async () => {
    const made = await keys('create', '--name', 'support bot', '--tenant', 'acme', '--tenant', 'b,c')
    expect(made.code).toBe(0)
    // By itself on stdout, so that `KEY=$(keepsake keys create …)` holds the key and nothing else.
    const key = made.out.trimEnd()
    expect(key).toMatch(/^ks_[0-9a-f]{12}_[\w-]{43}$/)
    expect(made.err).toBe(
      'Access: read, write of acme, b,c / every user. Save the key now: it cannot be shown again.\n',
    )
    const listed = await keys('list')
    expect(listed.out).toContain('support bot')
    expect(listed.out).toContain('never')
    expect(listed.out).not.toContain(key)
    expect(readFileSync(db).includes(key.slice(16))).toBe(false)
  })

  it('makes keys that a server opens', async () => {
    const { key } = await create('--user', 'ana', '--action', 'erase,read', '--requests-per-minute', '7')
    const { keys: store, close } = await openKeys(db)
    expect(await store.verify(key)).toMatchObject({
      tenants: null,
      users: ['ana'],
      actions: ['read', 'erase'],
      requestsPerMinute: 7,
    })
    await close()
  })

  it('revokes by id, also of a whole key, and does not repeat the secret', async () => {
    const { id, key } = await create()
    expect(await keys('revoke', key)).toMatchObject({ code: 0, out: `Revoked ${id} (bot).\n` })
    expect((await keys('list')).out).toContain('revoked')
    const unknown = await keys('revoke', `ks_ffffffffffff_${key.slice(16)}`)
    expect(unknown).toMatchObject({ code: 3, out: '' })
    expect(unknown.err).toContain('no key with the id ffffffffffff')
    expect(unknown.err).not.toContain(key.slice(16))
  })

  it.each([
    [['create'], 2, 'required option'],
    [['create', '--name', 'x', '--action', 'rule'], 2, 'read, write, erase, admin'],
    [['create', '--name', 'x', '--requests-per-minute', '0'], 2, 'whole number from 1'],
    [['create', '--name', ' '], 2, 'name of 1 to 200'],
    [['create', '--name', 'x', '--user', ''], 2, 'at least one name'],
    [['list'], 3, 'There is no file with keys'],
    [['revoke', 'x'], 3, 'There is no file with keys'],
  ])('refuses %j', async (argv, code, message) => {
    const refused = await keys(...argv)
    expect(refused.code).toBe(code)
    expect(refused.err).toContain(message)
  })
})

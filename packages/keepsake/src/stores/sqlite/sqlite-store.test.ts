import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Store } from '../store.ts'
import { addOf, commitOf } from '../contract/samples.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

const ADA = { tenant: 'default', user: 'ada', agent: null, app: null }

describe('scopes that were looked up before', () => {
  let folder: string
  let one: Store
  let other: Store

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keepsake-'))
    const path = join(folder, 'memory.db')
    one = await openSqliteStore({ path })
    other = await openSqliteStore({ path })
  })

  afterEach(async () => {
    await one.close()
    await other.close()
    rmSync(folder, { recursive: true })
  })

  it('are looked up again once another connection made one', async () => {
    expect(await one.findScope(ADA)).toBeNull()
    expect(await one.listScopes({ tenant: 'default', user: 'ada' })).toEqual([])
    const made = await other.ensureScope(ADA)
    expect(await one.findScope(ADA)).toEqual(made)
    expect(await one.listScopes({ tenant: 'default', user: 'ada' })).toEqual([made])
  })

  it('are looked up again once this connection made one', async () => {
    expect(await one.findScope(ADA)).toBeNull()
    const made = await one.ensureScope(ADA)
    expect(await one.findScope(ADA)).toEqual(made)
    const agent = await one.ensureScope({ ...ADA, agent: 'tutor' })
    expect(await one.listScopes({ tenant: 'default', user: 'ada' })).toEqual([made, agent])
  })

  it('are gone once the person was erased, here or by another', async () => {
    const made = await one.ensureScope(ADA)
    expect(await other.findScope(ADA)).toEqual(made)
    await one.erase({ id: 'erasure', owner: made.owner, at: 0, target: 'person', operations: [] })
    expect(await one.findScope(ADA)).toBeNull()
    expect(await one.listScopes({ tenant: 'default', user: 'ada' })).toEqual([])
    expect(await other.findScope(ADA)).toBeNull()
  })
})

describe('a commit that need not outlive a failure of power', () => {
  it('does not wait for the disk, is there for others at once, and the next one waits again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keepsake-'))
    const path = join(folder, 'memory.db')
    const store = await openSqliteStore({ path })
    const scope = await store.ensureScope(ADA)
    const { owner } = scope
    const pragma = vi.spyOn(Database.prototype, 'pragma')
    try {
      await store.commit({ ...commitOf(scope, [addOf(scope, 'm1', 'Ada keeps bees.', [])]), flush: false })
      const asked = pragma.mock.calls.map(([source]) => source)
      expect(asked).toEqual(['synchronous', 'synchronous = NORMAL', 'synchronous = 2'])
      const other = await openSqliteStore({ path })
      expect((await other.version(owner)).revision).toBe((await store.version(owner)).revision)
      await other.close()
      pragma.mockClear()
      await store.commit(commitOf(scope, [addOf(scope, 'm2', 'Ada sold the bees.', [])]))
      expect(pragma).not.toHaveBeenCalled()
    } finally {
      pragma.mockRestore()
      await store.close()
      rmSync(folder, { recursive: true })
    }
  })
})

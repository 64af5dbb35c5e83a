import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ClosedError } from '../../errors/closed-error.ts'
import type { Store } from '../store.ts'
import { addOf, commitOf, documentOf, turnOf } from '../contract/samples.ts'
import { JournalFlush } from './journal-flush.ts'
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
  it('does not wait for the disk, is there for others at once, and the next one waits', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keepsake-'))
    const path = join(folder, 'memory.db')
    const store = await openSqliteStore({ path })
    const scope = await store.ensureScope(ADA)
    const { owner } = scope
    const pragma = vi.spyOn(Database.prototype, 'pragma')
    const flush = vi.spyOn(JournalFlush.prototype, 'flush')
    try {
      await store.commit({ ...commitOf(scope, [addOf(scope, 'm1', 'Ada keeps bees.', [])]), flush: false })
      const asked = () => pragma.mock.calls.splice(0).map(([source]) => source)
      expect(asked()).toEqual([])
      const further = commitOf(scope, [addOf(scope, 'm3', 'Bees sting.', [])])
      await store.commit({ ...further, flush: false })
      const record = { collection: 'shelf', key: 'bees', value: {} }
      await store.putRecord({ ...record, flush: false })
      await store.reindex(owner, [{ id: 'm1', kind: 'memory', ...documentOf('bees') }])
      expect(asked()).toEqual([])
      const other = await openSqliteStore({ path })
      expect((await other.version(owner)).revision).toBe((await store.version(owner)).revision)
      await other.close()
      asked()
      expect(flush).not.toHaveBeenCalled()
      await store.commit(commitOf(scope, [addOf(scope, 'm2', 'Ada sold the bees.', [])]))
      expect(flush).toHaveBeenCalledOnce()
      await store.putRecord(record)
      expect(flush).toHaveBeenCalledTimes(2)
      // Nothing of this waits for the disk on the thread that answers, so that it is never told to.
      expect(asked()).toEqual([])
      await store.erase({ id: 'e1', owner, at: 0, target: 'person', operations: [] })
      expect(asked()).toEqual(['synchronous = 2'])
    } finally {
      pragma.mockRestore()
      flush.mockRestore()
      await store.close()
      rmSync(folder, { recursive: true })
    }
  })
})

describe('turns that are acknowledged', () => {
  it('are on the disk by then, which is waited for while others read, and before the file is closed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keepsake-'))
    const store = await openSqliteStore({ path: join(folder, 'memory.db') })
    const scope = await store.ensureScope(ADA)
    const disk = Promise.withResolvers<void>()
    const flush = vi.spyOn(JournalFlush.prototype, 'flush').mockImplementation(() => disk.promise)
    const done: string[] = []
    try {
      const told = store.append(turnOf(scope, 't1', 'I keep bees.')).then(() => done.push('told'))
      // Within its transaction it does not wait: another process may write.
      const other = await openSqliteStore({ path: join(folder, 'memory.db') })
      expect(await other.turns({ owner: scope.owner })).toHaveLength(1)
      await other.close()
      const closed = store.close().then(() => done.push('closed'))
      const askTurns = () => store.turns({ owner: scope.owner }).catch((error: unknown) => error)
      await expect.poll(askTurns).toBeInstanceOf(ClosedError)
      expect(done).toEqual([])
      disk.resolve()
      await Promise.all([told, closed])
      expect(done).toEqual(['told', 'closed'])
    } finally {
      disk.resolve()
      flush.mockRestore()
      await store.close()
      rmSync(folder, { recursive: true })
    }
  })
})

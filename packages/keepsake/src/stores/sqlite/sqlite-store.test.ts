import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../store.ts'
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

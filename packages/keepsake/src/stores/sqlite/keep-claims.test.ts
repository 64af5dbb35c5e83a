import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ScopeRow } from '../../scopes/scope.ts'
import { ADA, commitOf, jobOf } from '../contract/samples.ts'
import type { Store } from '../store.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

const REQUEST = { leaseMs: 30_000, leaveMs: 500 }
/** When {@link jobOf} says that its jobs were queued. */
const QUEUED_AT = 3_000

describe('work that another process on the file queued', () => {
  let folder: string
  let now: number
  let one: Store
  let other: Store
  let ada: ScopeRow

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keepsake-'))
    const path = join(folder, 'memory.db')
    now = QUEUED_AT
    one = await openSqliteStore({ path, now: () => now })
    other = await openSqliteStore({ path, now: () => now })
    ada = await one.ensureScope(ADA)
    await one.commit({ ...commitOf(ada, []), queueJobs: [jobOf(ada, 'j1')] })
  })

  afterEach(async () => {
    await one.close()
    await other.close()
    rmSync(folder, { recursive: true })
  })

  const outcome = async (store: Store, request = REQUEST) => (await store.claim(request)).outcome

  it('is left to it, which has its person in memory', async () => {
    expect(await outcome(other)).toBe('held')
    expect(await outcome(one)).toBe('claimed')
  })

  it('is not waited behind: what a process queued itself is its own to do', async () => {
    const bob = await other.ensureScope({ ...ADA, user: 'bob' })
    await other.commit({ ...commitOf(bob, []), queueJobs: [jobOf(bob, 'j2')] })
    const claimed = await other.claim(REQUEST)
    expect(claimed).toMatchObject({ outcome: 'claimed', claim: { owner: bob.owner } })
  })

  it('goes to whoever asks for that person, or does not care', async () => {
    const asked = await other.claim({ ...REQUEST, owner: ada.owner })
    expect(asked.outcome).toBe('claimed')
    if (asked.outcome === 'claimed') await other.release(asked.claim.id)
    expect((await other.claim({ leaseMs: 30_000 })).outcome).toBe('claimed')
  })

  it('is done by another once it is closed, or has left it for ten seconds', async () => {
    now = QUEUED_AT + 10_000
    expect(await outcome(other)).toBe('held')
    now += 1
    expect(await outcome(other)).toBe('claimed')
  })

  it('is done by another at once when it is gone', async () => {
    await one.close()
    expect(await outcome(other)).toBe('claimed')
  })

  it('is not left for years where its clock ran ahead', async () => {
    now = QUEUED_AT - 1
    expect(await outcome(other)).toBe('claimed')
  })
})

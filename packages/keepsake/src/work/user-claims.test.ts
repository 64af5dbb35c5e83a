import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ADA, commit, commitOf, jobOf } from '../store/contract/samples.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { UserClaims } from './user-claims.ts'
const LEASE_MS = 450

async function open() {
  const store = await openSqliteStore({ path: ':memory:' })
  onTestFinished(() => store.close())
  const ada = await store.ensureScope(ADA)
  const faults: unknown[] = []
  const claims = new UserClaims(store, (error) => faults.push(error), LEASE_MS)
  return { store, ada, claims, faults }
}

it('holds a person’s work for as long as it lasts, longer than a lease, and gives it back', async () => {
  // A busy machine may stand still for longer than a lease.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { store, ada, claims, faults } = await open()
  await commit(store, { ...commitOf(ada, []), queueJobs: [jobOf(ada, 'j1')] })
  const seen: string[] = []
  const outcome = await claims.next(async ({ userId, scopes }) => {
    expect([userId, scopes]).toEqual([ada.owner, [ada]])
    for (let third = 0; third < 5; third += 1) {
      await vi.advanceTimersByTimeAsync(LEASE_MS / 3)
      seen.push((await store.claimJobs({ leaseMs: 1, userId })).outcome)
    }
    await commit(store, { ...commitOf(ada, []), finishJobs: ['j1'] })
  })
  expect(outcome).toBe('claimed')
  expect(seen).toEqual(Array.from({ length: 5 }, () => 'held'))
  expect(await claims.next(() => Promise.reject(new Error('there is nothing to do')))).toBe('nothing')
  expect(faults).toEqual([])
})

it('has those who want one person’s work take turns, also after a failure', async () => {
  const { store, ada, claims } = await open()
  const order: string[] = []
  const work = (name: string, fails = false) =>
    claims.of(ada.owner, async () => {
      order.push(`${name} begins`)
      await sleep(10)
      order.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const all = await Promise.allSettled([work('one'), work('two', true), work('three')])
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  for (let at = 0; at < order.length; at += 2)
    expect(order[at + 1]).toBe(order[at]?.replace('begins', 'ends'))
  expect((await store.claimJobs({ leaseMs: 1, userId: ada.owner })).outcome).toBe('claimed')
})

it('tells where a claim could not be given back', async () => {
  const { store, ada, claims, faults } = await open()
  await claims.of(ada.owner, () => store.close())
  expect(faults).toMatchObject([{ code: 'closed' }])
})

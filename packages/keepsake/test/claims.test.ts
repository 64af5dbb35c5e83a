import { expect, it, vi } from 'vitest'
import { openMemory, openSqliteStore } from 'keepsake'
import type { Store } from 'keepsake/store'
import { openForTest } from './open-for-test.ts'
import { temporaryFile } from './temporary-file.ts'

const BEES = { role: 'user', text: 'My name is Ana and I keep bees.' } as const

it('takes up what another opening of the file queued and left, without a restart', async () => {
  const path = temporaryFile()
  const here = await openForTest({ path })
  const other = await openMemory({ path })
  await other.scope({ user: 'ana' }).remember(BEES)
  await other.close()
  const ana = here.scope({ user: 'ana' })
  await expect.poll(() => ana.memories({ forms: ['utterance'] })).toMatchObject([{ text: BEES.text }])
  await expect.poll(() => here.jobs()).toEqual([])
})

it('waits in a drain for whoever is at it, and asks nobody twice', async () => {
  const path = temporaryFile()
  const reached = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let asked = 0
  const arousal = {
    id: 'slow',
    arousal: async (texts: readonly string[]) => {
      asked += 1
      reached.resolve()
      await gate.promise
      return texts.map(() => 3)
    },
  }
  const here = await openForTest({ path, arousal })
  const other = await openForTest({ path, arousal })
  await here.scope({ user: 'ana' }).remember(BEES)
  await reached.promise
  const order: string[] = []
  const draining = other
    .scope({ user: 'ana' })
    .drain()
    .then(() => order.push('drained'))
  setTimeout(() => {
    order.push('opened')
    gate.resolve()
  }, 60)
  await draining
  expect(order).toEqual(['opened', 'drained'])
  expect(asked).toBe(1)
  expect(await other.jobs()).toEqual([])
})

it('gives a claim back when the work fails, and tries again only when its time has come', async () => {
  const path = temporaryFile()
  const isAway = { now: true }
  const arousal = {
    id: 'away',
    arousal: (texts: readonly string[]) => {
      if (isAway.now) throw new Error('the arousal model is away')
      return texts.map(() => 3)
    },
  }
  const keepsake = await openForTest({ path, arousal })
  await keepsake.scope({ user: 'ana' }).remember(BEES)
  await keepsake.drain()
  expect(await keepsake.jobs()).toMatchObject([{ state: 'queued', attempts: 1 }])
  const store = await openSqliteStore({ path })
  expect(await store.claimJobs({ leaseMs: 1 })).toEqual({ outcome: 'nothing' })
  await store.close()
  isAway.now = false
  await expect.poll(() => keepsake.jobs()).toEqual([])
})

it('parks a segment of a branch that its preset does not have', async () => {
  const keepsake = await openForTest({ preset: 'naive-rag' })
  const lines = [
    { row: 'keepsake-export', format: 1, tenant: 'default', user: 'ana' },
    { row: 'scope', scope: 1, agent: null, app: null },
    {
      row: 'job',
      id: 'j1',
      kind: 'read-segment',
      scope: 1,
      session: null,
      at: 1,
      branch: 'facts',
      from: 0,
      to: 2,
      state: 'queued',
      attempts: 0,
      reason: null,
      answer: null,
    },
  ]
  await keepsake.import(lines.map((line) => JSON.stringify(line)))
  await keepsake.drain()
  expect(await keepsake.jobs()).toMatchObject([
    { id: 'j1', state: 'parked', attempts: 1, reason: expect.stringContaining('naive-rag') },
  ])
})

it('looks when the store notifies of work, and watches no more once it is closed', async () => {
  const store = await openSqliteStore({ path: ':memory:' })
  const listeners = new Set<Parameters<Store['watch']>[0]>()
  const claim = vi.spyOn(store, 'claimJobs')
  store.watch = (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const keepsake = await openMemory({ store })
  await keepsake.drain()
  expect(listeners.size).toBe(1)
  const before = claim.mock.calls.length
  for (const notify of listeners) notify(null)
  await vi.waitFor(() => expect(claim.mock.calls.length).toBeGreaterThan(before))
  await keepsake.close()
  expect(listeners.size).toBe(0)
})

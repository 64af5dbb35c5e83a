import { deepEqual, equal } from 'node:assert/strict'
import { assertHas } from './assert-has.ts'
import type { JobFilter } from '../store.ts'
import type { StoreCases } from './cases.ts'
import { addOf, ADA, commit, commitOf, jobOf, turnOf, UNREAD, unreadSegmentOf } from './samples.ts'

export const jobCases: StoreCases = {
  part: 'jobs',
  cases: {
    'keeps jobs until they are finished, without doubling one that waits': async ({ store, ada }) => {
      const { owner } = ada
      const ids = async (query?: object): Promise<string[]> =>
        (await store.listJobs(query)).map(({ id }) => id)
      const first = [jobOf(ada, 'j1'), jobOf(ada, 'j2'), jobOf(ada, 'j3', 's1')]
      await store.append(turnOf(ada, 't1', 'one', {}, first))
      deepEqual(await ids(), ['j1', 'j3'])
      const failed = { state: 'parked', attempts: 3, reason: 'no answer' } as const
      await store.updateJob(ada.owner, 'j1', failed)
      await store.append(turnOf(ada, 't2', 'two', {}, [jobOf(ada, 'j4')]))
      deepEqual(await ids({ owner, state: 'queued' }), ['j3', 'j4'])
      deepEqual(await store.listJobs({ state: 'parked' }), [
        { ...UNREAD, ...jobOf(ada, 'j1'), owner, ...failed },
      ])
      const finishJobs = ['j1', 'j4', 'gone']
      await commit(store, { ...commitOf(ada, []), finishJobs, queueJobs: [jobOf(ada, 'j5')] })
      deepEqual(await ids(), ['j3', 'j5'])
    },

    'lists jobs page by page, even if some are finished in between': async ({ store, ada }) => {
      const { owner } = ada
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      for (const [at, id] of [
        [30, 'j5'],
        [10, 'j2'],
        [20, 'j3'],
        [10, 'j1'],
      ] as const)
        await commit(store, { ...commitOf(ada, []), queueJobs: [{ ...jobOf(ada, id, id), at }] })
      await commit(store, { ...commitOf(bob, []), queueJobs: [{ ...jobOf(bob, 'j4'), at: 25 }] })
      const page = async (filter: JobFilter): Promise<string[]> =>
        (await store.listJobs(filter)).map(({ id }) => id)
      deepEqual(await page({ limit: 2 }), ['j1', 'j2'])
      await commit(store, { ...commitOf(ada, []), finishJobs: ['j2'] })
      deepEqual(await page({ after: { at: 10, id: 'j2' }, limit: 2 }), ['j3', 'j4'])
      deepEqual(await page({ after: { at: 25, id: 'j4' } }), ['j5'])
      deepEqual(await page({ after: null, owner }), ['j1', 'j3', 'j5'])
      deepEqual(await page({ after: null, owner, state: 'parked' }), [])
    },

    'parks a segment after an unusable answer of a model, once for each branch and segment': async ({
      store,
      ada,
    }) => {
      const parked = unreadSegmentOf(ada, 'j1', 20, 'Sure! Here is\0 what I found')
      const alike = { ...parked, id: 'j2', answer: 'another answer' }
      const others = [
        { ...parked, id: 'j3', branch: 'story' },
        { ...parked, id: 'j4', from: 5 },
        { ...parked, id: 'j5', to: 30 },
        { ...parked, id: 'j6', state: 'queued' as const },
      ]
      await commit(store, { ...commitOf(ada, []), queueJobs: [parked, alike, ...others] })
      const { owner } = ada
      const kept = [parked, ...others].map((job) => ({ ...job, owner, nextTryAt: null }))
      deepEqual(await store.listJobs({ owner }), kept)
      assertHas(await store.listJobs({ state: 'queued' }), [{ id: 'j6' }])
    },

    'stores the results of a job once: the second commit conflicts': async ({ store, ada }) => {
      await commit(store, { ...commitOf(ada, []), queueJobs: [jobOf(ada, 'j1')] })
      const decidedOn = await store.revision(ada.owner)
      const first = commitOf(ada, [addOf(ada, 'm1', 'plain', [])])
      equal((await store.commit({ ...first, finishJobs: ['j1'] }, decidedOn)).outcome, 'committed')
      const second = commitOf(ada, [addOf(ada, 'm2', 'again', [])])
      equal((await store.commit({ ...second, finishJobs: ['j1'] }, decidedOn)).outcome, 'conflict')
      assertHas(await store.listMemories({ userId: ada.owner }), [{ memory: { id: 'm1' } }])
    },

    'lists when a job is tried next': async ({ store, ada }) => {
      const { owner } = ada
      const before = Date.now() - 60_000
      await store.append(turnOf(ada, 't1', 'one', {}, [jobOf(ada, 'j1')]))
      assertHas(await store.listJobs(), [{ id: 'j1', nextTryAt: null }])
      const waiting = { state: 'queued', attempts: 0, reason: 'away', delayMs: 3_600_000 } as const
      await store.updateJob(owner, 'j1', waiting)
      for (const filter of [{}, { owner, state: 'queued' as const }]) {
        const [job] = await store.listJobs(filter)
        const waitMs = (job?.nextTryAt ?? 0) - before
        equal(waitMs >= 3_600_000 && waitMs < 3_720_000, true)
      }
      await store.updateJob(owner, 'j1', { ...waiting, state: 'parked' })
      assertHas(await store.listJobs(), [{ id: 'j1', nextTryAt: null }])
    },

    'keeps the answer of a job until another is given': async ({ store, ada }) => {
      await commit(store, { ...commitOf(ada, []), queueJobs: [unreadSegmentOf(ada, 'j1', 20, 'first')] })
      const failedAgain = { state: 'parked', attempts: 1, reason: 'again' } as const
      await store.updateJob(ada.owner, 'j1', { state: 'queued', attempts: 0, reason: null })
      assertHas(await store.listJobs(), [{ state: 'queued', attempts: 0, reason: null, answer: 'first' }])
      await store.updateJob(ada.owner, 'j1', { ...failedAgain, answer: 'second' })
      assertHas(await store.listJobs(), [{ ...failedAgain, answer: 'second' }])
      await store.updateJob(ada.owner, 'j1', { ...failedAgain, answer: null })
      assertHas(await store.listJobs(), [{ ...failedAgain, answer: null }])
      await store.updateJob(ada.owner, 'gone', { ...failedAgain, answer: 'late' })
      equal((await store.listJobs()).length, 1)
    },
  },
}

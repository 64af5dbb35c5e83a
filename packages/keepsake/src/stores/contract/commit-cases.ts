import { deepEqual, equal, rejects } from 'node:assert/strict'
import type { CommitRequest } from '../store.ts'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import { ADA, addOf, commitOf, documentOf, memoryOf, operationOf, turnOf } from './samples.ts'

export const commitCases: StoreCases = {
  part: 'commits',
  cases: {
    'finds memories by scope, status, form, session and evidence': async ({ store, ada }) => {
      const { owner } = ada
      await store.append(turnOf(ada, 't1', 'one'))
      await store.append({ ...turnOf(ada, 't2', 'two'), session: 's2' })
      await store.commit(
        commitOf(ada, [
          addOf(ada, 'm1', 'one', ['t1']),
          addOf(ada, 'm2', 'two', ['t2'], { session: 's2', form: 'fact' }),
          addOf(ada, 'm3', 'api', [], { session: 'nowhere' }),
        ]),
      )
      const ids = async (query: object): Promise<string[]> =>
        (await store.memories({ owner, ...query })).map(({ memory }) => memory.id)
      deepEqual(await ids({}), ['m1', 'm2', 'm3'])
      deepEqual(await ids({ evidenceTurns: ['t2'] }), ['m2'])
      deepEqual(await ids({ session: 's2' }), ['m2'])
      deepEqual(await ids({ session: 'nowhere' }), ['m3'])
      deepEqual(await ids({ forms: ['fact'] }), ['m2'])
      deepEqual(await ids({ statuses: ['deleted'] }), [])
      deepEqual(await ids({ ids: ['m3', 'm1'] }), ['m1', 'm3'])
      deepEqual(await ids({ scopes: [ada.scope + 1] }), [])
    },

    'gives memories back as they were committed': async ({ store, ada }) => {
      const signals = { arousal: 3.25, surprise: 80.5, importance: 4 }
      const add = addOf(ada, 'm1', '她养了一只猫', [], { key: 'pet', value: 'cat', signals })
      await store.commit(commitOf(ada, [add]))
      const portrait = addOf(ada, 'm2', 'keeps a cat', [], { form: 'portrait', sources: ['m1'] })
      await store.commit(commitOf(ada, [portrait], [add]))
      deepEqual(await store.memories({ owner: ada.owner }), [
        { memory: memoryOf(add), sequence: 1 },
        { memory: memoryOf(portrait), sequence: 2 },
      ])
      const [found] = await store.memories({ owner: ada.owner, forms: ['portrait'] })
      assertHas(found, { memory: { id: 'm2', sources: ['m1'] } })
    },

    'says on what there was a conflict, and changes nothing': async ({ store, ada }) => {
      const { owner } = ada
      const known = addOf(ada, 'm1', 'one', ['t1'])
      const behind = { progress: [{ branch: 'pairs', from: 0, to: 1 }] }
      await store.append(turnOf(ada, 't1', 'one'))
      await store.commit({ ...commitOf(ada, [known]), ...behind })
      const forget = operationOf(ada, 'forget', 'm1', { status: 'forgotten' })
      await store.commit(commitOf(ada, [forget], [known]))
      const all = async (): Promise<unknown> => [
        await store.stats(),
        await store.version(owner),
        await store.operations({ owner }),
        await store.memories({ owner }),
      ]
      const before = await all()
      const { revision } = await store.version(owner)
      const changed = { expect: [{ memory: 'm1', sequence: 1 }] }
      const stale: readonly [on: string, expectation: Partial<CommitRequest>][] = [
        ['epoch', { epoch: 1, expectJobs: ['gone'] }],
        ['job', { expectJobs: ['gone'], ...behind }],
        ['progress', { ...behind, ...changed }],
        ['progress', { lastPosition: 0, ...changed }],
        ['memory', { lastPosition: 1, ...changed }],
        ['memory', { revision: revision - 1 }],
        ['progress', { revision: revision - 1, ...behind }],
        ['memory', { expect: [{ memory: 'unknown', sequence: 9 }] }],
        ['memory', commitOf(ada, [forget], [known])],
        ['memory', commitOf(ada, [addOf(ada, 'm1', 'made twice', [])])],
      ]
      for (const [on, expectation] of stale) {
        const request = { ...commitOf(ada, [addOf(ada, 'm2', 'two', ['t1'])]), ...expectation }
        assertHas(await store.commit(request), { outcome: 'conflict', on })
      }
      deepEqual(await all(), before)
      const current = {
        revision,
        expect: [{ memory: 'm1', sequence: 2 }],
        progress: [{ branch: 'pairs', from: 1, to: 1 }],
      }
      const request = { ...commitOf(ada, [addOf(ada, 'm2', 'two', ['t1'])]), ...current }
      equal((await store.commit(request)).outcome, 'committed')
    },

    'applies a commit whole or not at all': async ({ store, ada }) => {
      const add = addOf(ada, 'm1', 'one', [])
      const endSessions = [{ session: 'unknown', at: 1 }]
      await rejects(store.commit({ ...commitOf(ada, [add]), endSessions }), { code: 'not-found' })
      const documents = [{ id: 'unknown', kind: 'memory' as const, ...documentOf('x') }]
      await rejects(store.commit({ ...commitOf(ada, [add]), documents }), /unknown/)
      await rejects(store.commit({ ...commitOf(ada, [add]), memories: [] }), /m1/)
      await rejects(store.commit({ ...commitOf(ada, []), memories: [memoryOf(add)] }), /m1/)
      assertHas(await store.stats(), { operations: 0, memories: { live: 0 } })
      deepEqual(await store.version(ada.owner), { revision: 0, epoch: 0 })
    },

    'makes several commits at once, each judged for itself, where it can': async ({ store, ada }) => {
      if (store.commitAll === undefined) return
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      const taken = commitOf(ada, [addOf(ada, 'm1', 'one', [])])
      await store.commit(taken)
      const results = await store.commitAll([
        commitOf(ada, [addOf(ada, 'm2', 'two', [])]),
        taken,
        commitOf(bob, [addOf(bob, 'm1', 'three', [])]),
      ])
      assertHas(results, [
        { outcome: 'committed', operations: [{ sequence: 2 }] },
        { outcome: 'conflict', on: 'memory' },
        { outcome: 'committed', operations: [{ sequence: 1 }] },
      ])
      assertHas(await store.memories({ owner: ada.owner }), [
        { memory: { id: 'm1' } },
        { memory: { id: 'm2' } },
      ])
      assertHas(await store.memories({ owner: bob.owner }), [{ memory: { text: 'three' } }])
      deepEqual(await store.commitAll([]), [])
    },
  },
}

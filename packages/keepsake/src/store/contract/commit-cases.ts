import { deepEqual, equal, rejects } from 'node:assert/strict'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import { addOf, commit, commitOf, documentOf, eraseOf, memoryOf, turnOf, usageOf } from './samples.ts'

export const commitCases: StoreCases = {
  part: 'commits',
  cases: {
    'finds memories by scope, status, form, session and evidence': async ({ store, ada }) => {
      const userId = ada.owner
      await store.append(turnOf(ada, 't1', 'one'))
      await store.append({ ...turnOf(ada, 't2', 'two'), session: 's2' })
      await commit(
        store,
        commitOf(ada, [
          addOf(ada, 'm1', 'one', ['t1']),
          addOf(ada, 'm2', 'two', ['t2'], { session: 's2', form: 'fact' }),
          addOf(ada, 'm3', 'api', [], { session: 'nowhere' }),
        ]),
      )
      const ids = async (query: object): Promise<string[]> =>
        (await store.listMemories({ userId, ...query })).map(({ memory }) => memory.id)
      deepEqual(await ids({}), ['m1', 'm2', 'm3'])
      deepEqual(await ids({ evidenceTurns: ['t2'] }), ['m2'])
      deepEqual(await ids({ ids: ['m3', 'm1'] }), ['m1', 'm3'])
      deepEqual(await ids({ scopes: [ada.scope + 1] }), [])
    },

    'returns memories as they were committed': async ({ store, ada }) => {
      const signals = { arousal: 3.25, surprise: 80.5, importance: 4 }
      const add = addOf(ada, 'm1', '她养了一只猫', [], { key: 'pet', value: 'cat', signals })
      await commit(store, commitOf(ada, [add]))
      const portrait = addOf(ada, 'm2', 'keeps a cat', [], { form: 'portrait', sources: ['m1'] })
      await commit(store, commitOf(ada, [portrait], [add]))
      deepEqual(await store.listMemories({ userId: ada.owner }), [
        { memory: memoryOf(add), sequence: 1 },
        { memory: memoryOf(portrait), sequence: 2 },
      ])
      const [found] = await store.listMemories({ userId: ada.owner, ids: ['m2'] })
      assertHas(found, { memory: { id: 'm2', sources: ['m1'] } })
    },

    'conflicts with any change since the decision, and stores nothing': async ({ store, ada }) => {
      const userId = ada.owner
      const oldRevisions = [await store.revision(userId)]
      await store.append(turnOf(ada, 't1', 'one'))
      oldRevisions.push(await store.revision(userId))
      await commit(store, commitOf(ada, [addOf(ada, 'm1', 'one', ['t1'])]))
      oldRevisions.push(await store.revision(userId))
      await commit(store, { ...commitOf(ada, []), progress: [{ branch: 'pairs', position: 1 }] })
      oldRevisions.push(await store.revision(userId))
      await store.erase(eraseOf(ada, ['t1'], ['m1']))
      const readAll = async (): Promise<unknown> => [
        await store.stats({ userId }),
        await store.loadUser({ userId, afterRevision: 0 }),
        await store.listOperations({ userId }),
      ]
      const before = await readAll()
      const revision = await store.revision(userId)
      const change = commitOf(ada, [addOf(ada, 'm2', 'two', [])])
      for (const expected of oldRevisions)
        deepEqual(await store.commit(change, expected), { outcome: 'conflict', revision })
      deepEqual(await readAll(), before)
      const committed = await store.commit(change, revision)
      assertHas(committed, { outcome: 'committed', revision: revision + 1, operations: [{ sequence: 3 }] })
      deepEqual(await store.revision(userId), revision + 1)
    },

    'does not conflict with documents and usage that were saved since': async ({ store, ada }) => {
      const userId = ada.owner
      await commit(store, commitOf(ada, [addOf(ada, 'm1', 'one', [])]))
      const decidedOn = await store.revision(userId)
      await store.saveDocuments(userId, [{ id: 'm1', kind: 'memory', ...documentOf('one') }])
      await store.addUsage(userId, [usageOf('m1', 'first', 1)])
      const change = commitOf(ada, [addOf(ada, 'm2', 'two', [])])
      equal((await store.commit(change, decidedOn)).outcome, 'committed')
    },

    'applies a commit whole or not at all': async ({ store, ada }) => {
      const add = addOf(ada, 'm1', 'one', [])
      const endSessions = [{ session: 'unknown', at: 1 }]
      await rejects(commit(store, { ...commitOf(ada, [add]), endSessions }), { code: 'not-found' })
      const documents = [{ id: 'unknown', kind: 'memory' as const, ...documentOf('x') }]
      await rejects(commit(store, { ...commitOf(ada, [add]), documents }), /unknown/)
      await rejects(commit(store, { ...commitOf(ada, [add]), memories: [] }), /m1/)
      await rejects(commit(store, { ...commitOf(ada, []), memories: [memoryOf(add)] }), /m1/)
      assertHas(await store.stats(), { operations: 0, memories: { live: 0 } })
      equal(await store.revision(ada.owner), 0)
    },
  },
}

import { deepEqual } from 'node:assert/strict'
import { projectLog } from '../../memories/apply-operation.ts'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import { addOf, commitOf, operationOf } from './samples.ts'

export const logCases: StoreCases = {
  part: 'log',
  cases: {
    'numbers the log without gaps and finds operations by id, parent, memory and scope': async ({
      store,
      ada,
    }) => {
      const { owner } = ada
      const adds = [addOf(ada, 'm1', 'one', []), addOf(ada, 'm2', 'two', [])]
      await store.commit(commitOf(ada, adds))
      const parent = adds[0]?.id ?? ''
      const cascade = { ...operationOf(ada, 'delete', 'm2', { status: 'deleted' }), parent }
      const touched = [
        { memory: 'm2', rank: 'first' as const },
        { memory: 'm1', rank: 'second' as const },
      ]
      const recalled = { ...operationOf(ada, 'reinforce', null, {}), payload: null, touched }
      await store.commit(commitOf(ada, [cascade, recalled], adds))
      const logged = [...adds, cascade, recalled].map((operation, index) => ({
        ...operation,
        sequence: index + 1,
      }))
      deepEqual(await store.operations({ owner }), logged)
      const sequences = async (query: object): Promise<number[]> =>
        (await store.operations({ owner, ...query })).map(({ sequence }) => sequence)
      deepEqual(await sequences({ memory: 'm1' }), [1, 4])
      deepEqual(await sequences({ memory: 'm2' }), [2, 3, 4])
      deepEqual(await sequences({ parent }), [3])
      deepEqual(await sequences({ ids: [recalled.id] }), [4])
      deepEqual(await sequences({ afterSequence: 1, limit: 2 }), [2, 3])
      deepEqual(await sequences({ scopes: [ada.scope + 1] }), [])
    },

    'keeps memories that are the projection of the log': async ({ store, ada }) => {
      const add = addOf(ada, 'm1', 'lives in Rome', [])
      const modify = operationOf(ada, 'modify', 'm1', { text: 'lives in Paris' })
      const touched = [{ memory: 'm1', rank: 'first' as const }]
      const recalled = { ...operationOf(ada, 'reinforce', null, {}), payload: null, touched }
      await store.commit(commitOf(ada, [add]))
      await store.commit(commitOf(ada, [modify, recalled], [add]))
      const projected = projectLog(await store.operations({ owner: ada.owner }))
      const kept = await store.memories({ owner: ada.owner })
      const memories = kept.map(({ memory }) => memory)
      deepEqual(memories, [...projected.values()])
      assertHas(kept, [{ sequence: 3, memory: { text: 'lives in Paris', use: { first: 1 } } }])
    },
  },
}

import { deepEqual } from 'node:assert/strict'
import { projectLog } from '../../memories/apply-operation.ts'
import type { ExportRow } from '../store.ts'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import { addOf, commit, commitOf, operationOf, reinforceOf } from './samples.ts'

export const logCases: StoreCases = {
  part: 'log',
  cases: {
    'numbers the log without gaps and finds operations by id, parent, memory and scope': async ({
      store,
      ada,
    }) => {
      const userId = ada.owner
      const adds = [addOf(ada, 'm1', 'one', []), addOf(ada, 'm2', 'two', [])]
      await commit(store, commitOf(ada, adds))
      const parent = adds[0]?.id ?? ''
      const cascade = { ...operationOf(ada, 'delete', 'm2', { status: 'deleted' }), parent }
      const touched = [
        { memory: 'm2', rank: 'first' as const },
        { memory: 'm1', rank: 'second' as const },
      ]
      const recalled = { ...operationOf(ada, 'reinforce', null, {}), payload: null, touched }
      await commit(store, commitOf(ada, [cascade, recalled], adds))
      const logged = [...adds, cascade, recalled].map((operation, index) => ({
        ...operation,
        sequence: index + 1,
      }))
      deepEqual(await store.listOperations({ userId }), logged)
      const sequences = async (query: object): Promise<number[]> =>
        (await store.listOperations({ userId, ...query })).map(({ sequence }) => sequence)
      deepEqual(await sequences({ memory: 'm1' }), [1, 4])
      deepEqual(await sequences({ memory: 'm2' }), [2, 3, 4])
      deepEqual(await sequences({ parent }), [3])
      deepEqual(await sequences({ kinds: ['delete', 'reinforce'] }), [3, 4])
      deepEqual(await sequences({ ids: [recalled.id] }), [4])
      deepEqual(await sequences({ afterSequence: 1, limit: 2 }), [2, 3])
      deepEqual(await sequences({ newestFirst: true, limit: 2 }), [4, 3])
      deepEqual(await sequences({ newestFirst: true, beforeSequence: 3 }), [2, 1])
      deepEqual(await sequences({ scopes: [ada.scope + 1] }), [])
    },

    'stores memories that equal the projection of the log': async ({ store, ada }) => {
      const add = addOf(ada, 'm1', 'lives in Rome', [])
      const modify = operationOf(ada, 'modify', 'm1', { text: 'lives in Paris' })
      const touched = [{ memory: 'm1', rank: 'first' as const }]
      const recalled = { ...operationOf(ada, 'reinforce', null, {}), payload: null, touched }
      await commit(store, commitOf(ada, [add]))
      await commit(store, commitOf(ada, [modify, recalled], [add]))
      const projected = projectLog(await store.listOperations({ userId: ada.owner }))
      const kept = await store.listMemories({ userId: ada.owner })
      const memories = kept.map(({ memory }) => memory)
      deepEqual(memories, [...projected.values()])
      assertHas(kept, [{ sequence: 3, memory: { text: 'lives in Paris', use: { first: 1 } } }])
    },

    'keeps the recalls that earlier versions logged': async ({ store, ada, open }) => {
      const add = addOf(ada, 'm1', 'lives in Rome', [])
      const tally = { first: 2, second: 1, rounds: [3, 7], secondAt: 8, lastSession: 2, lastAt: 3000 }
      const recalled = reinforceOf(ada, [{ memory: 'm1', rank: 'first', tally }])
      await commit(store, commitOf(ada, [add, recalled]))
      assertHas(await store.listOperations({ userId: ada.owner, ids: [recalled.id] }), [
        { touched: [{ tally }] },
      ])
      const use = { first: 2, second: 1, rounds: [3, 7], secondAt: 8, lastSession: 2, lastAt: 3000 }
      assertHas(await store.listMemories({ userId: ada.owner }), [{ memory: { use } }])
      const other = await open()
      const rows: ExportRow[] = []
      for await (const row of store.exportUser(ada.owner)) rows.push(row)
      const [first = ada] = await other.importUser(rows)
      assertHas(await other.listMemories({ userId: first.owner }), [{ memory: { use } }])
    },
  },
}

import { deepEqual, equal } from 'node:assert/strict'
import { projectLog } from '../../memories/apply-operation.ts'
import type { NewOperation } from '../../memories/operation.ts'
import type { ExportRow, GatherRequest, Store } from '../store.ts'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import { addOf, commitOf, operationOf, reinforceOf } from './samples.ts'

/** What is in the log no more cannot be gathered a second time. */
async function rejectsGathered(store: Store, request: GatherRequest): Promise<void> {
  equal(await store.gatherOperations?.(request), false)
}

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
      deepEqual(await sequences({ kinds: ['delete', 'reinforce'] }), [3, 4])
      deepEqual(await sequences({ ids: [recalled.id] }), [4])
      deepEqual(await sequences({ afterSequence: 1, limit: 2 }), [2, 3])
      deepEqual(await sequences({ newestFirst: true, limit: 2 }), [4, 3])
      deepEqual(await sequences({ newestFirst: true, beforeSequence: 3 }), [2, 1])
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

    'keeps what several recalls did to a memory together': async ({ store, ada, open }) => {
      const add = addOf(ada, 'm1', 'lives in Rome', [])
      const tally = { first: 2, second: 1, rounds: [3, 7], secondAt: 8, lastSession: 2, lastAt: 3000 }
      const recalled = reinforceOf(ada, [{ memory: 'm1', rank: 'first', tally }])
      await store.commit(commitOf(ada, [add, recalled]))
      assertHas(await store.operations({ owner: ada.owner, ids: [recalled.id] }), [{ touched: [{ tally }] }])
      const use = { first: 2, second: 1, rounds: [3, 7], secondAt: 8, lastSession: 2, lastAt: 3000 }
      assertHas(await store.memories({ owner: ada.owner }), [{ memory: { use } }])
      const other = await open()
      const rows: ExportRow[] = []
      for await (const row of store.exportRows(ada.owner)) rows.push(row)
      const [first = ada] = await other.importRows(rows)
      assertHas(await other.memories({ owner: first.owner }), [{ memory: { use } }])
    },

    'puts one strengthening in the place of several, where it can': async ({ store, ada, open }) => {
      if (store.gatherOperations === undefined) return
      const { owner, scope } = ada
      const add = addOf(ada, 'm1', 'lives in Rome', [])
      const recalls = [1, 2, 3].map((round) => ({
        ...reinforceOf(ada, [{ memory: 'm1', rank: 'first' }]),
        round,
      }))
      const [first, second, third] = recalls as [NewOperation, NewOperation, NewOperation]
      const modify = operationOf(ada, 'modify', 'm1', { text: 'lives in Paris' })
      const all = [add, first, second, modify, third]
      await store.commit(commitOf(ada, all))
      const before = { memories: await store.memories({ owner }), version: await store.version(owner) }
      const tally = { first: 2, second: 0, rounds: [1, 2], lastSession: 1, lastAt: 2000 }
      const by = { ...reinforceOf(ada, [{ memory: 'm1', rank: 'first', tally }]), round: 2 }
      const refused = [
        { owner, scope, operations: [first.id, add.id], by },
        { owner, scope, operations: [first.id, 'unknown'], by },
        { owner, scope: scope + 1, operations: [first.id, second.id], by },
        { owner: owner + 1, scope, operations: [first.id, second.id], by },
      ]
      for (const request of refused) equal(await store.gatherOperations(request), false)
      equal((await store.operations({ owner })).length, 5)
      equal(await store.gatherOperations({ owner, scope, operations: [first.id, second.id], by }), true)
      const log = await store.operations({ owner })
      deepEqual(
        log.map(({ id, sequence }) => [id, sequence]),
        [
          [add.id, 1],
          [by.id, 3],
          [modify.id, 4],
          [third.id, 5],
        ],
      )
      deepEqual({ memories: await store.memories({ owner }), version: await store.version(owner) }, before)
      deepEqual(
        [...projectLog(log).values()],
        before.memories.map(({ memory }) => memory),
      )
      deepEqual(await store.operations({ owner, memory: 'm1' }), log)
      await rejectsGathered(store, { owner, scope, operations: [first.id, third.id], by })
      const other = await open()
      const rows: ExportRow[] = []
      for await (const row of store.exportRows(owner)) rows.push(row)
      const [imported = ada] = await other.importRows(rows)
      const again = await other.memories({ owner: imported.owner })
      deepEqual(
        again.map(({ memory }) => ({ ...memory, scope })),
        before.memories.map(({ memory }) => memory),
      )
      const later = operationOf(ada, 'modify', 'm1', { text: 'lives in Lyon' })
      await store.commit(commitOf(ada, [later], all))
      assertHas((await store.operations({ owner })).slice(-1), [{ id: later.id, sequence: 6 }])
    },
  },
}

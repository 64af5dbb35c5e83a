import { deepEqual, equal, rejects } from 'node:assert/strict'
import { projectLog } from '../../memories/apply-operation.ts'
import type { Metadata } from '@keepsake/text/names'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import { addOf, ADA, commit, commitOf, eraseOf, memoryOf, operationOf, turnOf } from './samples.ts'

const TRIP: Metadata = { topic: 'travel', stars: 4, tags: ['sea', 'Rome'], by: { name: 'Ana' }, done: null }
const MEAL: Metadata = { topic: 'food', stars: 4.5, tags: [], by: { name: 'Bo' }, at: '2026-05-02' }

export const metadataCases: StoreCases = {
  part: 'metadata',
  cases: {
    'returns metadata of turns unchanged': async ({ store, ada }) => {
      const userId = ada.owner
      const odd = { 'ключ "a.b"': ['\0', '👩‍👩‍👧', { $: -0.5e-7 }], list: [], empty: {} }
      await store.append(turnOf(ada, 'trip', 'one', { metadata: TRIP }))
      await store.append(turnOf(ada, 'meal', 'two', { metadata: MEAL }))
      await store.append(turnOf(ada, 'plain', 'three'))
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      await store.append(turnOf(bob, 'odd', '', { metadata: odd }))
      assertHas(await store.listTurns({ userId: bob.owner }), [{ metadata: odd }])
      assertHas(await store.listTurns({ userId }), [
        { metadata: TRIP },
        { metadata: MEAL },
        { metadata: null },
      ])
    },

    'returns metadata of memories as it is after every change': async ({ store, ada }) => {
      const userId = ada.owner
      const adds = [
        addOf(ada, 'trip', '', [], { metadata: TRIP }),
        addOf(ada, 'meal', '', [], { metadata: MEAL }),
        addOf(ada, 'plain', '', []),
      ]
      await commit(store, commitOf(ada, adds))
      assertHas(await store.listMemories({ userId }), [
        { memory: { metadata: TRIP } },
        { memory: { metadata: MEAL } },
        { memory: { metadata: null } },
      ])
      const change = operationOf(ada, 'modify', 'meal', { metadata: { topic: 'rest' } })
      await commit(
        store,
        commitOf(ada, [change, operationOf(ada, 'delete', 'trip', { status: 'deleted' })], adds),
      )
      const kept = (await store.listMemories({ userId })).map(({ memory }) => memory)
      deepEqual(kept, [...projectLog(await store.listOperations({ userId })).values()])
    },

    'allows one live memory of a name in a scope': async ({ store, ada }) => {
      const userId = ada.owner
      const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
      const seat = addOf(ada, 'm1', 'the window', [], { form: 'note', name: 'seat' })
      await commit(store, commitOf(ada, [seat]))
      const again = addOf(ada, 'm2', 'the aisle', [], { form: 'note', name: 'seat' })
      await rejects(commit(store, commitOf(ada, [again])))
      const other = addOf(poet, 'm3', 'the back row', [], { form: 'note', name: 'seat' })
      equal((await commit(store, commitOf(poet, [other]))).outcome, 'committed')
      const named = async (): Promise<unknown> =>
        (await store.listMemories({ userId })).filter(({ memory }) => memory.status === 'live')
      deepEqual(await named(), [
        { memory: memoryOf(seat), sequence: 1 },
        { memory: memoryOf(other), sequence: 2 },
      ])
      await commit(store, commitOf(ada, [operationOf(ada, 'delete', 'm1', { status: 'deleted' })], [seat]))
      assertHas(await named(), [{ memory: { id: 'm3' } }])
      equal((await commit(store, commitOf(ada, [again]))).outcome, 'committed')
      const restore = operationOf(ada, 'restore', 'm1', { status: 'live' })
      const deleted = operationOf(ada, 'delete', 'm1', { status: 'deleted' })
      await rejects(commit(store, commitOf(ada, [restore], [seat, deleted])))
      await store.erase(eraseOf(ada, [], ['m2']))
      assertHas(await named(), [{ memory: { id: 'm3' } }])
    },

    'erases metadata with its turn or memory': async ({ store, ada }) => {
      const userId = ada.owner
      await store.append(turnOf(ada, 't1', 'secret', { metadata: TRIP }))
      await commit(store, commitOf(ada, [addOf(ada, 'm1', 'secret', ['t1'], { metadata: TRIP })]))
      await store.erase(eraseOf(ada, ['t1'], ['m1']))
      deepEqual(await store.listTurns({ userId }), [])
      assertHas(await store.listMemories({ userId }), [
        { memory: { status: 'erased', name: null, metadata: null } },
      ])
    },
  },
}

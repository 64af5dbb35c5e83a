import { deepEqual, equal, rejects } from 'node:assert/strict'
import { projectLog } from '../../memories/apply-operation.ts'
import type { MetadataFilter } from '../../metadata/metadata-filter.ts'
import type { Metadata } from '@keepsake/text/names'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import { addOf, ADA, commit, commitOf, eraseOf, memoryOf, operationOf, turnOf } from './samples.ts'

const TRIP: Metadata = { topic: 'travel', stars: 4, tags: ['sea', 'Rome'], by: { name: 'Ana' }, done: null }
const MEAL: Metadata = { topic: 'food', stars: 4.5, tags: [], by: { name: 'Bo' }, at: '2026-05-02' }

const STARRED: MetadataFilter = { path: 'stars', is: 4 }

/** Filters, and which of a trip, a meal and what has no metadata they mean. */
const FILTERS: readonly [MetadataFilter, readonly string[]][] = [
  [{ path: 'topic', is: 'travel' }, ['trip']],
  [{ path: ['by', 'name'], is: 'Bo' }, ['meal']],
  [{ path: ['tags', 1], is: 'Rome' }, ['trip']],
  [{ path: 'by', is: { name: 'Ana' } }, ['trip']],
  [{ path: 'done', is: null }, ['trip']],
  [{ path: 'done', exists: true }, ['trip']],
  [{ path: 'at', exists: false }, ['trip', 'plain']],
  [{ path: 'topic', in: ['food', 'work'] }, ['meal']],
  [{ path: 'stars', above: 4 }, ['meal']],
  [{ path: 'stars', atLeast: 4, below: 4.5 }, ['trip']],
  [{ path: 'at', atMost: '2026-05-31' }, ['meal']],
  [{ path: 'at', above: 2 }, []],
  [{ path: 'tags', contains: 'sea' }, ['trip']],
  [{ path: 'topic', contains: 'OO', ignoreCase: true }, ['meal']],
  [{ path: 'toString', exists: true }, []],
  [{ not: { path: 'topic', is: 'travel' } }, ['meal', 'plain']],
  [{ any: [STARRED, { path: 'topic', is: 'food' }] }, ['trip', 'meal']],
  [{ all: [] }, ['trip', 'meal', 'plain']],
]

export const metadataCases: StoreCases = {
  part: 'metadata',
  cases: {
    'gives metadata of turns back as it was, and filters by it': async ({ store, ada }) => {
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
      for (const [where, meant] of FILTERS) {
        const found = await store.listTurns({ userId, where })
        deepEqual([where, found.map(({ id }) => id)], [where, meant])
      }
      const any: MetadataFilter = { path: 'stars', exists: true }
      assertHas(await store.listTurns({ userId, where: any, limit: 1 }), [{ id: 'trip' }])
    },

    'filters memories by metadata, of every status, in pages': async ({ store, ada }) => {
      const userId = ada.owner
      const adds = [
        addOf(ada, 'trip', '', [], { metadata: TRIP, type: 'persona' }),
        addOf(ada, 'meal', '', [], { metadata: MEAL }),
        addOf(ada, 'plain', '', []),
      ]
      await commit(store, commitOf(ada, adds))
      const ids = async (query: object): Promise<string[]> =>
        (await store.listMemories({ userId, ...query })).map(({ memory }) => memory.id)
      for (const [where, meant] of FILTERS) deepEqual([where, await ids({ where })], [where, meant])
      assertHas(await store.listMemories({ userId }), [
        { memory: { metadata: TRIP } },
        {},
        { memory: { metadata: null } },
      ])
      deepEqual(await ids({ types: ['event'] }), ['meal', 'plain'])
      deepEqual(await ids({ limit: 2 }), ['trip', 'meal'])
      deepEqual(await ids({ limit: 2, after: 'meal' }), ['plain'])
      const where: MetadataFilter = { path: 'stars', exists: true }
      deepEqual(await ids({ where, after: 'trip', limit: 5 }), ['meal'])
      const change = operationOf(ada, 'modify', 'meal', { metadata: { topic: 'rest' } })
      await commit(
        store,
        commitOf(ada, [change, operationOf(ada, 'delete', 'trip', { status: 'deleted' })], adds),
      )
      deepEqual(await ids({ where: { path: 'topic', in: ['travel', 'rest'] } }), ['trip', 'meal'])
      deepEqual(await ids({ where, statuses: ['live'] }), [])
      const kept = (await store.listMemories({ userId })).map(({ memory }) => memory)
      deepEqual(kept, [...projectLog(await store.listOperations({ userId })).values()])
    },

    'has one live memory of a name in a scope': async ({ store, ada }) => {
      const userId = ada.owner
      const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
      const seat = addOf(ada, 'm1', 'the window', [], { form: 'note', name: 'seat' })
      await commit(store, commitOf(ada, [seat]))
      const again = addOf(ada, 'm2', 'the aisle', [], { form: 'note', name: 'seat' })
      await rejects(commit(store, commitOf(ada, [again])))
      const other = addOf(poet, 'm3', 'the back row', [], { form: 'note', name: 'seat' })
      equal((await commit(store, commitOf(poet, [other]))).outcome, 'committed')
      const named = async (): Promise<unknown> => store.listMemories({ userId, names: ['seat', 'table'] })
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
      assertHas(await store.listMemories({ userId, names: ['seat'] }), [{ memory: { id: 'm3' } }])
    },

    'erases metadata with its turn or memory': async ({ store, ada }) => {
      const userId = ada.owner
      await store.append(turnOf(ada, 't1', 'secret', { metadata: TRIP }))
      await commit(store, commitOf(ada, [addOf(ada, 'm1', 'secret', ['t1'], { metadata: TRIP })]))
      await store.erase(eraseOf(ada, ['t1'], ['m1']))
      const where: MetadataFilter = { path: 'topic', exists: true }
      deepEqual(await store.listTurns({ userId, where }), [])
      deepEqual(await store.listMemories({ userId, where }), [])
      assertHas(await store.listMemories({ userId }), [
        { memory: { status: 'erased', name: null, metadata: null } },
      ])
    },
  },
}

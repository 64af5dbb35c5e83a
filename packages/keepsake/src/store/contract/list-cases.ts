import { equal } from 'node:assert/strict'
import type { MetadataFilter } from '../../metadata/metadata-filter.ts'
import type { MemoryQuery } from '../store.ts'
import type { Given, StoreCases } from './cases.ts'
import { addOf, commit, commitOf, operationOf, turnOf } from './samples.ts'

type Ask = Omit<MemoryQuery, 'userId'>

/** Lists memories made in the order a, b, c, d, e, which is not the one in which they were learned. */
async function openList({ store, ada }: Given) {
  const userId = ada.owner
  await store.append(turnOf(ada, 't1', 'in a session'))
  const adds = [
    addOf(ada, 'a', 'a "learnedAt":9 \0', ['t1'], { learnedAt: 50, metadata: { learnedAt: 1, kind: 'odd' } }),
    addOf(ada, 'b', '\\u0000', [], { learnedAt: 10, validUntil: 200, form: 'note', session: '' }),
    addOf(ada, 'c', '', [], { learnedAt: 40, validUntil: 100, metadata: { kind: 'odd' } }),
    addOf(ada, 'd', '', [], { learnedAt: 40, metadata: { kind: 'even', validUntil: 1 } }),
    addOf(ada, 'e', '', [], {}),
  ]
  await commit(store, commitOf(ada, adds))
  const changes = [operationOf(ada, 'delete', 'a', { status: 'deleted' })]
  const list = async (query: Ask): Promise<string> =>
    (await store.listMemories({ userId, ...query })).map(({ memory }) => memory.id).join('')
  const remove = async (): Promise<unknown> => commit(store, commitOf(ada, changes, adds))
  return { list, remove }
}

export const listCases: StoreCases = {
  part: 'lists',
  cases: {
    'lists memories by when they were learned, equal ones by id, either way': async (given) => {
      const { list, remove } = await openList(given)
      const order = 'learned'
      equal(await list({ order }), 'ebcda')
      equal(await list({ order, newestFirst: true }), 'adcbe')
      equal(await list({ order, after: 'c' }), 'da')
      equal(await list({ order, newestFirst: true, after: 'd', limit: 2 }), 'cb')
      equal(await list({ order, after: 'nobody' }), '')
      await remove()
      equal(await list({ order, newestFirst: true }), 'adcbe')
      equal(await list({ order, newestFirst: true, after: 'a', statuses: ['live'] }), 'dcbe')
      equal(await list({ order: 'made', newestFirst: true }), 'edcba')
    },

    'takes lists of ids that are longer than a statement may hold': async ({ store, ada }) => {
      const userId = ada.owner
      await store.append(turnOf(ada, 't1', 'one'))
      await store.append(turnOf(ada, 't2', 'two'))
      await commit(store, commitOf(ada, [addOf(ada, 'm1', 'one', ['t1']), addOf(ada, 'm2', 'two', ['t2'])]))
      const others = Array.from({ length: 40_000 }, (_, index) => `other-${index}`)
      const turns = await store.listTurns({ userId, ids: [...others, 't2'], limit: 1 })
      equal(turns.map(({ id }) => id).join(), 't2')
      const ids = async (query: object): Promise<string> =>
        (await store.listMemories({ userId, ...query })).map(({ memory }) => memory.id).join()
      equal(await ids({ ids: [...others, 'm2', 'm1'] }), 'm1,m2')
      equal(await ids({ ids: [...others, 'm2', 'm1'], skip: 1, limit: 1 }), 'm2')
      equal(await ids({ evidenceTurns: [...others, 't1'] }), 'm1')
      equal(await ids({ evidenceTurns: ['t1', 't2'], ids: ['m2'] }), 'm2')
    },

    'passes over as many as are asked, by itself or with a filter': async (given) => {
      const { list } = await openList(given)
      const where: MetadataFilter = { path: 'kind', exists: true }
      equal(await list({ skip: 2 }), 'cde')
      equal(await list({ skip: 1, limit: 2 }), 'bc')
      equal(await list({ skip: 5, limit: 2 }), '')
      equal(await list({ skip: 1, limit: 2, order: 'learned', newestFirst: true }), 'dc')
      equal(await list({ skip: 1, limit: 1, where }), 'c')
      equal(await list({ skip: 1, where, order: 'learned' }), 'da')
      equal(await list({ skip: 1, limit: 1, where, after: 'a' }), 'd')
    },

    'lists what holds at a moment, and what was learned between two': async (given) => {
      const { list } = await openList(given)
      equal(await list({ validAt: 99 }), 'abcde')
      equal(await list({ validAt: 100 }), 'abde')
      equal(await list({ validAt: 200 }), 'ade')
      equal(await list({ learnedFrom: 40 }), 'acd')
      equal(await list({ learnedTo: 40 }), 'bcde')
      equal(await list({ learnedFrom: 10, learnedTo: 40, validAt: 150 }), 'bd')
      equal(await list({ learnedTo: 0 }), 'e')
    },
  },
}

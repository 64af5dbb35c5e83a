import { deepEqual, equal } from 'node:assert/strict'
import type { UserRows } from '../store.ts'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import {
  addOf,
  commit,
  commitOf,
  documentOf,
  eraseOf,
  memoryOf,
  operationOf,
  turnOf,
  usageOf,
} from './samples.ts'

/** Lists the ids of loaded rows: `turns | memories | documents`. */
function idsOf({ turns, memories, documents }: UserRows): string {
  const ids = [
    turns.map(({ id }) => id),
    memories.map(({ memory }) => memory.id),
    documents.map(({ id }) => id),
  ]
  return ids.map((list) => list.toSorted().join(' ')).join(' | ')
}

export const loadCases: StoreCases = {
  part: 'loading',
  cases: {
    'loads everything of a user, and then the changes after a revision': async ({ store, ada }) => {
      const { owner: userId, scope } = ada
      const { revision } = await store.append(turnOf(ada, 't1', 'red car'))
      const first = await store.loadUser({ userId, afterRevision: 0 })
      equal(first.revision, revision)
      const turn = {
        scope,
        session: 's1',
        position: 1,
        role: 'user',
        speaker: 'Ada',
        text: 'red car',
        at: 1000,
      }
      assertHas(first, { isWhole: true, erasedRevision: 0, turns: [{ id: 't1', ...turn }], memories: [] })
      deepEqual(first.sessions, await store.listSessions({ userId, scopes: [scope] }))
      deepEqual(first.documents, [{ id: 't1', kind: 'turn', ...documentOf('red car') }])
      const nothing = await store.loadUser({ userId, afterRevision: revision })
      assertHas(nothing, { revision, isWhole: false, turns: [], memories: [], documents: [] })
      const add = addOf(ada, 'm1', 'a red car', ['t1'])
      const documents = [{ id: 'm1', kind: 'memory' as const, ...documentOf('a red car') }]
      await commit(store, {
        ...commitOf(ada, [add]),
        documents,
        progress: [{ branch: 'facts', position: 1 }],
      })
      const next = await store.loadUser({ userId, afterRevision: revision })
      deepEqual([next.isWhole, idsOf(next), next.sequence], [false, ' | m1 | m1', 1])
      deepEqual(next.memories, [{ memory: memoryOf(add), sequence: 1 }])
      deepEqual(next.scopes, [{ ...ada, lastPosition: 1, branches: { facts: 1 } }])
      const whole = await store.loadUser({ userId, afterRevision: 0 })
      equal(idsOf(whole), 't1 | m1 | m1 t1')
    },

    'loads a memory again when it changed, in order of creation': async ({ store, ada }) => {
      const userId = ada.owner
      const adds = ['m1', 'm2', 'm3'].map((id) => addOf(ada, id, id, []))
      await commit(store, commitOf(ada, adds))
      const before = await store.revision(userId)
      const change = operationOf(ada, 'forget', 'm2', { status: 'forgotten' })
      await commit(store, commitOf(ada, [change], adds))
      const next = await store.loadUser({ userId, afterRevision: before })
      assertHas(next.memories, [{ memory: { id: 'm2', status: 'forgotten' }, sequence: 4 }])
      const whole = await store.loadUser({ userId, afterRevision: 0 })
      deepEqual(
        whole.memories.map(({ memory }) => memory.id),
        ['m1', 'm2', 'm3'],
      )
    },

    'loads everything again once content was erased': async ({ store, ada }) => {
      const userId = ada.owner
      await store.append(turnOf(ada, 't1', 'one'))
      await store.append(turnOf(ada, 't2', 'two'))
      const before = await store.revision(userId)
      await store.erase(eraseOf(ada, ['t1'], []))
      const rows = await store.loadUser({ userId, afterRevision: before })
      deepEqual([rows.isWhole, rows.erasedRevision, idsOf(rows)], [true, rows.revision, 't2 |  | t2'])
      const later = await store.loadUser({ userId, afterRevision: rows.revision })
      deepEqual([later.isWhole, idsOf(later)], [false, ' |  | '])
    },

    'replaces documents without bringing back what was erased': async ({ store, ada }) => {
      const userId = ada.owner
      await store.append(turnOf(ada, 't1', 'one'))
      await store.append(turnOf(ada, 't2', 'two'))
      await store.erase(eraseOf(ada, ['t1'], []))
      const before = await store.revision(userId)
      const vector = new Float32Array([1, 2])
      const fresh = { ...documentOf('new terms'), embedder: 'test/2', vector }
      const documents = ['t1', 't2', 'unknown'].map((id) => ({ id, kind: 'turn' as const, ...fresh }))
      equal(await store.saveDocuments(userId, documents), before + 1)
      const rows = await store.loadUser({ userId, afterRevision: before })
      deepEqual([rows.revision, rows.turns, rows.documents], [before + 1, [], [documents[1]]])
    },

    'keeps documents that are not embedded yet': async ({ store, ada }) => {
      const document = { ...documentOf(''), vector: null, embedder: null }
      await store.append(turnOf(ada, 't1', '', { document }))
      const { documents } = await store.loadUser({ userId: ada.owner, afterRevision: 0 })
      assertHas(documents, [{ terms: [], vector: null, embedder: null }])
    },
  },
}

export const usageCases: StoreCases = {
  part: 'usage',
  cases: {
    'adds up usage counters, without a change of revision': async ({ store, ada }) => {
      const userId = ada.owner
      await commit(store, commitOf(ada, [addOf(ada, 'm1', 'one', []), addOf(ada, 'm2', 'two', [])]))
      const revision = await store.revision(userId)
      await store.addUsage(userId, [])
      await store.addUsage(userId, [usageOf('m1', 'first', 1), usageOf('m2', 'second', 1)])
      await store.addUsage(userId, [usageOf('m1', 'first', 2)])
      await store.addUsage(userId, [usageOf('m1', 'second', 3), usageOf('m2', 'first', 1)])
      equal(await store.revision(userId), revision)
      const { usage } = await store.loadUser({ userId, afterRevision: 0 })
      const times = { lastSession: 1 }
      deepEqual(
        usage.toSorted((first, second) => (first.memory < second.memory ? -1 : 1)),
        [
          {
            memory: 'm1',
            tally: { first: 2, second: 1, rounds: [1, 2], secondAt: 3, ...times, lastAt: 2000 },
          },
          // A use in the round of the suppression lifts the suppression.
          {
            memory: 'm2',
            tally: { first: 1, second: 1, rounds: [1], secondAt: null, ...times, lastAt: 1000 },
          },
        ],
      )
      deepEqual((await store.listMemories({ userId, ids: ['m1'] }))[0]?.memory.use.first, 0)
    },

    'counts a round once, and keeps the latest thousand rounds': async ({ store, ada }) => {
      const userId = ada.owner
      await commit(store, commitOf(ada, [addOf(ada, 'm1', 'one', [])]))
      const rounds = Array.from({ length: 1_500 }, (_, index) => 100_000 + index)
      // The two parts overlap by 100 rounds.
      for (const part of [rounds.slice(0, 900), rounds.slice(800)]) {
        const tally = { first: part.length, second: 0, rounds: part, lastSession: 1, lastAt: 5 }
        await store.addUsage(userId, [{ memory: 'm1', tally }])
      }
      const { usage } = await store.loadUser({ userId, afterRevision: 0 })
      assertHas(usage, [{ memory: 'm1', tally: { first: 1_600, rounds: rounds.slice(500) } }])
    },

    'is erased with its memory': async ({ store, ada }) => {
      const userId = ada.owner
      await commit(store, commitOf(ada, [addOf(ada, 'm1', 'one', []), addOf(ada, 'm2', 'two', [])]))
      await store.addUsage(userId, [usageOf('m1', 'first', 1), usageOf('m2', 'first', 1)])
      await store.erase(eraseOf(ada, [], ['m1']))
      assertHas((await store.loadUser({ userId, afterRevision: 0 })).usage, [{ memory: 'm2' }])
    },
  },
}

import { deepEqual, equal } from 'node:assert/strict'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import { addOf, commitOf, documentOf, eraseOf, memoryOf, turnOf } from './samples.ts'

export const indexCases: StoreCases = {
  part: 'index',
  cases: {
    'tells a cache what is newer than it has seen': async ({ store, ada }) => {
      const { owner, scope } = ada
      const { version } = await store.append(turnOf(ada, 't1', 'red car'))
      const first = await store.indexRows(owner, 0)
      deepEqual(first.version, version)
      const said = { session: 's1', position: 1, role: 'user', speaker: 'Ada', at: 1000 }
      assertHas(first.documents, [{ id: 't1', kind: 'turn', scope, ...said, ...documentOf('red car') }])
      assertHas(await store.indexRows(owner, first.version.revision), { documents: [], memories: [] })
      const add = addOf(ada, 'm1', 'a red car', ['t1'])
      const documents = [{ id: 'm1', kind: 'memory' as const, ...documentOf('a red car') }]
      await store.commit({ ...commitOf(ada, [add]), documents })
      const next = await store.indexRows(owner, first.version.revision)
      assertHas(next.documents, [{ id: 'm1', kind: 'memory', session: 's1' }])
      deepEqual(next.memories, [{ memory: memoryOf(add), sequence: 1 }])
    },

    'replaces index rows without bringing back what was erased': async ({ store, ada }) => {
      const { owner } = ada
      await store.append(turnOf(ada, 't1', 'one'))
      await store.append(turnOf(ada, 't2', 'two'))
      await store.erase(eraseOf(ada, ['t1'], []))
      const { version } = await store.indexRows(owner, 0)
      const vector = new Float32Array([1, 2])
      const fresh = { ...documentOf('new terms'), embedder: 'test/2', vector }
      const documents = ['t1', 't2', 'unknown'].map((id) => ({ id, kind: 'turn' as const, ...fresh }))
      const reindexed = await store.reindex(owner, documents)
      deepEqual(reindexed, { ...version, revision: version.revision + 1 })
      deepEqual(await store.version(owner), reindexed)
      const after = await store.indexRows(owner, version.revision)
      assertHas(after.documents, [{ id: 't2', terms: ['new', 'terms'], vector }])
      equal((await store.vectors(owner, ['t1', 't2'], 'test/1')).size, 0)
      deepEqual(await store.vectors(owner, ['t1', 't2'], 'test/2'), new Map([['t2', vector]]))
    },

    'keeps documents that are not embedded yet': async ({ store, ada }) => {
      const document = { ...documentOf(''), vector: null, embedder: null }
      await store.append(turnOf(ada, 't1', '', { document }))
      const { documents } = await store.indexRows(ada.owner, 0)
      assertHas(documents, [{ terms: [], vector: null, embedder: null }])
    },
  },
}

import { deepEqual, equal, notEqual, rejects } from 'node:assert/strict'
import type { StoreCases } from './cases.ts'
import { assertHas } from './assert-has.ts'
import { addOf, ADA, commit, commitOf, operationOf, turnOf } from './samples.ts'

export const scopeCases: StoreCases = {
  part: 'scopes',
  cases: {
    'makes a scope once and finds it by its exact key': async ({ store, ada }) => {
      const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
      deepEqual(await store.ensureScope(ADA), ada)
      equal(poet.owner, ada.owner)
      notEqual(poet.scope, ada.scope)
      deepEqual(await store.findScope({ ...ADA, agent: 'poet' }), poet)
      equal(await store.findScope({ ...ADA, app: 'poet' }), null)
      deepEqual(await store.listScopes({ user: 'ada' }), [ada, poet])
      deepEqual(await store.listScopes({ tenant: 'other' }), [])
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      deepEqual(await store.listScopes({ owner: ada.owner }), [ada, poet])
      deepEqual(await store.listScopes({ owner: bob.owner }), [bob])
      deepEqual(await store.listScopes({ owner: bob.owner, tenant: bob.tenant, user: 'bob' }), [bob])
      deepEqual(await store.listScopes({ owner: bob.owner, tenant: bob.tenant, user: 'ada' }), [])
    },

    'raises the revision when a known user gets a further scope, so that caches load it': async ({
      store,
      ada,
    }) => {
      const { owner } = ada
      const before = await store.revision(owner)
      await store.ensureScope(ADA)
      equal(await store.revision(owner), before)
      const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
      const after = await store.revision(owner)
      equal(after > before, true)
      const { scopes } = await store.loadUser({ userId: owner, afterRevision: before })
      deepEqual(
        scopes.map(({ scope }) => scope),
        [ada.scope, poet.scope],
      )
      const utterance = addOf(ada, 'm1', 'a garden', [])
      equal((await store.commit(commitOf(ada, [utterance]), before)).outcome, 'committed')
    },

    'lists scopes page by page, in order of creation': async ({ store, ada }) => {
      const scopes = [ada]
      for (const user of ['bob', 'cem', 'dan']) scopes.push(await store.ensureScope({ ...ADA, user }))
      const pages = []
      for (let after = 0; ;) {
        const page = await store.listScopes({ after, limit: 3 })
        pages.push(page)
        const last = page.at(-1)
        if (last === undefined) break
        after = last.scope
      }
      deepEqual(pages, [scopes.slice(0, 3), scopes.slice(3), []])
      deepEqual(await store.listScopes({ tenant: ADA.tenant, user: 'bob', after: ada.scope, limit: 9 }), [
        scopes[1],
      ])
      deepEqual(await store.listScopes({ tenant: ADA.tenant, user: 'ada', after: ada.scope }), [])
    },

    'counts the rows of some scopes': async ({ store, ada }) => {
      const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
      await store.append(turnOf(ada, 't1', 'my garden'))
      await store.append(turnOf(poet, 't2', 'my verse'))
      const utterances = ['m1', 'm2'].map((id) => addOf(ada, id, 'a garden', ['t1']))
      await commit(store, commitOf(ada, utterances))
      const deletion = operationOf(ada, 'delete', 'm2', { status: 'deleted' })
      await commit(store, commitOf(ada, [deletion], utterances))
      const kinds = { form: 'utterance', type: 'event' } as const
      const userId = ada.owner
      assertHas(await store.stats({ userId, scopes: [ada.scope] }), {
        sessions: 1,
        turns: 1,
        operations: 3,
        memories: { live: 1, deleted: 1 },
        kinds: [
          { status: 'deleted', ...kinds, count: 1 },
          { status: 'live', ...kinds, count: 1 },
        ],
      })
      const both = await store.stats({ userId, scopes: [ada.scope, poet.scope] })
      assertHas(both, { sessions: 2, turns: 2 })
      assertHas(await store.stats({ userId, scopes: [] }), {
        sessions: 0,
        turns: 0,
        operations: 0,
        kinds: [],
      })
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      equal((await store.stats({ userId: bob.owner, scopes: [ada.scope] })).turns, 0)
    },

    'returns no rows of another user in any query': async ({ store, ada }) => {
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      await store.append(turnOf(ada, 't1', 'my secret garden'))
      await commit(store, commitOf(ada, [addOf(ada, 'm1', 'secret', ['t1'])]))
      const userId = bob.owner
      deepEqual(await store.listTurns({ userId, ids: ['t1'] }), [])
      deepEqual(await store.listTurns({ userId, scopes: [ada.scope] }), [])
      deepEqual(await store.listSessions({ userId, scopes: [ada.scope] }), [])
      deepEqual(await store.listMemories({ userId, ids: ['m1'], scopes: [ada.scope] }), [])
      deepEqual(await store.listMemories({ userId, evidenceTurns: ['t1'] }), [])
      deepEqual(await store.listOperations({ userId, memory: 'm1' }), [])
      const { turns, memories, documents, scopes } = await store.loadUser({ userId, afterRevision: 0 })
      deepEqual([turns, memories, documents], [[], [], []])
      deepEqual(
        scopes.map(({ scope }) => scope),
        [bob.scope],
      )
      const notFound = { code: 'not-found' }
      await rejects(store.append({ ...turnOf(ada, 't2', 'x'), userId }), notFound)
      await rejects(commit(store, { ...commitOf(ada, []), userId }), notFound)
      await store.append({ ...turnOf(bob, 't1', 'another text under the same id') })
      equal((await store.listTurns({ userId: ada.owner }))[0]?.text, 'my secret garden')
    },
  },
}

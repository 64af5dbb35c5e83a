import { deepEqual, equal, notEqual, rejects } from 'node:assert/strict'
import type { StoreCases } from './cases.ts'
import { assertHas } from './assert-has.ts'
import { addOf, ADA, commitOf, operationOf, turnOf } from './samples.ts'

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

    'tells what a request sees, and the version, as it tells them apart': async ({ store, ada }) => {
      // Only stores that can tell both at once do.
      if (store.findSeen === undefined) return
      equal(await store.findSeen({ ...ADA, user: 'nobody' }), null)
      deepEqual(await store.findSeen(ADA), { rows: [ada], version: await store.version(ada.owner) })
      equal(await store.findSeen({ ...ADA, agent: 'poet' }), null)
      const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
      await store.append(turnOf(poet, 't1', 'my verse'))
      const version = await store.version(ada.owner)
      deepEqual(await store.findSeen({ ...ADA, agent: 'poet' }), { rows: [poet], version })
      deepEqual(await store.findSeen(ADA), { rows: [ada, poet], version })
      await store.erase({ id: 'e1', owner: ada.owner, at: 5, target: 'person', operations: [] })
      equal(await store.findSeen(ADA), null)
      const again = await store.ensureScope(ADA)
      deepEqual(await store.findSeen(ADA), { rows: [again], version: await store.version(again.owner) })
    },

    'lists scopes page by page, in order of making': async ({ store, ada }) => {
      const made = [ada]
      for (const user of ['bob', 'cem', 'dan']) made.push(await store.ensureScope({ ...ADA, user }))
      const pages = []
      for (let after = 0; ;) {
        const page = await store.listScopes({ after, limit: 3 })
        pages.push(page)
        const last = page.at(-1)
        if (last === undefined) break
        after = last.scope
      }
      deepEqual(pages, [made.slice(0, 3), made.slice(3), []])
      deepEqual(await store.listScopes({ tenant: ADA.tenant, user: 'bob', after: ada.scope, limit: 9 }), [
        made[1],
      ])
      deepEqual(await store.listScopes({ tenant: ADA.tenant, user: 'ada', after: ada.scope }), [])
    },

    'counts what there is of some scopes': async ({ store, ada }) => {
      const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
      await store.append(turnOf(ada, 't1', 'my garden'))
      await store.append(turnOf(poet, 't2', 'my verse'))
      const facts = ['m1', 'm2'].map((id) => addOf(ada, id, 'a garden', ['t1']))
      await store.commit(commitOf(ada, facts))
      const gone = operationOf(ada, 'delete', 'm2', { status: 'deleted' })
      await store.commit(commitOf(ada, [gone], facts))
      const kinds = { form: 'utterance', type: 'event' } as const
      deepEqual(await store.counts(ada.owner, [ada.scope]), {
        sessions: 1,
        turns: 1,
        operations: 3,
        memories: [
          { status: 'deleted', ...kinds, count: 1 },
          { status: 'live', ...kinds, count: 1 },
        ],
      })
      assertHas(await store.counts(ada.owner, [ada.scope, poet.scope]), { sessions: 2, turns: 2 })
      deepEqual(await store.counts(ada.owner, []), { sessions: 0, turns: 0, operations: 0, memories: [] })
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      deepEqual((await store.counts(bob.owner, [ada.scope])).turns, 0)
    },

    'lists memories from either end': async ({ store, ada }) => {
      const { owner } = ada
      await store.commit(
        commitOf(
          ada,
          ['m1', 'm2', 'm3', 'm4'].map((id) => addOf(ada, id, id, [])),
        ),
      )
      const ids = async (query: object): Promise<string[]> =>
        (await store.memories({ owner, ...query })).map(({ memory }) => memory.id)
      deepEqual(await ids({ newestFirst: true, limit: 2 }), ['m4', 'm3'])
      deepEqual(await ids({ newestFirst: true, after: 'm3', limit: 1 }), ['m2'])
      deepEqual(await ids({ after: 'm3' }), ['m4'])
    },

    'keeps two people apart in every query': async ({ store, ada }) => {
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      await store.append(turnOf(ada, 't1', 'my secret garden'))
      await store.commit(commitOf(ada, [addOf(ada, 'm1', 'secret', ['t1'])]))
      const owner = bob.owner
      deepEqual(await store.turns({ owner, ids: ['t1'] }), [])
      deepEqual(await store.turns({ owner, scopes: [ada.scope] }), [])
      deepEqual(await store.sessions(owner, [ada.scope]), [])
      deepEqual(await store.memories({ owner, ids: ['m1'], scopes: [ada.scope] }), [])
      deepEqual(await store.memories({ owner, evidenceTurns: ['t1'] }), [])
      deepEqual(await store.operations({ owner, memory: 'm1' }), [])
      deepEqual((await store.indexRows(owner, 0)).documents, [])
      equal((await store.vectors(owner, ['t1', 'm1'], 'test/1')).size, 0)
      const notFound = { code: 'not-found' }
      await rejects(store.append({ ...turnOf(ada, 't2', 'x'), owner }), notFound)
      await rejects(store.commit({ ...commitOf(ada, []), owner }), notFound)
      await rejects(store.progress(owner, ada.scope), notFound)
      await store.append({ ...turnOf(bob, 't1', 'another text under the same id') })
      equal((await store.turns({ owner: ada.owner }))[0]?.text, 'my secret garden')
    },
  },
}

import { deepEqual, rejects } from 'node:assert/strict'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import { ADA, commit, commitOf, turnOf } from './samples.ts'

export const turnCases: StoreCases = {
  part: 'turns',
  cases: {
    'returns every character of a turn': async ({ store, ada }) => {
      const long = `${'x'.repeat(1 << 20)}end`
      const texts = ['', 'a\0b', 'שלום עולם', '👩‍👩‍👧‍👦 你好', long, "'; DROP TABLE turns; --"]
      for (const [index, text] of texts.entries()) await store.append(turnOf(ada, `t${index}`, text))
      const expected = texts.map((text) => ({ text }))
      assertHas(await store.listTurns({ userId: ada.owner }), expected)
    },

    'numbers positions by one within the scope, across sessions and scopes': async ({ store, ada }) => {
      const { owner: userId, scope } = ada
      const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
      await store.append(turnOf(ada, 'a', '1'))
      await store.append(turnOf(poet, 'b', '2'))
      await store.append({ ...turnOf(ada, 'c', '3'), session: 's2' })
      await store.append(turnOf(ada, 'd', '4'))
      assertHas(await store.listTurns({ userId }), [
        { id: 'a', scope, position: 1 },
        { id: 'c', scope, position: 2 },
        { id: 'd', scope, position: 3 },
        { id: 'b', scope: poet.scope, position: 1 },
      ])
      const ids = async (query: object): Promise<string[]> =>
        (await store.listTurns({ userId, scopes: [scope], ...query })).map((turn) => turn.id)
      deepEqual(await ids({ afterPosition: 1, limit: 1 }), ['c'])
      deepEqual(await ids({ scopes: [] }), [])
      deepEqual(await ids({ newestFirst: true, limit: 2 }), ['d', 'c'])
      deepEqual(await ids({ newestFirst: true, beforePosition: 3 }), ['c', 'a'])
      deepEqual(await ids({ scopes: undefined, newestFirst: true, limit: 2 }), ['b', 'd'])
      const { scopes } = await store.loadUser({ userId, afterRevision: 0 })
      deepEqual(
        scopes.map(({ lastPosition }) => lastPosition),
        [3, 1],
      )
    },

    'keeps the first and last time of a session, in whatever order turns are appended': async ({
      store,
      ada,
    }) => {
      await store.append(turnOf(ada, 'a', '1', { at: 500 }))
      const { session } = await store.append(turnOf(ada, 'b', '2', { at: 100 }))
      const times = { startedAt: 100, lastAt: 500, endedAt: null }
      deepEqual(session, { scope: ada.scope, id: 's1', number: 1, ...times })
      await store.append({ ...turnOf(ada, 'c', '3'), session: 's2' })
      assertHas(await store.listSessions({ userId: ada.owner, scopes: [ada.scope] }), [
        { id: 's1', number: 1 },
        { id: 's2', number: 2 },
      ])
    },

    'lists sessions in either direction': async ({ store, ada }) => {
      for (const [index, session] of ['s1', 's2', 's3', 's4'].entries())
        await store.append({ ...turnOf(ada, `t${index}`, 'x'), session })
      const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
      await store.append({ ...turnOf(poet, 'p', 'x'), session: 's9' })
      const both = [ada.scope, poet.scope]
      const ids = async (page: object, scopes = [ada.scope]): Promise<string[]> =>
        (await store.listSessions({ userId: ada.owner, scopes, ...page })).map(({ id }) => id)
      deepEqual(await ids({ limit: 2 }), ['s1', 's2'])
      deepEqual(await ids({ limit: 2, newestFirst: true }), ['s4', 's3'])
      deepEqual(await ids({ newestFirst: true, limit: 2 }, both), ['s9', 's4'])
      const latest = { newestFirst: true, limit: 1 }
      deepEqual(await ids(latest), ['s4'])
      // A later turn of an older session does not change the order.
      await store.append({ ...turnOf(ada, 'late', 'x'), session: 's2' })
      deepEqual(await ids(latest), ['s4'])
      deepEqual(await store.listSessions({ userId: ada.owner + 1, scopes: [ada.scope], ...latest }), [])
    },

    'does not store a repeated turn, and opens an ended session again only for a new turn': async ({
      store,
      ada,
    }) => {
      await store.append(turnOf(ada, 'a', 'hello'))
      await commit(store, { ...commitOf(ada, []), endSessions: [{ session: 's1', at: 77 }] })
      const again = await store.append(turnOf(ada, 'a', 'hello', { at: 999 }))
      assertHas(again, { added: [], repeated: ['a'], session: { endedAt: 77 } })
      const turns = [...turnOf(ada, 'a', 'hello').turns, ...turnOf(ada, 'b', 'more').turns]
      const more = await store.append({ ...turnOf(ada, 'b', 'more'), turns })
      assertHas(more, { added: [{ id: 'b' }], repeated: ['a'], session: { endedAt: null }, sequence: 0 })
    },

    'refuses a known id with other content, and stores nothing of that call': async ({ store, ada }) => {
      const conflict = { code: 'turn-conflict' }
      await store.append(turnOf(ada, 'a', 'first'))
      const turns = [...turnOf(ada, 'new', 'x').turns, ...turnOf(ada, 'a', 'second').turns]
      await rejects(store.append({ ...turnOf(ada, 'a', ''), turns }), conflict)
      await rejects(store.append(turnOf(ada, 'a', 'first', { role: 'assistant' })), /"a"/)
      const twice = [...turnOf(ada, 'n', 'one').turns, ...turnOf(ada, 'n', 'two').turns]
      await rejects(store.append({ ...turnOf(ada, 'n', ''), turns: twice }), conflict)
      const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
      await rejects(store.append(turnOf(poet, 'a', 'first')), conflict)
      assertHas(await store.listTurns({ userId: ada.owner }), [{ text: 'first' }])
    },
  },
}

import { deepEqual, equal, rejects } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import { ADA, eraseOf, turnOf } from './samples.ts'

const recordsInOneStore: StoreCases = {
  part: 'records',
  cases: {
    'keeps the last record that was put under a collection and key': async ({ store }) => {
      equal(await store.getRecord('keys', 'k1'), null)
      const first = await store.putRecord({ collection: 'keys', key: 'k1', value: { name: 'bot' } })
      const value = { name: 'Bot\0', n: [1] }
      const second = await store.putRecord({ collection: 'keys', key: 'k1', value })
      await store.putRecord({ collection: 'answers', key: 'k1', value: {} })
      assertHas(first, { collection: 'keys', key: 'k1', value: { name: 'bot' }, owner: null })
      deepEqual(await store.getRecord('keys', 'k1'), second)
      assertHas(second, { value: { name: 'Bot\0', n: [1] } })
      equal(first?.version === second?.version, false)
      equal(await store.removeRecord('keys', 'k1', first?.version), false)
      equal(await store.removeRecord('keys', 'k1'), true)
      equal(await store.removeRecord('keys', 'k1'), false)
      assertHas(await store.getRecord('answers', 'k1'), { value: {} })
    },

    'lists a collection by owner and by prefix of the key, in pages': async ({ store, ada }) => {
      const record = { collection: 'names', value: {} }
      for (const key of ['b/2', 'a/1', 'b', 'b/1', 'c', 'b/\u{1F600}'])
        await store.putRecord({ ...record, key, owner: key === 'a/1' ? ada.owner : null })
      await store.putRecord({ collection: 'others', key: 'b/3', value: {} })
      const keys = async (query: object): Promise<string[]> =>
        (await store.listRecords({ collection: 'names', ...query })).map(({ key }) => key)
      deepEqual(await keys({}), ['a/1', 'b', 'b/1', 'b/2', 'b/\u{1F600}', 'c'])
      deepEqual(await keys({ prefix: 'b/' }), ['b/1', 'b/2', 'b/\u{1F600}'])
      deepEqual(await keys({ owner: ada.owner }), ['a/1'])
      deepEqual(await keys({ after: 'b', limit: 2 }), ['b/1', 'b/2'])
    },

    'replaces a record only if its version is the expected one': async ({ store }) => {
      const record = { collection: 'answers', key: 'k1', value: { n: 1 } }
      const first = await store.putRecord({ ...record, expect: null })
      equal(await store.putRecord({ ...record, expect: null }), null)
      equal(await store.putRecord({ ...record, expect: 'another' }), null)
      deepEqual(await store.getRecord('answers', 'k1'), first)
      const second = await store.putRecord({ ...record, value: { n: 2 }, expect: first?.version ?? '' })
      assertHas(second, { value: { n: 2 } })
      equal(await store.putRecord({ ...record, expect: first?.version ?? '' }), null)
    },

    'lets records expire': async ({ store }) => {
      const record = { collection: 'answers', key: 'k1', value: {} }
      // Long enough that a slow machine still reads the record before it expires.
      await store.putRecord({ ...record, lastsMs: 400 })
      await store.putRecord({ ...record, key: 'k2', lastsMs: 60_000 })
      equal((await store.listRecords({ collection: 'answers' })).length, 2)
      await sleep(450)
      equal(await store.getRecord('answers', 'k1'), null)
      assertHas(await store.listRecords({ collection: 'answers' }), [{ key: 'k2' }])
      equal((await store.putRecord({ ...record, expect: null }))?.key, 'k1')
    },

    'erases the records of an erased user, and stores no new ones for that user': async ({ store, ada }) => {
      const record = { collection: 'answers', value: { user: 'ada' } }
      await store.putRecord({ ...record, key: 'hers', owner: ada.owner })
      await store.putRecord({ ...record, key: 'nobody’s' })
      await store.erase({ id: 'e1', userId: ada.owner, at: 5, target: 'user', operations: [] })
      assertHas(await store.listRecords({ collection: 'answers' }), [{ key: 'nobody’s' }])
      await rejects(store.putRecord({ ...record, key: 'late', owner: ada.owner }), { code: 'not-found' })
      const again = await store.ensureScope(ADA)
      equal((await store.putRecord({ ...record, key: 'new', owner: again.owner }))?.owner, again.owner)
    },

    'removes a user’s expiring records when any content of the user is erased, and keeps the others': async ({
      store,
      ada,
    }) => {
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      const record = { collection: 'answers', value: {} }
      await store.putRecord({ ...record, key: 'bob’s for a while', owner: bob.owner, lastsMs: 60_000 })
      await store.putRecord({ ...record, key: 'hers', owner: ada.owner })
      await store.putRecord({ ...record, key: 'hers for a while', owner: ada.owner, lastsMs: 60_000 })
      await store.putRecord({ ...record, key: 'nobody’s for a while', lastsMs: 60_000 })
      await store.append(turnOf(ada, 't1', 'secret'))
      await store.erase(eraseOf(ada, ['t1'], []))
      const left = (await store.listRecords({ collection: 'answers' })).map(({ key }) => key)
      deepEqual(left, ['bob’s for a while', 'hers', 'nobody’s for a while'])
    },
  },
}

const recordsInTwoStores: StoreCases = {
  part: 'records',
  needsOpenAgain: true,
  cases: {
    'are written once if two stores of the same rows write them, and visible to both at once': async ({
      store,
      openAgain,
    }) => {
      const other = await openAgain()
      const record = { collection: 'answers', key: 'k1', expect: null }
      const puts = [store, other].map((opening, n) => opening.putRecord({ ...record, value: { n } }))
      const [stored] = (await Promise.all(puts)).filter((result) => result !== null)
      deepEqual(await store.getRecord('answers', 'k1'), stored)
      deepEqual(await other.getRecord('answers', 'k1'), stored)
    },
  },
}

export const recordCases: readonly StoreCases[] = [recordsInOneStore, recordsInTwoStores]

import { deepEqual, equal, notEqual, rejects } from 'node:assert/strict'
import type { Metadata } from '@keepsake/text/names'
import { projectLog } from '../../memories/apply-operation.ts'
import { digestName, namesUser } from '../../scopes/erased-name.ts'
import type { ExportRow, Store } from '../store.ts'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import {
  addOf,
  ADA,
  commit,
  commitOf,
  documentOf,
  eraseOf,
  jobOf,
  operationOf,
  turnOf,
  unreadSegmentOf,
} from './samples.ts'

/** Whether the export of a user contains a text. */
async function isInExport(store: Store, userId: number, text: string): Promise<boolean> {
  const rows: ExportRow[] = []
  for await (const row of store.exportUser(userId)) rows.push(row)
  return JSON.stringify(rows).includes(text)
}

export const eraseCases: StoreCases = {
  part: 'erasing',
  cases: {
    'writes a record with an erasure, and none if the erasure is a repeat': async ({ store, ada }) => {
      await store.append(turnOf(ada, 't1', 'secret words'))
      const record = { collection: 'erased', key: 'e1', value: { salt: 'x' } }
      const request = { ...eraseOf(ada, ['t1'], []), record }
      await store.erase(request)
      assertHas(await store.getRecord('erased', 'e1'), { owner: null, value: { salt: 'x' } })
      await store.removeRecord('erased', 'e1')
      await store.erase(request)
      equal(await store.getRecord('erased', 'e1'), null)
      await store.append(turnOf(ada, 't2', 'other words'))
      const eraseAll = { ...eraseOf(ada, [], []), id: 'whole', target: 'user' as const, operations: [] }
      await store.erase({ ...eraseAll, record: { ...record, key: 'e2' } })
      assertHas(await store.getRecord('erased', 'e2'), { owner: null })
    },
    'removes the name of an erased user from records that list users, but not the name of a namesake':
      async ({ store, ada }) => {
        const put = (key: string, value: Metadata) => store.putRecord({ collection: 'keys', key, value })
        await put('alone', { name: 'phone of Ada Lima', users: ['ada'], tenants: null })
        await put('two', { name: 'ada and bo', users: ['ada', 'bo'], tenants: null })
        const namesake = { name: 'ada', users: ['ada'], tenants: ['other'] }
        await put('namesake', namesake)
        const request = { ...eraseOf(ada, [], []), target: 'user' as const, operations: [], salt: 'c2FsdA' }
        await store.erase(request)
        const erased = digestName('c2FsdA', 'ada')
        assertHas(await store.getRecord('keys', 'alone'), { value: { name: 'erased user', users: [erased] } })
        const two = { name: 'erased user and bo', users: [erased, 'bo'] }
        assertHas(await store.getRecord('keys', 'two'), { value: two })
        assertHas(await store.getRecord('keys', 'namesake'), { value: namesake })
        equal(namesUser([erased], 'ada'), true)
        equal(namesUser([erased], 'bo'), false)
      },
    'erases the named turns and memories, and keeps the rest': async ({ store, ada }) => {
      const userId = ada.owner
      await store.append(turnOf(ada, 't1', 'secret words'))
      await store.append(turnOf(ada, 't2', 'plain words'))
      const adds = [addOf(ada, 'm1', 'secret', ['t1']), addOf(ada, 'm2', 'plain', ['t2'])]
      const documents = ['m1', 'm2'].map((id) => ({ id, kind: 'memory' as const, ...documentOf('x') }))
      await commit(store, { ...commitOf(ada, adds), documents })
      const before = await store.revision(userId)
      const receipt = await store.erase(eraseOf(ada, ['t1'], ['m1']))
      const staleChange = commitOf(ada, [addOf(ada, 'm3', 'secret again', [])])
      assertHas(await store.commit(staleChange, before), { outcome: 'conflict' })
      assertHas(receipt, { turns: 1, memories: 1, payloads: 1, documents: 2 })
      notEqual(receipt.purgedAt, null)
      deepEqual(await store.listErasures(userId), [receipt])
      equal(await store.revision(userId), before + 1)
      assertHas(await store.listTurns({ userId }), [{ id: 't2' }])
      const loaded = await store.loadUser({ userId, afterRevision: before })
      assertHas(loaded, { isWhole: true, turns: [{ id: 't2' }] })
      deepEqual(new Set(loaded.documents.map(({ id }) => id)), new Set(['t2', 'm2']))
      const kept = (await store.listMemories({ userId })).map(({ memory }) => memory)
      deepEqual(kept, [...projectLog(await store.listOperations({ userId })).values()])
      assertHas(kept, [
        { id: 'm1', status: 'erased', text: '' },
        { id: 'm2', status: 'live', text: 'plain' },
      ])
      assertHas(await store.listOperations({ userId }), [
        { kind: 'add', payload: null },
        { kind: 'add', payload: { after: { text: 'plain' } } },
        { kind: 'erase', payload: null },
      ])
    },

    'does not store an erased turn again when it comes again': async ({ store, ada }) => {
      await store.append(turnOf(ada, 't1', 'secret'))
      await store.erase(eraseOf(ada, ['t1'], []))
      assertHas(await store.append(turnOf(ada, 't1', 'secret')), { added: [], repeated: ['t1'] })
      await store.saveDocuments(ada.owner, [{ id: 't1', kind: 'turn', ...documentOf('secret') }])
      deepEqual(await store.listTurns({ userId: ada.owner }), [])
      deepEqual((await store.loadUser({ userId: ada.owner, afterRevision: 0 })).documents, [])
    },

    'keeps neither the ids of erased turns nor the ids of sessions without any text': async ({
      store,
      ada,
    }) => {
      const { owner, scope } = ada
      const session = 'talk-with-carolina'
      const append = { ...turnOf(ada, 'turn-of-carolina', 'secret'), session }
      const endJob = { ...jobOf(ada, 'j1'), kind: 'end-session' as const, session }
      await store.append({ ...append, jobs: [endJob] })
      await store.append(turnOf(ada, 't1', 'secret too'))
      await store.append(turnOf(ada, 't2', 'plain'))
      const record = { collection: 'requests', owner }
      await store.putRecord({ ...record, key: 'answer-to-carolina', value: {}, lastsMs: 60_000 })
      await store.putRecord({ ...record, key: 'stays', value: {} })
      await store.erase(eraseOf(ada, ['turn-of-carolina', 't1'], []))
      equal(await isInExport(store, owner, 'carolina'), false)
      equal(await isInExport(store, owner, '"t1"'), false)
      equal(await isInExport(store, owner, '"t2"'), true)
      deepEqual(
        (await store.listRecords({ collection: 'requests' })).map(({ key }) => key),
        ['stays'],
      )
      // The store recognises the erased turn by its hidden id.
      assertHas(await store.append(append), { added: [], repeated: ['turn-of-carolina'] })
      // An erased session may start again under its id, and be erased again.
      for (const id of ['c2', 'c3']) {
        const { session: row } = await store.append({ ...turnOf(ada, id, 'more'), session })
        equal(row.id, session)
        await store.erase(eraseOf(ada, [id], []))
      }
      equal(await isInExport(store, owner, 'carolina'), false)
      const sessions = await store.listSessions({ userId: owner, scopes: [scope] })
      deepEqual(
        sessions.map(({ number }) => number),
        [1, 2, 3, 4],
      )
      equal(sessions.filter(({ id }) => id.startsWith('erased-')).length, 3)
    },

    'refuses to erase a turn without naming every memory that has, or ever had, evidence in it': async ({
      store,
      ada,
    }) => {
      const userId = ada.owner
      await store.append(turnOf(ada, 't1', 'secret'))
      const add = addOf(ada, 'm1', 'secret', ['t1'])
      await commit(store, commitOf(ada, [add]))
      const other = operationOf(ada, 'modify', 'm1', { text: 'other', evidence: [] })
      await commit(store, commitOf(ada, [other], [add]))
      await rejects(store.erase(eraseOf(ada, ['t1'], [])), { code: 'store-busy', isRetryable: true })
      equal((await store.listTurns({ userId })).length, 1)
      assertHas(await store.listMemories({ userId, evidenceTurns: ['t1'] }), [{ memory: { id: 'm1' } }])
    },

    'erases stored answers of models, and stores no answer that was based on erased content': async ({
      store,
      ada,
    }) => {
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      await store.append(turnOf(ada, 't1', 'secret'))
      const revision = await store.revision(ada.owner)
      for (const scope of [ada, bob]) {
        const job = unreadSegmentOf(scope, `j${scope.scope}`, 10, 'the secret')
        await commit(store, { ...commitOf(scope, []), queueJobs: [job] })
      }
      await store.erase(eraseOf(ada, ['t1'], []))
      const readJob = async (): Promise<unknown> => (await store.listJobs({ owner: ada.owner }))[0]
      assertHas(await readJob(), { branch: 'facts', attempts: 2, reason: null, answer: null })
      assertHas(await store.listJobs({ owner: bob.owner }), [{ answer: 'the secret' }])
      const late = {
        state: 'parked',
        attempts: 3,
        reason: 'no "secret" in it',
        answer: 'the secret',
      } as const
      await store.updateJob(ada.owner, `j${ada.scope}`, { ...late, revision })
      assertHas(await readJob(), { attempts: 3, reason: null, answer: null })
      await store.updateJob(ada.owner, `j${ada.scope}`, {
        ...late,
        answer: 'since',
        revision: await store.revision(ada.owner),
      })
      assertHas(await readJob(), { attempts: 3, answer: 'since' })
    },

    'erases a user, whose key then creates a new user': async ({ store, ada }) => {
      const userId = ada.owner
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      await store.append(turnOf(bob, 't1', 'bob stays'))
      await store.append(turnOf(ada, 't1', 'secret', {}, [jobOf(ada, 'j1')]))
      await commit(store, {
        ...commitOf(ada, [addOf(ada, 'm1', 'secret', ['t1'])]),
        progress: [{ branch: 'pairs', position: 1 }],
        queueJobs: [unreadSegmentOf(ada, 'j2', 1, 'the secret')],
      })
      const erasure = { id: 'e1', userId, at: 5, target: 'user' as const, operations: [] }
      const receipt = await store.erase(erasure)
      assertHas(receipt, { turns: 1, memories: 1, payloads: 1, documents: 1 })
      const repeated = await store.erase({ ...erasure, at: 6 })
      deepEqual(repeated, receipt)
      equal(await store.findScope(ADA), null)
      deepEqual(await store.listScopes(), [bob])
      deepEqual(await store.listJobs(), [])
      equal((await store.claimJobs({ leaseMs: 1_000 })).outcome, 'nothing')
      await rejects(store.append(turnOf(ada, 't9', 'late')), { code: 'not-found' })
      const kept = (await store.listMemories({ userId })).map(({ memory }) => memory)
      deepEqual(kept, [...projectLog(await store.listOperations({ userId })).values()])
      const again = await store.ensureScope(ADA)
      notEqual(again.owner, userId)
      equal((await store.append(turnOf(again, 't1', 'a fresh start'))).added.length, 1)
      equal((await store.listTurns({ userId: bob.owner })).length, 1)
      assertHas(await store.stats(), { users: 2, scopes: 2, turns: 2 })
    },
  },
}

import { deepEqual, equal, notEqual, rejects } from 'node:assert/strict'
import { projectLog } from '../../memories/apply-operation.ts'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import {
  addOf,
  ADA,
  commitOf,
  documentOf,
  eraseOf,
  jobOf,
  operationOf,
  turnOf,
  unreadSegmentOf,
} from './samples.ts'

export const eraseCases: StoreCases = {
  part: 'erasing',
  cases: {
    'erases named turns with the memories that rest on them, and keeps the rest': async ({ store, ada }) => {
      const { owner } = ada
      await store.append(turnOf(ada, 't1', 'secret words'))
      await store.append(turnOf(ada, 't2', 'plain words'))
      const adds = [addOf(ada, 'm1', 'secret', ['t1']), addOf(ada, 'm2', 'plain', ['t2'])]
      const documents = ['m1', 'm2'].map((id) => ({ id, kind: 'memory' as const, ...documentOf('x') }))
      await store.commit({ ...commitOf(ada, adds), documents })
      const before = await store.version(owner)
      const receipt = await store.erase(eraseOf(ada, ['t1'], ['m1']))
      const drawnBefore = { ...commitOf(ada, [addOf(ada, 'm3', 'secret again', [])]), epoch: before.epoch }
      assertHas(await store.commit(drawnBefore), { outcome: 'conflict', on: 'epoch' })
      assertHas(receipt, { turns: 1, memories: 1, payloads: 1, documents: 2 })
      const proven = (await store.proven?.(receipt.id, 30_000)) ?? receipt
      deepEqual({ ...receipt, scrubbedAt: proven.scrubbedAt }, proven)
      notEqual(proven.scrubbedAt, null)
      deepEqual(await store.receipts(owner), [proven])
      equal((await store.proven?.('no such', 0)) ?? null, null)
      deepEqual(await store.version(owner), { revision: before.revision + 1, epoch: before.epoch + 1 })
      assertHas(await store.turns({ owner }), [{ id: 't2' }])
      assertHas((await store.indexRows(owner, 0)).documents, [{ id: 't2' }, { id: 'm2' }])
      const kept = (await store.memories({ owner })).map(({ memory }) => memory)
      deepEqual(kept, [...projectLog(await store.operations({ owner })).values()])
      assertHas(kept, [
        { id: 'm1', status: 'erased', text: '' },
        { id: 'm2', status: 'live', text: 'plain' },
      ])
      assertHas(await store.operations({ owner }), [
        { kind: 'add', payload: null },
        { kind: 'add', payload: { after: { text: 'plain' } } },
        { kind: 'erase', payload: null },
      ])
    },

    'does not store an erased turn again when it comes again': async ({ store, ada }) => {
      await store.append(turnOf(ada, 't1', 'secret'))
      await store.erase(eraseOf(ada, ['t1'], []))
      assertHas(await store.append(turnOf(ada, 't1', 'secret')), { added: [], repeated: ['t1'] })
      await store.reindex(ada.owner, [{ id: 't1', kind: 'turn', ...documentOf('secret') }])
      deepEqual(await store.turns({ owner: ada.owner }), [])
      deepEqual((await store.indexRows(ada.owner, 0)).documents, [])
    },

    'refuses to erase a turn on which a memory rests, or ever rested, that was not named': async ({
      store,
      ada,
    }) => {
      const { owner } = ada
      await store.append(turnOf(ada, 't1', 'secret'))
      const add = addOf(ada, 'm1', 'secret', ['t1'])
      await store.commit(commitOf(ada, [add]))
      const other = operationOf(ada, 'modify', 'm1', { text: 'other', evidence: [] })
      await store.commit(commitOf(ada, [other], [add]))
      await rejects(store.erase(eraseOf(ada, ['t1'], [])), { code: 'store-busy', isRetryable: true })
      equal((await store.turns({ owner })).length, 1)
      assertHas(await store.memories({ owner, evidenceTurns: ['t1'] }), [{ memory: { id: 'm1' } }])
    },

    'erases what models answered, and takes no answer to what was erased meanwhile': async ({
      store,
      ada,
    }) => {
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      await store.append(turnOf(ada, 't1', 'secret'))
      const { epoch } = await store.version(ada.owner)
      for (const scope of [ada, bob]) {
        const job = unreadSegmentOf(scope, `j${scope.scope}`, 10, 'the secret')
        await store.commit({ ...commitOf(scope, []), queueJobs: [job] })
      }
      await store.erase(eraseOf(ada, ['t1'], []))
      const adas = async (): Promise<unknown> => (await store.jobs({ owner: ada.owner }))[0]
      assertHas(await adas(), { branch: 'facts', attempts: 2, reason: null, answer: null })
      assertHas(await store.jobs({ owner: bob.owner }), [{ answer: 'the secret' }])
      const late = {
        state: 'parked',
        attempts: 3,
        reason: 'no "secret" in it',
        answer: 'the secret',
      } as const
      await store.updateJob(`j${ada.scope}`, { ...late, epoch })
      assertHas(await adas(), { attempts: 3, reason: null, answer: null })
      await store.updateJob(`j${ada.scope}`, { ...late, answer: 'since', epoch: epoch + 1 })
      assertHas(await adas(), { attempts: 3, answer: 'since' })
    },

    'erases a person, whose key then makes a new one': async ({ store, ada }) => {
      const { owner } = ada
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      await store.append(turnOf(bob, 't1', 'bob stays'))
      await store.append(turnOf(ada, 't1', 'secret', {}, [jobOf(ada, 'j1')]))
      await store.commit({
        ...commitOf(ada, [addOf(ada, 'm1', 'secret', ['t1'])]),
        progress: [{ branch: 'pairs', from: 0, to: 1 }],
        queueJobs: [unreadSegmentOf(ada, 'j2', 1, 'the secret')],
      })
      const person = { id: 'e1', owner, at: 5, target: 'person' as const, operations: [] }
      const receipt = await store.erase(person)
      assertHas(receipt, { turns: 1, memories: 1, payloads: 1, documents: 1 })
      const repeated = await store.erase({ ...person, at: 6 })
      deepEqual({ ...repeated, scrubbedAt: null }, { ...receipt, scrubbedAt: null })
      equal(await store.findScope(ADA), null)
      deepEqual(await store.listScopes(), [bob])
      deepEqual(await store.jobs(), [])
      equal((await store.claim({ leaseMs: 1_000 })).outcome, 'nothing')
      await rejects(store.append(turnOf(ada, 't9', 'late')), { code: 'not-found' })
      const kept = (await store.memories({ owner })).map(({ memory }) => memory)
      deepEqual(kept, [...projectLog(await store.operations({ owner })).values()])
      const again = await store.ensureScope(ADA)
      notEqual(again.owner, owner)
      equal((await store.append(turnOf(again, 't1', 'a fresh start'))).added.length, 1)
      equal((await store.turns({ owner: bob.owner })).length, 1)
      assertHas(await store.stats(), { owners: 2, scopes: 2, turns: 2 })
    },
  },
}

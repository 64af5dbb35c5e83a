import { deepEqual, doesNotMatch, rejects } from 'node:assert/strict'
import type { ExportRow, Store } from '../store.ts'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import {
  addOf,
  ADA,
  commit,
  commitOf,
  eraseOf,
  jobOf,
  operationOf,
  turnOf,
  UNREAD,
  usageOf,
  unreadSegmentOf,
} from './samples.ts'

async function collect(rows: AsyncIterable<ExportRow>): Promise<ExportRow[]> {
  const all: ExportRow[] = []
  for await (const row of rows) all.push(row)
  return all
}

const linesOf = (rows: readonly ExportRow[]) => rows.map((row) => JSON.stringify(row))

/** Lists memories without their scope numbers, which differ from store to store. */
async function listComparable(store: Store, userId: number): Promise<unknown[]> {
  const stored = await store.listMemories({ userId })
  return stored.map(({ memory, sequence }) => ({ ...memory, scope: 0, sequence }))
}

export const exportCases: StoreCases = {
  part: 'export',
  cases: {
    'exports and imports so that a second export is equal byte by byte': async ({ store, ada, open }) => {
      await store.ensureScope({ ...ADA, user: 'someone before' })
      const poet = await store.ensureScope({ ...ADA, agent: 'poet', app: 'web' })
      for (const scope of [poet, ada])
        await store.append(turnOf(scope, `t${scope.scope}`, `text of ${scope.scope}\0`))
      await store.append(turnOf(ada, 'tagged', 'with metadata', { metadata: { topic: 'a\0b' } }))
      await store.append({ ...turnOf(ada, 'gone', 'erased', { metadata: { topic: 'gone' } }), session: 's2' })
      const adds = [addOf(ada, 'm1', 'one', [`t${ada.scope}`]), addOf(poet, 'm2', 'two', [])]
      await commit(store, {
        ...commitOf(ada, adds),
        progress: [{ branch: 'pairs', position: 1 }],
        endSessions: [{ session: 's1', at: 9 }],
      })
      await commit(store, commitOf(ada, [operationOf(ada, 'forget', 'm1', { status: 'forgotten' })], adds))
      await store.erase(eraseOf(ada, ['gone'], []))
      const queueJobs = [jobOf(poet, 'j1', 's1'), unreadSegmentOf(ada, 'j2', 10, 'raw\0 answer')]
      const portrait = addOf(ada, 'm3', 'all told', [], { form: 'portrait', sources: ['m1'] })
      const note = addOf(ada, 'm4', 'the window', [], { form: 'note', name: 'seat', metadata: { n: [1] } })
      const block = addOf(ada, 'm5', 'one\ntwo', [], { form: 'block', name: 'tasks', limit: 500 })
      await commit(store, { ...commitOf(ada, [portrait, note, block]), queueJobs })
      await store.addUsage(ada.owner, [usageOf('m1', 'first', 3), usageOf('m4', 'second', 4)])
      const guidelines = {
        user: { keep: [], never: ['salary'] },
        [poet.scope]: { keep: ['songs'], never: [] },
      }
      const record = { collection: 'guidelines', key: String(ada.owner), owner: ada.owner }
      await store.putRecord({ ...record, value: guidelines })
      const exported = await collect(store.exportUser(ada.owner))
      const other = await open()
      for (let made = 0; made < 3; made += 1) await other.ensureScope({ ...ADA, user: `someone ${made}` })
      const [first = ada] = await other.importUser(exported)
      const again = await collect(other.exportUser(first.owner))
      deepEqual(linesOf(again), linesOf(exported))
      assertHas(await other.getRecord('guidelines', String(first.owner)), {
        owner: first.owner,
        value: { user: { keep: [], never: ['salary'] } },
      })
      deepEqual(await listComparable(other, first.owner), await listComparable(store, ada.owner))
      deepEqual(
        (await other.listJobs()).map((job) => ({ ...job, owner: 0, scope: 0 })),
        queueJobs.map((job) => ({ ...UNREAD, ...job, owner: 0, scope: 0 })),
      )
      assertHas(await other.append(turnOf(first, 'gone', 'erased')), { repeated: ['gone'] })
      assertHas(await other.listMemories({ userId: first.owner, ids: ['m4', 'm5'] }), [
        { memory: { id: 'm4' } },
        { memory: { id: 'm5', form: 'block', limit: 500 } },
      ])
      assertHas(await other.listTurns({ userId: first.owner, ids: ['tagged'] }), [
        { metadata: { topic: 'a\0b' } },
      ])
      await rejects(other.importUser(exported), { code: 'not-possible' })
    },

    'imports an export of an earlier version, without sources of memories and segments of jobs': async ({
      store,
      ada,
      open,
    }) => {
      const missingFields = { branch: undefined, from: undefined, to: undefined, answer: undefined }
      await commit(store, { ...commitOf(ada, [addOf(ada, 'm1', 'one', [])]), queueJobs: [jobOf(ada, 'j1')] })
      const rows = (await collect(store.exportUser(ada.owner))).map((row) =>
        row.row === 'job' ? (JSON.parse(JSON.stringify({ ...row, ...missingFields })) as ExportRow) : row,
      )
      doesNotMatch(JSON.stringify(rows), /sources|branch|answer/)
      const other = await open()
      const [first = ada] = await other.importUser(rows)
      assertHas(await other.listMemories({ userId: first.owner }), [{ memory: { sources: [] } }])
      assertHas(await other.listJobs(), [{ id: 'j1', ...UNREAD }])
    },

    'imports all or nothing': async ({ store, ada, open }) => {
      await store.append(turnOf(ada, 't1', 'one'))
      await commit(store, commitOf(ada, [addOf(ada, 'm1', 'one', ['t1']), addOf(ada, 'm2', 'two', ['t1'])]))
      const rows = await collect(store.exportUser(ada.owner))
      const other = await open()
      const broken: ExportRow[][] = [
        [],
        rows.slice(1),
        rows.filter((row) => row.row !== 'scope'),
        rows.filter((row) => !(row.row === 'operation' && row.sequence === 1)),
        [...rows, ...rows.filter((row) => row.row === 'turn')],
      ]
      for (const lines of broken) await rejects(other.importUser(lines), { code: 'invalid-input' })
      assertHas(await other.stats(), { users: 0, scopes: 0, turns: 0, operations: 0 })
    },

    'refuses every call once closed': async ({ store, ada }) => {
      await store.close()
      await store.close()
      await rejects(store.revision(ada.owner), { code: 'closed' })
      await rejects(store.claimJobs({ leaseMs: 1 }), { code: 'closed' })
    },
  },
}

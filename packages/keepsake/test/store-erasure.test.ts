import { setTimeout as sleep } from 'node:timers/promises'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import type { ScopeRow } from '../src/scopes/scope.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import {
  addOf,
  commit,
  commitOf,
  documentOf,
  eraseOf,
  jobOf,
  operationOf,
  turnOf,
  unreadSegmentOf,
} from '../src/store/contract/samples.ts'
import type { EraseReceipt, EraseRequest, Store } from '../src/store/store.ts'
import { filesHolding } from './search-bytes.ts'

const root = mkdtempSync(join(tmpdir(), 'keepsake-erasure-'))
afterAll(() => rmSync(root, { recursive: true }))

const SECRETS = ['zanzibarwedding', 'kept by grandmother Ottoline', '外婆的戒指', 'ottolinering']

/** Many turns around the secret, some of them changed, so that pages are split and balanced. */
async function fill(store: Store, ada: ScopeRow): Promise<void> {
  const secret = `zanzibarwedding kept by grandmother Ottoline 外婆的戒指 ottolinering ${'long '.repeat(900)}`
  for (let turn = 0; turn < 200; turn++) {
    await store.append(turnOf(ada, `plain${turn}`, `plain talk ${turn} ${'and more '.repeat(turn % 40)}`))
    if (turn % 20 !== 0) continue
    const metadata = { ottolinering: [secret] }
    await store.append(turnOf(ada, `secret${turn}`, secret, { speaker: 'ottolinering', metadata }))
    const id = `m${turn}`
    const add = addOf(ada, id, secret, [`secret${turn}`], {
      form: 'note',
      name: `ottolinering ${turn}`,
      metadata,
    })
    await commit(store, {
      ...commitOf(ada, [add]),
      documents: [{ id, kind: 'memory', ...documentOf(secret) }],
    })
    const change = operationOf(ada, 'modify', id, { text: `${secret} again`, key: 'ottolinering' })
    await commit(store, commitOf(ada, [change], [add]))
  }
}

async function makeStore(): Promise<{ store: Store; ada: ScopeRow; folder: string; path: string }> {
  const folder = mkdtempSync(join(root, 'case-'))
  const path = join(folder, 'memory.db')
  const store = await openSqliteStore({ path, synchronous: 'normal' })
  const ada = await store.ensureScope({ tenant: 'default', user: 'ada', agent: 'ottolinering', app: null })
  await fill(store, ada)
  expect(filesHolding(folder, SECRETS)).not.toEqual([])
  return { store, ada, folder, path }
}

/** Erases, and waits until the bytes are gone. */
async function eraseWhole(store: Store, request: EraseRequest): Promise<EraseReceipt> {
  const { id } = await store.erase(request)
  return proven(store, request.userId, id)
}

async function proven(store: Store, userId: number, id: string): Promise<EraseReceipt> {
  for (let tries = 0; tries < 300; tries += 1) {
    const receipt = (await store.listErasures(userId)).find((one) => one.id === id)
    if (receipt !== undefined && receipt.purgedAt !== null) return receipt
    await sleep(100)
  }
  throw new Error('The bytes of this erasure were not gone in time.')
}

it('leaves no byte of named turns in database, journal or temporary files', async () => {
  const { store, folder } = await makeStore()
  // The agent's name is the scope's own and stays with it, so this scope has another.
  const bob = await store.ensureScope({ tenant: 'default', user: 'bob', agent: null, app: null })
  await store.append(turnOf(bob, 'b1', 'bobsecret here', { metadata: { bobsecret: 'bobsecret' } }))
  const add = addOf(bob, 'bm', 'bobsecret', ['b1'], {
    name: 'bobsecret',
    metadata: { bobsecret: 'bobsecret' },
  })
  await commit(store, {
    ...commitOf(bob, [add]),
    documents: [{ id: 'bm', kind: 'memory', ...documentOf('bobsecret here') }],
    queueJobs: [10, 20].map((to) =>
      unreadSegmentOf(bob, `j${to}`, to, `{"add": "bobsecret ${'x'.repeat(9000)}`),
    ),
  })
  await store.updateJob(bob.owner, 'j20', {
    state: 'parked',
    attempts: 3,
    reason: 'bobsecret is no JSON',
    answer: 'bobsecret',
  })
  await eraseWhole(store, eraseOf(bob, ['b1'], ['bm']))
  expect(filesHolding(folder, ['bobsecret'])).toEqual([])
  expect(filesHolding(folder, ['plain talk'])).not.toEqual([])
  await store.close()
  expect(filesHolding(folder, ['bobsecret'])).toEqual([])
})

it('leaves neither ids and sessions of named turns, nor records of them that expire', async () => {
  const { store, folder } = await makeStore()
  const bob = await store.ensureScope({ tenant: 'default', user: 'bob', agent: null, app: null })
  const names = ['turn-of-carolina', 'talk-with-carolina', 'answer-to-carolina']
  const { turns } = turnOf(bob, 'turn-of-carolina', 'words')
  const job = { ...jobOf(bob, 'j1'), kind: 'end-session' as const, session: 'talk-with-carolina' }
  await store.append({ ...turnOf(bob, '', ''), session: 'talk-with-carolina', turns, jobs: [job] })
  await store.append(turnOf(bob, 'b2', 'other words'))
  const record = { collection: 'requests', value: { turns: names }, owner: bob.owner }
  await store.putRecord({ ...record, key: 'answer-to-carolina', lastsMs: 60_000 })
  await store.putRecord({ ...record, key: 'stays', value: { id: 'b2' } })
  await eraseWhole(store, eraseOf(bob, ['turn-of-carolina'], []))
  expect(filesHolding(folder, ['carolina'])).toEqual([])
  expect((await store.listRecords({ collection: 'requests' })).map(({ key }) => key)).toEqual(['stays'])
  const again = { ...turnOf(bob, '', ''), session: 'talk-with-carolina', turns }
  expect(await store.append(again)).toMatchObject({ added: [], repeated: ['turn-of-carolina'] })
  for (const id of ['b3', 'b4']) {
    await store.append({ ...turnOf(bob, id, 'more'), session: 'talk-with-carolina' })
    await eraseWhole(store, eraseOf(bob, [id], []))
  }
  expect(
    (await store.listSessions({ userId: bob.owner, scopes: [bob.scope] })).map(({ number }) => number),
  ).toEqual([1, 2, 3, 4])
  expect(filesHolding(folder, ['carolina'])).toEqual([])
  await store.close()
})

it('leaves no byte of a person, their key and the names of their scopes included', async () => {
  const { store, ada, folder, path } = await makeStore()
  const late = await store.ensureScope({ tenant: 'default', user: 'zanzibarwedding', agent: null, app: null })
  await store.append(turnOf(late, 'x', 'x'))
  const value = { zanzibarwedding: 'ottolinering' }
  await store.putRecord({ collection: 'ids', key: 'zanzibarwedding', value, owner: late.owner })
  for (const owner of [ada.owner, late.owner]) {
    await eraseWhole(store, { id: `e${owner}`, userId: owner, at: 1, target: 'user', operations: [] })
  }
  expect(filesHolding(folder, [...SECRETS, 'plain talk'])).toEqual([])
  await store.close()
  const database = new Database(path, { readonly: true })
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(database.prepare('SELECT count(*) FROM operations').pluck().get()).toBeGreaterThan(0)
  database.close()
})

it('leaves no byte of index rows that were made afresh many times', async () => {
  const { store, folder } = await makeStore()
  const eve = await store.ensureScope({ tenant: 'default', user: 'eve', agent: null, app: null })
  const ids = Array.from({ length: 2000 }, (_, turn) =>
    turn % 10 === 0 ? `secret ${turn}` : `plain ${turn}`,
  )
  await store.append({ ...turnOf(eve, '', ''), turns: ids.flatMap((id) => turnOf(eve, id, 'words').turns) })
  let seed = 1
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  for (let round = 0; round < 8; round++) {
    const some = ids.filter(() => random() < 0.4)
    const documents = some.map((id) => {
      const word = id.startsWith('secret') ? 'harbourlight ' : 'ordinary '
      return { id, kind: 'turn' as const, ...documentOf(word.repeat(1 + Math.floor(random() * 200))) }
    })
    await store.saveDocuments(eve.owner, documents)
  }
  const secret = ids.filter((id) => id.startsWith('secret'))
  expect((await eraseWhole(store, eraseOf(eve, secret, []))).turns).toBe(200)
  expect(filesHolding(folder, ['harbourlight'])).toEqual([])
  await store.close()
})

it('says that the scrub is still to do while another process reads, and finishes it on the next open', async () => {
  const { store, ada, folder, path } = await makeStore()
  const reader = new Database(path)
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM turns').get()
  const receipt = await store.erase({ id: 'e', userId: ada.owner, at: 1, target: 'user', operations: [] })
  expect(receipt.purgedAt).toBeNull()
  reader.exec('COMMIT')
  reader.close()
  await store.close()
  const again = await openSqliteStore({ path })
  await proven(again, ada.owner, 'e')
  expect(filesHolding(folder, SECRETS)).toEqual([])
  await again.close()
})

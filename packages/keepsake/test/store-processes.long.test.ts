import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { projectLog } from '../src/memories/apply-operation.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { addOf, commit, commitOf, operationOf, turnOf } from '../src/store/contract/samples.ts'
import { runToEnd } from './kill-child.ts'

const folder = mkdtempSync(join(tmpdir(), 'keepsake-processes-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ADA = { tenant: 'default', user: 'ada', agent: null, app: null }
const child = join(import.meta.dirname, 'store-writer-child.ts')

it('takes the writes of three processes that open one new file at once', { timeout: 60_000 }, async () => {
  const path = join(folder, 'shared.db')
  const runs = ['a', 'b', 'c']
  const lines = await Promise.all(runs.map((run) => runToEnd(child, [path, 'append', run, '20'])))
  const acknowledged = lines
    .flat()
    .filter((line) => line.startsWith('turns '))
    .flatMap((line) => line.split(' ').slice(1))
  const store = await openSqliteStore({ path })
  const ada = await store.ensureScope(ADA)
  const turns = await store.listTurns({ userId: ada.owner })
  expect(turns.map(({ position }) => position)).toEqual(turns.map((_, index) => index + 1))
  expect(new Set(turns.map(({ id }) => id))).toEqual(new Set(acknowledged))
  expect(turns).toHaveLength(3 * 20 * 3)
  expect(
    (await store.listSessions({ userId: ada.owner, scopes: [ada.scope] })).map(({ number }) => number),
  ).toEqual([1, 2, 3])
  await store.close()
})

it('lets a cache notice what another connection wrote, and refuses what was decided on old rows', async () => {
  const path = join(folder, 'noticed.db')
  const one = await openSqliteStore({ path })
  const two = await openSqliteStore({ path })
  const ada = await one.ensureScope(ADA)
  await one.append(turnOf(ada, 't1', 'one'))
  const userId = ada.owner
  const seen = await two.loadUser({ userId, afterRevision: 0 })
  const add = addOf(ada, 'm1', 'one', ['t1'])
  await commit(one, commitOf(ada, [add]))
  const now = await two.revision(userId)
  expect(now).toBeGreaterThan(seen.revision)
  expect(await two.loadUser({ userId, afterRevision: seen.revision })).toMatchObject({
    memories: [{ sequence: 1 }],
  })
  const forget = commitOf(ada, [operationOf(ada, 'forget', 'm1', { status: 'forgotten' })], [add])
  expect(await two.commit(forget, now)).toMatchObject({ outcome: 'committed' })
  expect(await two.commit(forget, now)).toMatchObject({ outcome: 'conflict' })
  expect((await one.listMemories({ userId })).map(({ memory }) => memory)).toEqual([
    ...projectLog(await two.listOperations({ userId })).values(),
  ])
  await Promise.all([one.close(), two.close()])
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { projectLog } from '../src/memories/apply-operation.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { addOf, commitOf, operationOf, turnOf } from '../src/store/contract/samples.ts'
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
  expect((await store.listSessions({ userId: ada.owner, scopes: [ada.scope] })).map(({ number }) => number)).toEqual([1, 2, 3])
  await store.close()
})

it('lets a cache notice what another connection wrote, and refuses what was decided on old rows', async () => {
  const path = join(folder, 'noticed.db')
  const one = await openSqliteStore({ path })
  const two = await openSqliteStore({ path })
  const ada = await one.ensureScope(ADA)
  await one.append(turnOf(ada, 't1', 'one'))
  const seen = await two.indexRows(ada.owner, 0)
  const add = addOf(ada, 'm1', 'one', ['t1'])
  await one.commit(commitOf(ada, [add]))
  expect((await two.version(ada.owner)).revision).toBeGreaterThan(seen.version.revision)
  expect(await two.indexRows(ada.owner, seen.version.revision)).toMatchObject({
    memories: [{ sequence: 1 }],
  })
  const forget = (): Promise<unknown> =>
    two.commit({
      ...commitOf(ada, [operationOf(ada, 'forget', 'm1', { status: 'forgotten' })], [add]),
      expect: [{ memory: 'm1', sequence: 1 }],
    })
  expect(await forget()).toMatchObject({ outcome: 'committed' })
  expect(await forget()).toMatchObject({ outcome: 'conflict' })
  expect((await one.memories({ owner: ada.owner })).map(({ memory }) => memory)).toEqual([
    ...projectLog(await two.operations({ owner: ada.owner })).values(),
  ])
  await Promise.all([one.close(), two.close()])
})

import Database, { type Statement } from 'better-sqlite3'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ADA, addOf, commitOf, turnOf } from '../contract/samples.ts'
import type { ScopeRow } from '../../scopes/scope.ts'
import type { Store } from '../store.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

let store: Store
let ada: ScopeRow

beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' })
  ada = await store.ensureScope(ADA)
  for (const id of ['t1', 't2', 't3']) await store.append(turnOf(ada, id, `What ${id} says.`))
})

afterEach(async () => {
  vi.unstubAllGlobals()
  await store.close()
})

/** What a call reads of several tables. */
const READS: readonly [string, (id: string) => Promise<unknown>][] = [
  ['turns by their ids', (id) => store.turns({ owner: ada.owner, ids: [id, 't1'] })],
  ['one turn', (id) => store.turns({ owner: ada.owner, ids: [id] })],
  ['sessions', () => store.sessions(ada.owner, [ada.scope], { newestFirst: true, limit: 1 })],
  ['a scope by its names', () => store.listScopes({ tenant: 'default', user: 'ada', limit: 5 })],
  ['turns that are there already', (id) => store.append(turnOf(ada, id, `What ${id} says.`))],
]

// The driver makes a function for the rows of a statement whenever SQLite has compiled it.
it.each(READS)('compiles the statements of %s once, whatever is bound in them', async (_, read) => {
  const first = await read('t2')
  expect(first).toBeTruthy()
  const made = vi.fn(Function)
  vi.stubGlobal('Function', made)
  await read('t3')
  await read('t2')
  expect(made).not.toHaveBeenCalled()
})

it('tells by the same measure when a statement is compiled', async () => {
  const made = vi.fn(Function)
  vi.stubGlobal('Function', made)
  await store.turns({ owner: ada.owner, ids: ['t1'], limit: 1 })
  expect(made).toHaveBeenCalled()
})

it('finds by names and lists what is bound, of any kind', async () => {
  expect((await store.turns({ owner: ada.owner, ids: ['t3', 't1'] })).map(({ id }) => id)).toEqual([
    't1',
    't3',
  ])
  expect(await store.listScopes({ tenant: 'default', user: 'ada' })).toEqual([ada])
  expect(await store.listScopes({ tenant: 'default', user: '1' })).toEqual([])
})

/** How often the owner's row is looked at or written, by the texts of what runs. */
async function looksAtOwner(work: () => Promise<unknown>): Promise<number> {
  const database = new Database(':memory:')
  const statement = Object.getPrototypeOf(database.prepare('SELECT 1')) as Statement
  database.close()
  const get = vi.spyOn(statement, 'get')
  const run = vi.spyOn(statement, 'run')
  await work()
  const ran = [...get.mock.contexts, ...run.mock.contexts] as Statement[]
  get.mockRestore()
  run.mockRestore()
  return ran.filter(({ source }) => /\bowners\b/.test(source)).length
}

it('counts a turn at its person’s row once, and a change twice: before it and after', async () => {
  const append = () => store.append(turnOf(ada, 't4', 'I keep bees.'))
  expect(await looksAtOwner(append)).toBe(1)
  const { version } = await store.append(turnOf(ada, 't5', 'I keep ducks.'))
  expect(version.revision).toBe(5)
  const added = addOf(ada, 'm1', 'Keeps bees.', ['t4'])
  const commit = () => store.commit(commitOf(ada, [added]))
  expect(await looksAtOwner(commit)).toBe(2)
  expect(await store.version(ada.owner)).toEqual({ revision: 6, epoch: 0 })
})

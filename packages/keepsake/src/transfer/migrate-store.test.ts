import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openMemory, openSqliteStore } from '../index.ts'
import type { Store } from '../store/store.ts'
import { migrateStore, type MigrateOptions } from './migrate-store.ts'

let folder = ''
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const keepsake = await openMemory({ path: join(folder, 'from.db') })
  for (const user of ['ana', 'ben', 'cleo']) {
    const scope = keepsake.scope({ user, tenant: 'acme' })
    await scope.remember([
      { role: 'user', text: `I am ${user} and I live in Lyon.`, id: 't1' },
      { role: 'assistant', text: 'How lovely.', id: 't2' },
      { role: 'user', text: 'My card number is secret.', id: 't3' },
    ])
    await keepsake.scope({ user, tenant: 'acme', agent: 'coach' }).note('Runs on Mondays.', { name: 'runs' })
    await keepsake.scope({ user, tenant: 'acme', agent: 'coach' }).setGuidelines({ never: 'salary' })
    await keepsake.drain()
    await scope.erase({ turns: ['t3'] })
    const { memories } = await scope.recall('Where do I live?')
    expect(memories.length).toBeGreaterThan(0)
  }
  const ben = (await keepsake.scopes({ user: 'ben' }))[0]
  await keepsake.records.putRecord({ collection: 'keys', key: 'k1', value: { name: 'bot' } })
  await keepsake.records.putRecord({
    collection: 'names',
    key: 'n1',
    value: { x: 1 },
    owner: ben?.owner ?? null,
  })
  await keepsake.close()
})

const open = async (name: string, readOnly = false): Promise<Store> => {
  const store = await openSqliteStore({ path: join(folder, name), readOnly })
  onTestFinished(() => store.close())
  return store
}
const migrate = async (to: Store, more: Partial<MigrateOptions> = {}) =>
  migrateStore({
    from: await open('from.db', true),
    to,
    source: 'from.db',
    collections: ['keys', 'names'],
    ...more,
  })

async function exportOf(path: string, user: string): Promise<string> {
  const keepsake = await openMemory({ path: join(folder, path) })
  const lines: string[] = []
  for await (const line of keepsake.scope({ user, tenant: 'acme' }).export()) lines.push(line)
  await keepsake.close()
  return lines.join('\n')
}

/** A store that fails at the given call of a method, as one that is killed does. */
function dying(store: Store, method: keyof Store, at: number): Store {
  let calls = 0
  return new Proxy(store, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name)
      if (typeof found !== 'function') return found
      return (...given: unknown[]): unknown => {
        if (name === method && (calls += 1) === at) throw new Error('killed')
        return found.apply(target, given)
      }
    },
  })
}

describe('migrateStore', () => {
  it('brings everybody over, rows, index and records, so that the same is recalled there', async () => {
    const progress: number[] = []
    const to = await open('to.db')
    const migrated = await migrate(to, { onProgress: (people) => progress.push(people) })
    expect(migrated).toMatchObject({ people: 3, before: 0, records: 2, changed: [] })
    expect(progress).toEqual([1, 2, 3])
    expect((await to.listRecords({ collection: 'names' }))[0]).toMatchObject({
      key: 'n1',
      owner: (await to.listScopes({ user: 'ben' }))[0]?.owner,
    })
    await to.close()
    for (const user of ['ana', 'ben', 'cleo'])
      expect(await exportOf('to.db', user)).toBe(await exportOf('from.db', user))
    const recall = async (path: string) => {
      const keepsake = await openMemory({ path: join(folder, path) })
      const found = await keepsake
        .scope({ user: 'ben', tenant: 'acme' })
        .recall('Where do I live?', { reinforce: false })
      await keepsake.close()
      return found.memories.map(({ memory }) => memory.text)
    }
    expect(await recall('to.db')).toEqual(await recall('from.db'))
  })

  it.each([
    ['importUser', 2],
    ['saveDocuments', 2],
    ['putRecord', 3],
    ['putRecord', 4],
  ] as const)('goes on where it was killed: at %s %i', async (method, at) => {
    const to = await open('to.db')
    await expect(migrate(dying(to, method, at))).rejects.toThrow('killed')
    expect((await migrate(to)).people).toBe(3)
    await expect(migrate(to)).rejects.toThrow('the migration is done')
    expect(await to.listScopes()).toHaveLength(6)
    await to.close()
    for (const user of ['ana', 'ben', 'cleo'])
      expect(await exportOf('to.db', user)).toBe(await exportOf('from.db', user))
  })

  it('refuses a store that holds anything else, and one that somebody else migrates into', async () => {
    const other = await open('other.db')
    await other.ensureScope({ tenant: 'acme', user: 'zoe', agent: null, app: null })
    await expect(migrate(other)).rejects.toThrow('holds memories already')
    const to = await open('to.db')
    await expect(migrate(dying(to, 'importUser', 2))).rejects.toThrow('killed')
    await expect(migrate(to, { source: 'another.db' })).rejects.toThrow('a migration of from.db')
    const [one, second] = await Promise.allSettled([migrate(to), migrate(to)])
    expect([one.status, second.status].sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('finds rows that do not come out as they went in', async () => {
    const to = await open('to.db')
    const lossy = new Proxy(to, {
      get(target, name) {
        const found: unknown = Reflect.get(target, name)
        if (name !== 'importUser') return typeof found === 'function' ? found.bind(target) : found
        return async (rows: AsyncIterable<{ row: string }>) => {
          async function* fewer() {
            for await (const row of rows) if (row.row !== 'progress') yield row
          }
          return target.importUser(fewer() as never)
        }
      },
    })
    await expect(migrate(lossy)).rejects.toThrow(/rows of acme\/ana .* rows went in and \d+ came out/)
  })

  it('tells who was changed at the source meanwhile', async () => {
    const from = await open('from.db', true)
    const ana = (await from.listScopes({ user: 'ana' }))[0]?.owner
    const reads = new Map<number, number>()
    const moving = new Proxy(from, {
      get(target, name) {
        const found: unknown = Reflect.get(target, name)
        if (name !== 'revision') return typeof found === 'function' ? found.bind(target) : found
        return async (owner: number) => {
          const revision = await target.revision(owner)
          reads.set(owner, (reads.get(owner) ?? 0) + 1)
          return owner === ana && reads.get(owner) === 2 ? revision + 1 : revision
        }
      },
    })
    expect((await migrate(await open('to.db'), { from: moving })).changed).toEqual(['acme/ana'])
  })
})

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { ClosedError, openMemory, openSqliteStore, type Keepsake } from 'keepsake'
import type { ExportRow } from '../src/store/store.ts'

const TURNS = 1_000

const SOURCE = mkdtempSync(join(tmpdir(), 'keepsake-import-apart-from-'))

let folder: string
let lines: readonly string[]
let keepsake: Keepsake

beforeAll(async () => {
  const source = await openMemory({
    path: join(SOURCE, 'source.db'),
    preset: 'naive-rag',
    synchronous: 'normal',
  })
  const ada = source.scope({ user: 'ada' })
  for (let from = 0; from < TURNS; from += 1_000)
    await ada.remember(
      Array.from({ length: 1_000 }, (_, index) => ({ role: 'user' as const, text: `Line ${from + index}.` })),
    )
  await source.drain()
  const exported: string[] = []
  for await (const line of ada.export()) exported.push(line)
  lines = exported
  await source.close()
})
afterAll(() => rmSync(SOURCE, { recursive: true }))

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-import-apart-'))
  keepsake = await openMemory({ path: join(folder, 'memory.db'), preset: 'naive-rag' })
})

afterEach(async () => {
  await keepsake.close()
  rmSync(folder, { recursive: true })
})

/** How often the event loop came round meanwhile. */
async function roundsDuring(work: () => Promise<unknown>): Promise<number> {
  let [rounds, isOver] = [0, false]
  const look = (): void => {
    rounds += 1
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isOver = true
  return rounds
}

it('a large import lets this thread go on with whatever else there is, and is all there', async () => {
  // In this thread, as one transaction, it would come round a few times; how often beside another depends on the machine.
  expect(await roundsDuring(() => keepsake.import(lines))).toBeGreaterThan(15)
  const counts = await keepsake.scope({ user: 'ada' }).recall('What is line 999?')
  expect(counts.memories.map(({ evidence }) => evidence.map(({ text }) => text)).flat()).toContain(
    'Line 999.',
  )
})

it('what cannot be imported is told by its line, and nothing of it is there', async () => {
  const broken = [...lines.slice(0, -1), lines.find((line) => line.includes('"row":"turn"')) ?? '']
  await expect(keepsake.import(broken)).rejects.toMatchObject({ code: 'invalid-input' })
  expect(await keepsake.scopes()).toEqual([])
  await keepsake.import(lines)
  await expect(keepsake.import(lines)).rejects.toMatchObject({ code: 'not-possible' })
})

it('others write and read meanwhile, and closing leaves all of it or none', async () => {
  const importing = keepsake.import(lines)
  const bob = keepsake.scope({ user: 'bob' })
  await bob.remember({ role: 'user', text: 'I live in Lyon.' })
  expect((await bob.recall('Where do I live?')).memories).not.toEqual([])
  await Promise.allSettled([importing, keepsake.close()])
  keepsake = await openMemory({ path: join(folder, 'memory.db'), preset: 'naive-rag' })
  const users = (await keepsake.scopes()).map(({ user }) => user)
  expect(users).toContain('bob')
  if (!users.includes('ada')) await keepsake.import(lines)
  const exported: string[] = []
  for await (const line of keepsake.scope({ user: 'ada' }).export()) exported.push(line)
  expect(exported.filter((line) => line.includes('"row":"turn"'))).toHaveLength(TURNS)
})

it('one whose rows come to an end only after the store was closed writes nothing', async () => {
  const source = await openSqliteStore({ path: join(SOURCE, 'source.db') })
  const [ada] = await source.listScopes({ limit: 1 })
  const rows = await Array.fromAsync(source.exportUser(ada?.owner ?? -1))
  await source.close()
  const closed = Promise.withResolvers<void>()
  async function* slowly(): AsyncGenerator<ExportRow> {
    yield* rows
    await closed.promise
  }
  const store = await openSqliteStore({ path: join(folder, 'other.db') })
  const refused = expect(store.importUser(slowly())).rejects.toThrow(ClosedError)
  await store.close()
  closed.resolve()
  await refused
  expect(rows.length).toBeGreaterThan(TURNS)
  expect(readdirSync(folder).filter((name) => name.startsWith('other.db'))).toEqual(['other.db'])
})

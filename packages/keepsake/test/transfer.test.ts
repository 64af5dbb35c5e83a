import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openSqliteStore, type ScopedMemory } from 'keepsake'
import { openForTest } from './open-for-test.ts'
import { requireSound } from './require-sound.ts'

/** What was exported before turns and memories had metadata, of talk written for it. */
const OLD = readFileSync(join(import.meta.dirname, 'export-format-1.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')

/** The same as this version writes it: an assistant's role was `agent`. */
const NEW = OLD.map((line) => line.replace('"role":"agent"', '"role":"assistant"'))

it('reads an export of before metadata back as it was, and gives the same again', async () => {
  const store = await openSqliteStore({ path: ':memory:' })
  // What waits in the export is not worked on before it was written out again.
  const claim = vi.spyOn(store, 'claimJobs').mockResolvedValue({ outcome: 'held' })
  const keepsake = await openForTest({ store })
  await keepsake.import(OLD)
  const ana = keepsake.scope({ user: 'ana' })
  const exported: string[] = []
  for await (const line of ana.export()) exported.push(line)
  expect(exported.map((line) => JSON.parse(line) as unknown)).toEqual(
    NEW.map((line) => JSON.parse(line) as unknown),
  )
  expect(NEW).not.toEqual(OLD)
  const { turns, memories } = await requireSound(ana)
  expect(turns).toHaveLength(6)
  expect(memories).toHaveLength(12)
  for (const memory of memories) expect(memory).toMatchObject({ name: null, metadata: null })
  expect((await ana.turns()).map(({ metadata }) => metadata)).toEqual(turns.map(() => null))
  expect((await ana.memories({ forms: ['fact'] })).map(({ text }) => text)).toEqual([
    "Ana's name is Ana.",
    'Ana lives in Vila Nova de Gaia.',
    'The user moved to Braga last week.',
    'The user likes chess.',
  ])
  const [home] = (await ana.recall('Gaia', { forms: ['fact'] })).memories
  expect(home?.memory.past).toMatchObject([{ text: 'Ana lives in Porto.' }])
  claim.mockRestore()
  await keepsake.drain()
  expect(await keepsake.jobs()).toEqual([])
})

it.each([
  [
    'metadata that JSON cannot hold as it is',
    '"at":1,"metadata":[1],',
    /Line 2 .* metadata .*must be an object/,
  ],
  ['metadata of no bounds', `"at":1,"metadata":${'{"a":'.repeat(40)}1${'}'.repeat(40)},`, /deeper than 32/],
])('refuses %s, naming the line', async (_, field, problem) => {
  const keepsake = await openForTest()
  const turn = OLD.find((line) => line.includes('"row":"turn"'))?.replace(/"at":\d+,/, field) ?? ''
  await expect(keepsake.import([OLD[0] ?? '', turn])).rejects.toThrow(problem)
  expect(await keepsake.scopes()).toEqual([])
})

it('refuses a job that ends no session', async () => {
  const keepsake = await openForTest()
  const job = OLD.at(-1)?.replace('"consolidate"', '"end-session"') ?? ''
  await expect(keepsake.import([...OLD.slice(0, -1), job])).rejects.toThrow(/must name the session/)
})

it.each([
  [
    'a text of no bounds',
    '"text":"I',
    `"text":"${'I'.repeat(4_000_001)}`,
    /"text" in line \d+ .*at most 4000000/,
  ],
  ['a name of no bounds', '"user":"ana"', `"user":"${'a'.repeat(513)}"`, /"user" in line 1 .*at most 512/],
  ['a name that is a secret', '"user":"ana"', '"user":"my password is hunter2"', /"user" in line 1 .*secret/],
])('refuses %s, naming the line and the field', async (_, from, to, problem) => {
  const keepsake = await openForTest()
  await expect(keepsake.import(OLD.map((line) => line.replace(from, () => to)))).rejects.toThrow(problem)
  expect(await keepsake.scopes()).toEqual([])
})

it.each([
  ['validFrom', '"x"'],
  ['subject', '5'],
  ['pinned', '"yes"'],
  ['past', '[{"text":1}]'],
  ['signals', '[]'],
  ['use', '{"first":"many"}'],
  ['status', '"immortal"'],
  ['label', 'null'],
  ['key', '{}'],
  ['evidence', '[{"turn":7,"quote":null}]'],
  ['sources', '"all"'],
])(
  'refuses an operation whose payload has a %s that none can have, naming the line',
  async (field, value) => {
    const keepsake = await openForTest()
    const at = OLD.findIndex((line) => line.includes('"payload":{"before":null,"after":{'))
    const row = JSON.parse(OLD[at] ?? '') as { payload: { after: Record<string, unknown> } }
    row.payload.after[field] = JSON.parse(value) as unknown
    const problem = new RegExp(`Line ${at + 1} of the import .*payload\\.after\\.${field}`)
    await expect(keepsake.import(OLD.with(at, JSON.stringify(row)))).rejects.toThrow(problem)
    expect(await keepsake.scopes()).toEqual([])
  },
)

it('reads back what recalls have used', async () => {
  const keepsake = await openForTest()
  const ana = keepsake.scope({ user: 'ana' })
  await ana.remember({ role: 'user', text: 'I live in Porto.' })
  await keepsake.drain()
  await ana.recall('Where do I live?')
  const lines = await Array.fromAsync(ana.export())
  expect(lines.filter((line) => line.startsWith('{"row":"usage"'))).not.toEqual([])
  await ana.erase({ everything: true })
  await keepsake.import(lines)
  expect(await Array.fromAsync(ana.export())).toEqual(lines)
})

it('leaves names as they are typed, composed or not', async () => {
  const keepsake = await openForTest()
  const user = 'Rene\u0301'
  await keepsake.import(OLD.map((line) => line.replace('"user":"ana"', `"user":"${user}"`)))
  expect(new Set((await keepsake.scopes()).map((row) => row.user))).toEqual(new Set([user]))
})

it('masks what a crafted export says in fields of its own', async () => {
  const keepsake = await openForTest()
  const crafted = '"payload":{"before":null,"after":{"my pin is 482199":"my password is hunter2",'
  const [row] = await keepsake.import(
    OLD.map((line) => line.replace('"payload":{"before":null,"after":{', crafted)),
  )
  const lines = await Array.fromAsync(keepsake.scope({ user: row?.user ?? '' }).export())
  expect(lines.join('\n')).not.toMatch(/482199|hunter2/)
  expect(lines.join('\n')).toContain('"my pin is [masked: password]":"my password is [masked: password]"')
})

async function exportOf(scope: ScopedMemory): Promise<string[]> {
  const lines: string[] = []
  for await (const line of scope.export()) lines.push(line)
  return lines
}

it('brings guidelines and blocks of the user and of agents', async () => {
  const from = await openForTest()
  const ana = from.scope({ user: 'ana' })
  const luna = from.scope({ user: 'ana', agent: 'luna' })
  await ana.setGuidelines({ keep: 'goals', never: ['salary', 'health'] })
  await luna.setGuidelines({ keep: 'songs' })
  await ana.writeBlock('tasks', 'book the train', { limit: 40 })
  const lines = await exportOf(ana)

  const to = await openForTest({ guidelines: { never: 'names' } })
  await to.scope({ user: 'before' }).note('So that numbers differ.')
  await to.import(lines)
  const [there, lunaThere] = [to.scope({ user: 'ana' }), to.scope({ user: 'ana', agent: 'luna' })]
  expect(await there.guidelines()).toEqual({
    keep: ['goals'],
    never: ['names', 'salary', 'health'],
    own: { keep: ['goals'], never: ['salary', 'health'] },
  })
  expect((await lunaThere.guidelines()).own).toEqual({ keep: ['songs'], never: [] })
  await expect(there.addFact('The salary is 3,000.')).rejects.toThrow('never keeps “salary”')
  await expect(there.editBlock('tasks', { insert: 'ask for a salary' })).rejects.toThrow('never keeps')
  expect(await there.blocks()).toMatchObject([{ name: 'tasks', text: 'book the train', limit: 40 }])
  expect((await exportOf(there)).slice(1)).toEqual(lines.slice(1))
  await there.erase({ everything: true })
  expect((await there.guidelines()).own).toEqual({ keep: [], never: [] })

  const wide = lines.map((line) => line.replace('"salary"', JSON.stringify('x'.repeat(501))))
  await expect((await openForTest()).import(wide)).rejects.toThrow(/Line \d+ .*never/)
})

it('says what the memory was opened with, and applies none of it to another', async () => {
  const options = {
    guidelines: { never: 'salary' },
    categories: { races: 'Races they run.' },
    keys: { goals: { description: 'What they want.', schema: { type: 'array', items: { type: 'string' } } } },
  }
  const ana = (await openForTest(options)).scope({ user: 'ana' })
  await ana.addFact('Ana wants to run a marathon.', { key: 'goals', value: ['marathon'], category: 'races' })
  const lines = await exportOf(ana)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    user: 'ana',
    guidelines: { keep: [], never: ['salary'] },
    categories: options.categories,
    keys: { goals: { ...options.keys.goals, merge: 'append' } },
  })

  const plain = await openForTest()
  await plain.import(lines)
  const there = plain.scope({ user: 'ana' })
  expect((await there.guidelines()).never).toEqual([])
  const facts = await there.memories({ forms: ['fact'] })
  expect(facts).toMatchObject([{ key: 'goals', value: 'marathon', metadata: { category: 'races' } }])
  expect((await there.recall('Which race does Ana want to run?')).memories).toHaveLength(1)

  const same = await openForTest(options)
  await same.import(lines)
  expect(await same.scope({ user: 'ana' }).state('goals')).toMatchObject({ value: ['marathon'] })
})

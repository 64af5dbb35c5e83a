import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMemory, type Memory } from 'keepsake'
import { beforeEach, expect, test } from 'vitest'
import { run, type CliRun } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const TEA = {
  id: '6f8c1a52-0001',
  memory: 'Likes green tea',
  user_id: 'ana',
  agent_id: null,
  app_id: null,
  run_id: null,
  hash: 'x',
  metadata: { source: 'chat' },
  categories: ['food'],
  created_at: '2025-03-01T10:00:00.000000-08:00',
  updated_at: '2025-04-01T10:00:00.000000-07:00',
  score: 0.3,
}
const TRAIN = {
  ...TEA,
  id: '6f8c1a52-0002',
  memory: '喜欢坐火车',
  metadata: null,
  categories: [],
  run_id: 'trip',
}

let folder: string
let db: string

beforeEach(() => {
  folder = temporaryFolder()
  db = join(folder, 'memory.db')
})

function file(content: unknown): string {
  const path = join(folder, 'export.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const importMem0 = (content: unknown, ...more: string[]): Promise<CliRun> =>
  run(['import', '--format', 'mem0', file(content), '--db', db, ...more])

async function memoriesOf(user: string): Promise<readonly Memory[]> {
  await using keepsake = await openMemory({ path: db })
  return await keepsake.scope({ user }).memories()
}

test('a memory becomes a statement that nobody said, listed as such, with its time', async () => {
  const imported = await importMem0([TEA])
  expect(imported.err).toBe('')
  expect(imported.out).toMatch(/Remembered 1 turn/)
  const [memory, ...others] = await memoriesOf('ana')
  expect(others).toEqual([])
  expect(memory).toMatchObject({
    text: 'Likes green tea',
    form: 'note',
    evidence: [],
    label: 'other',
    session: 'mem0',
    metadata: { source: 'chat', categories: ['food'] },
  })
  expect(memory?.learnedAt).toBe(Date.parse('2025-04-01T17:00:00Z'))
  expect(memory?.name).toMatch(/^mem0-6f8c1a52-0001-/)
  const listed = await run(['list', '--user', 'ana', '--db', db])
  expect(listed.out).toContain('Likes green tea')
})

const camel = { id: TEA.id, memory: TEA.memory, userId: 'ana', runId: 'trip', updatedAt: TEA.updated_at }
const forms: [string, unknown, string[]][] = [
  ['a list', [TEA, TRAIN], ['Likes green tea', '喜欢坐火车']],
  [
    'a page',
    { count: 2, next: null, previous: null, results: [TEA, TRAIN] },
    ['Likes green tea', '喜欢坐火车'],
  ],
  ['pages that overlap', [{ results: [TEA] }, { results: [TRAIN, TEA] }], ['Likes green tea', '喜欢坐火车']],
  ['memories under their name', { memories: [TEA] }, ['Likes green tea']],
  ['one memory', TEA, ['Likes green tea']],
  [
    'a memory a line',
    `${JSON.stringify(TEA)}\n\n${JSON.stringify(TRAIN)}\n`,
    ['Likes green tea', '喜欢坐火车'],
  ],
  [
    'a page a line',
    `\uFEFF${JSON.stringify({ results: [TEA] })}\r\n${JSON.stringify({ results: [TRAIN] })}`,
    ['Likes green tea', '喜欢坐火车'],
  ],
  ['camel case', [camel], ['Likes green tea']],
]
test.each(forms)('%s is read', async (_name, content, expected) => {
  const imported = await importMem0(content)
  expect(imported).toMatchObject({ code: 0, err: '' })
  expect((await memoriesOf('ana')).map((memory) => memory.text).sort()).toEqual(expected)
})

test('a page without memories is a failure, as nothing was imported', async () => {
  const imported = await importMem0({ results: [] })
  expect(imported.code).toBe(1)
  expect(imported.err).toContain('Nothing was imported')
})

test('imported twice is imported once; what Mem0 changed since is a statement of its own', async () => {
  await importMem0([TEA, TRAIN])
  const again = await importMem0([TEA, TRAIN], '--json')
  expect(again.json()).toMatchObject([{ added: 0, repeated: 2 }])
  expect(await memoriesOf('ana')).toHaveLength(2)
  await importMem0([{ ...TEA, memory: 'Likes black tea' }, TRAIN])
  expect((await memoriesOf('ana')).map((memory) => memory.text).sort()).toEqual([
    'Likes black tea',
    'Likes green tea',
    '喜欢坐火车',
  ])
})

test('a statement that was forgotten is not imported again, and a request to forget everything takes them all', async () => {
  await importMem0([TEA, TRAIN])
  const keepsake = await openMemory({ path: db })
  const ana = keepsake.scope({ user: 'ana' })
  const [first] = await ana.memories({ contains: 'tea' })
  await ana.forget(first?.id ?? '')
  await ana.note('Window seats', { name: 'seat' })
  await keepsake.close()
  expect((await importMem0([TEA, TRAIN], '--json')).json()).toMatchObject([{ added: 0, repeated: 2 }])
  const again = await openMemory({ path: db })
  const scope = again.scope({ user: 'ana' })
  const { turns } = await scope.remember({ role: 'user', text: 'Forget everything you know about me.' })
  await scope.endSession()
  await scope.drain()
  await scope.confirmRequest(turns[0] ?? '')
  expect((await scope.memories({ forms: ['note'] })).map(({ text }) => text)).toEqual(['Window seats'])
  await again.close()
})

test('a run is a session, agents and apps keep theirs, and what has no user has a stand-in', async () => {
  await importMem0([
    { ...TEA, run_id: 'trip', agent_id: 'guide', app_id: 'web' },
    { ...TRAIN, user_id: null, agent_id: 'bot' },
    { ...TRAIN, id: 'x', user_id: null, agent_id: null, app_id: 'web' },
  ])
  const keepsake = await openMemory({ path: db })
  const scopes = await keepsake.scopes()
  await keepsake.close()
  expect(scopes.map(({ user, agent, app }) => [user, agent, app])).toEqual([
    ['ana', 'guide', 'web'],
    ['mem0:agent:bot', null, null],
    ['mem0:app:web', null, null],
  ])
  expect((await memoriesOf('ana'))[0]?.session).toBe('trip')
})

test('is found by a question', async () => {
  await importMem0([TEA, TRAIN])
  const recalled = await run(['recall', 'Which tea does Ana like?', '--user', 'ana', '--db', db])
  expect(recalled.out).toContain('Likes green tea')
})

const refused: [string, unknown, RegExp][] = [
  ['no JSON', '{"id": 1,', /export.json:1: this is not JSON/],
  ['a bad line', `${JSON.stringify(TEA)}\nhello`, /export.json:2: this is not JSON/],
  ['no object', [TEA, 'tea'], /export.json:1 \$\[1\]: a Mem0 memory is an object/],
  [
    'no text',
    { results: [TEA, { id: 'x', user_id: 'ana' }] },
    /export.json:1 \$.results\[1\]: "memory" must be/,
  ],
  ['a schema of its own', { full_name: 'Ana' }, /get_memory_export/],
  ['a bad time', [{ ...TEA, updated_at: 'soon' }], /\$\[0\]: "updated_at" is not a time: "soon"/],
  ['a bad name', [{ ...TEA, user_id: {} }], /\$\[0\]: "user_id" must be a string/],
  ['nobody', [{ memory: 'Likes tea' }], /does not name a user: set one with --user/],
]
test.each(refused)(
  '%s is refused by file, line, place and field, and no database is left',
  async (name, content, message) => {
    const imported = await importMem0(content)
    expect(imported.code).toBe(name === 'nobody' ? 2 : 1)
    expect(imported.err.replaceAll(/\s+/g, ' ')).toMatch(message)
    expect(existsSync(db)).toBe(false)
  },
)

test('several people do not become one', async () => {
  const imported = await importMem0([TEA, { ...TRAIN, user_id: 'ben' }], '--user', 'ana')
  expect(imported.code).toBe(2)
  expect(imported.err).toMatch(/holds 2 users/)
  expect((await importMem0([{ ...TEA, user_id: null }], '--user', 'cleo')).code).toBe(0)
  expect(await memoriesOf('cleo')).toHaveLength(1)
})

test('a preset that keeps no words as they are is refused', async () => {
  const imported = await importMem0([TEA], '--preset', 'moom')
  expect(imported.code).toBe(2)
  expect(imported.err).toMatch(/preset moom stores no messages/)
})

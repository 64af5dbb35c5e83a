import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { type Keepsake } from 'keepsake'
import { beforeEach, describe, expect, it } from 'vitest'
import type { LogEntry } from '../server-context.ts'
import {
  call,
  connectInProcess,
  grantOf,
  type ListAnswer,
  type RecallAnswer,
} from './testing/connect-client.ts'
import { testMemory } from '../testing/test-memory.ts'

let keepsake: Keepsake
let client: Client

beforeEach(async () => {
  keepsake = await testMemory()
  client = await connectInProcess(keepsake, { user: 'maya' })
  // Answers are checked by the client against the schemas that it has listed.
  await client.listTools()
})

async function told(...texts: string[]): Promise<void> {
  for (const text of texts) await call(client, 'remember', { text })
  await keepsake.drain()
}

const list = async (args: Record<string, unknown> = {}): Promise<ListAnswer> =>
  (await call<ListAnswer>(client, 'list_memories', args)).structured

const residence = async (): Promise<ListAnswer['memories'][number]> => {
  const found = (await list({ forms: ['fact'] })).memories.find(({ key }) => key === 'residence')
  if (found === undefined) throw new Error('no residence was learned')
  return found
}

describe('input that cannot be taken', () => {
  const cases: readonly [tool: string, args: Record<string, unknown>, says: RegExp][] = [
    ['remember', {}, /Give either text or turns/],
    ['remember', { text: 'a', turns: [{ role: 'user', text: 'b' }] }, /Give either text or turns/],
    ['remember', { text: '   ' }, /text: it must not be empty/],
    ['remember', { turns: [] }, /Give either text or turns/],
    ['remember', { turns: [{ role: 'system', text: 'x' }] }, /turns\[0\]\.role: /],
    ['remember', { turns: [{ role: 'user', text: 'x', at: 'yesterday' }] }, /turns\[0\]\.at: /],
    ['remember', { text: 'x', user: 'somebody-else' }, /user/],
    ['recall', {}, /question: /],
    ['recall', { question: 'x', limit: 0 }, /limit: /],
    ['recall', { question: 'x', limit: 1e9 }, /limit: /],
    ['recall', { question: ['x'] }, /question: /],
    ['recall', { question: ' \n' }, /question: it must not be empty/],
    ['remember', { turns: [{ role: 'user', text: '' }] }, /turns\[0\]\.text: it must not be empty/],
    ['list_memories', { forms: ['rumour'] }, /forms\[0\]: /],
    ['add_fact', { text: ' ' }, /text: it must not be empty/],
    ['edit_memory', { id: 'x' }, /text: /],
    ['forget_memory', { topic: 'Bristol' }, /"topic"\. forget_memory takes id\./],
    ['recall', { query: 'x' }, /question: .*"query"\. recall takes question, limit, /],
    ['write_block', { label: 'x', value: 'y' }, /"label", "value"\. write_block takes name, text, limit/],
    ['entities', { name: 'Zoe' }, /"name"\. entities takes no arguments/],
    ['forget_memory', { id: '../../etc/passwd' }, /There is no memory/],
    ['forget_memory', { id: "'; DROP TABLE memories; --" }, /There is no memory/],
    ['undo', { operation: 'nothing' }, /There is no operation "nothing" here\. edit_memory/],
    ['undo', {}, /There is nothing to undo/],
    ['edit_memory', { id: 'x', text: 'y' }, /There is no memory "x" here\. recall and list_memories/],
    ['about', { entity: 'Zoe' }, /There is no entity "Zoe" here\. entities returns the names/],
    ['no_such_tool', {}, /There is no tool with this name/],
    ['constructor', {}, /There is no tool with this name/],
  ]

  it.each(cases)('%s %j is an error of the tool that says why', async (tool, args, says) => {
    await told('I live in Bristol.')
    const { isError, text } = await call(client, tool, args)
    expect(isError).toBe(true)
    expect(text).toMatch(says)
    expect((await list({ forms: ['utterance'] })).memories.length).toBe(1)
  })
})

describe('arguments as models send them', () => {
  const lenient: readonly [tool: string, args: Record<string, unknown>][] = [
    ['recall', { question: 'Where do I live?', limit: '3' }],
    ['recall', { question: 'Where do I live?', limit: null, types: null, tokens: '400' }],
    ['recall', { question: 'Where do I live?', types: '["persona"]' }],
    ['recall', { question: 'Where do I live?', types: 'persona' }],
    ['remember', { text: 'I sail.', turns: null }],
    ['remember', { turns: '[{"role": "user", "text": "I sail."}]' }],
    ['list_memories', { forms: 'fact', limit: '2' }],
    ['recall', { question: '42' }],
    ['recall', { question: 'Where do I live?', limit: '', types: '' }],
    ['due', { from: '', to: '' }],
    ['add_fact', { text: 'The user rows.', key: '', until: '' }],
    ['recall', { question: 'Where do I live?', said: { from: '2026', to: null } }],
    ['recall', { question: 'Where do I live?', said: '{"from": "2026", "to": ""}', types: [] }],
    ['list_memories', { types: [], forms: [] }],
    ['remember', { text: 'I sail.', turns: [] }],
    ['remember', { turns: { role: 'user', text: 'I sail.', at: null } }],
    [
      'remember',
      { turns: [{ role: 'user', content: 'I sail.', attachments: { type: 'image', url: null } }] },
    ],
    ['remember', { content: 'I sail.' }],
    ['due', { from: '2026-12-01', to: 'null' }],
  ]

  it.each(lenient)('%s %j is read as it is meant', async (tool, args) => {
    const { isError, text } = await call(client, tool, args)
    expect([isError ?? false, text]).toEqual([false, text])
  })

  it('undo takes "last" for the last change', async () => {
    await call(client, 'add_fact', { text: 'The user rows.' })
    expect((await call(client, 'undo', { operation: 'last' })).text).toMatch(/^Undone/)
    expect((await list({ forms: ['fact'] })).memories).toEqual([])
  })
})

describe('a text that is too long', () => {
  it('is refused, and the limit said', async () => {
    const { isError, text } = await call(client, 'remember', { text: 'x'.repeat(100_001) })
    expect(isError).toBe(true)
    expect(text).toContain('100000')
    expect((await keepsake.stats()).turns).toBe(0)
  })
})

describe('failures inside', () => {
  it('are told without what happened inside, and logged without texts', async () => {
    const logged: LogEntry[] = []
    const broken = await connectInProcess(
      Object.assign(Object.create(keepsake) as Keepsake, {
        on: () => keepsake,
        scope: () => {
          throw new TypeError('secret: I live in Bristol')
        },
      }),
      { user: 'maya' },
      { log: (entry) => logged.push(entry) },
    )
    const { isError, text } = await call(broken, 'recall', { question: 'Where does she live?' })
    expect(isError).toBe(true)
    expect(text).not.toContain('Bristol')
    expect(logged).toEqual([
      { level: 'error', event: 'mcp-tool-failed', tool: 'recall', code: 'internal', cause: 'TypeError' },
    ])
  })

  it('a memory that was closed is an error of the tool', async () => {
    await keepsake.close()
    const { isError, text } = await call(client, 'recall', { question: 'Where does she live?' })
    expect(isError).toBe(true)
    expect(text).toContain('shutting down')
  })
})

describe('walls', () => {
  it("knows nothing of another user's memories, whatever their ids", async () => {
    await told('I live in Bristol.')
    const { id } = await residence()
    const { structured } = await call<{ operation: string }>(client, 'edit_memory', {
      id,
      text: 'Maya lives in Bristol now.',
    })
    const other = await connectInProcess(keepsake, { user: 'tom' })
    await call(other, 'remember', { text: 'I live in Oslo.' })
    const missing = await call(other, 'forget_memory', { id: 'no-such-id' })
    const foreign = await call(other, 'forget_memory', { id })
    expect(foreign.isError).toBe(true)
    expect(foreign.text.replace(id, 'no-such-id')).toBe(missing.text)
    expect((await call(other, 'edit_memory', { id, text: 'Hm.' })).text).toContain('There is no memory')
    const { operation } = structured
    expect((await call(other, 'undo', { operation })).text).toContain('There is no operation')
    const found = await call<RecallAnswer>(other, 'recall', { question: 'Where do I live?' })
    expect(JSON.stringify(found)).not.toContain('Bristol')
    expect(await residence()).toMatchObject({ text: 'Maya lives in Bristol now.' })
  })

  it('a grant that only reads lists no tool that writes, refuses them, and strengthens nothing', async () => {
    await told('I live in Bristol.')
    const { id } = await residence()
    const reader = await connectInProcess(keepsake, { user: 'maya' }, { grant: grantOf(['maya'], ['read']) })
    expect((await reader.listTools()).tools.map(({ name }) => name)).toEqual([
      'recall',
      'list_memories',
      'due',
      'entities',
      'about',
      'list_blocks',
    ])
    for (const [name, args] of [
      ['remember', { text: 'I live in Rome.' }],
      ['add_fact', { text: 'Maya lives in Rome.' }],
      ['edit_memory', { id, text: 'Maya lives in Rome.' }],
      ['forget_memory', { id }],
      ['undo', { operation: 'x' }],
    ] as const) {
      const { isError, text } = await call(reader, name, args)
      expect(isError).toBe(true)
      expect(text).toContain(`does not allow ${name}`)
    }
    const uses = async () => (await keepsake.scope({ user: 'maya' }).memories()).map(({ use }) => use.first)
    const before = await uses()
    await call(reader, 'recall', { question: 'Where does she live?' })
    await keepsake.drain()
    expect(await uses()).toEqual(before)
    await call(client, 'recall', { question: 'Where does she live?' })
    await keepsake.drain()
    expect(await uses()).not.toEqual(before)
  })

  it('a grant that only writes is shown nothing', async () => {
    const writer = await connectInProcess(keepsake, { user: 'maya' }, { grant: grantOf(['maya'], ['write']) })
    const names = (await writer.listTools()).tools.map(({ name }) => name)
    expect(names).toContain('remember')
    expect(names).not.toContain('recall')
    expect((await call(writer, 'recall', { question: 'x' })).text).toContain('does not allow recall')
    expect(writer.getServerCapabilities()?.resources).toBeUndefined()
    expect(names).not.toContain('edit_block')
    await told('I live in Bristol.')
    const forgotten = await call(writer, 'forget_about', { topic: 'Bristol', preview: true })
    expect(JSON.stringify(forgotten)).not.toContain('live in')
    expect(forgotten.text).toMatch(/Would forget [1-9]/)
    const { id } = await residence()
    const refused = await call(writer, 'edit_memory', { id, text: 'Maya moved.' })
    const edited = await call(writer, 'edit_memory', { id, text: 'Maya moved.', value: 'Rome' })
    expect(JSON.stringify([refused, edited])).not.toContain('Bristol')
  })
})

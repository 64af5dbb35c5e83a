import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import type { BetaMemoryTool20250818Command as Command } from '@anthropic-ai/sdk/resources/beta'
import { BetaLocalFilesystemMemoryTool, betaMemoryTool } from '@anthropic-ai/sdk/tools/memory/node'
import { openMemory, type Keepsake, type ScopedMemory } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryHandlers } from './anthropic.ts'

let keepsake: Keepsake
let ana: ScopedMemory
const folder = mkdtempSync(join(tmpdir(), 'keepsake-anthropic-'))

beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
  ana = keepsake.scope({ user: 'ana' })
})
afterEach(async () => {
  await keepsake.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What each command is answered, or the error that the SDK hands to the model. */
async function answers(handlers: MemoryToolHandlers, commands: readonly Command[]): Promise<string[]> {
  const tool = betaMemoryTool(handlers)
  const texts: string[] = []
  for (const command of commands)
    texts.push(
      await Promise.resolve()
        .then(() => tool.run(command))
        .then(String, (error: Error) => `Error: ${error.message}`),
    )
  return texts
}

const create = (path: string, file_text: string): Command => ({ command: 'create', path, file_text })
const view = (path: string, view_range?: number[]): Command => ({
  command: 'view',
  path,
  ...(view_range === undefined ? {} : { view_range }),
})
const replace = (path: string, old_str: string, new_str: string): Command => ({
  command: 'str_replace',
  path,
  old_str,
  new_str,
})
const insert = (path: string, insert_line: number, insert_text: string): Command => ({
  command: 'insert',
  path,
  insert_line,
  insert_text,
})
const remove = (path: string): Command => ({ command: 'delete', path })
const rename = (old_path: string, new_path: string): Command => ({ command: 'rename', old_path, new_path })

const TALK: readonly Command[] = [
  create('/memories/prefs.md', 'Tone: brief.\nPrices: net.\nTone of mail: formal.\n'),
  create('/memories/prefs.md', 'again'),
  create('/memories/people/ana/notes.md', 'Likes crime novels.'),
  create('/memories/people.md', ''),
  create('/memories/people', 'x'),
  view('/memories/prefs.md'),
  view('/memories/prefs.md', [2, -1]),
  view('/memories/prefs.md', [1, 2]),
  view('/memories/none.md'),
  replace('/memories/prefs.md', 'Prices: net.', 'Prices: $& gross.\nVAT: shown.'),
  replace('/memories/prefs.md', 'Tone', 'Voice'),
  replace('/memories/prefs.md', 'Colour', 'Voice'),
  replace('/memories/none.md', 'a', 'b'),
  replace('/memories/people', 'a', 'b'),
  insert('/memories/prefs.md', 0, '# Preferences\n'),
  insert('/memories/prefs.md', 99, 'x'),
  insert('/memories/none.md', 0, 'x'),
  view('/memories/prefs.md'),
  rename('/memories/people', '/memories/contacts'),
  rename('/memories/none.md', '/memories/other.md'),
  rename('/memories/prefs.md', '/memories/contacts'),
  rename('/memories', '/memories/all'),
  view('/memories/contacts/ana/notes.md'),
  remove('/memories/none.md'),
  remove('/memories/contacts'),
  view('/memories/contacts/ana/notes.md'),
  remove('/memories'),
  view('/memories/../secrets.md'),
  view('/etc/passwd'),
]

describe('memoryHandlers', () => {
  it('answers as the SDK’s own file system does, command by command', async () => {
    const own = await answers(memoryHandlers(ana), TALK)
    const theirs = await answers(await BetaLocalFilesystemMemoryTool.init(folder), TALK)
    expect(own).toEqual(theirs)
    expect(own[9]).toBe(
      'The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tTone: brief.\n     2\tPrices: $& gross.\n     3\tVAT: shown.\n     4\tTone of mail: formal.',
    )
  })

  it('lists two levels of directories, with what is in them', async () => {
    const handlers = memoryHandlers(ana)
    await ana.writeBlock('//odd', 'no path of a file')
    await answers(handlers, [
      create('/memories/b.md', 'x'.repeat(1_536)),
      create('/memories/a/one/two/three.md', 'deep'),
      create('/memories/a.md', 'file'),
      create('/memories/.hidden', 'hidden'),
    ])
    const listed = [view('/memories'), view('/memories/a/one/'), view('/memories/c')]
    expect(await answers(handlers, listed)).toEqual([
      [
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:",
        '1.5K\t/memories',
        '4B\t/memories/a/',
        '4B\t/memories/a/one/',
        '4B\t/memories/a.md',
        '1.5K\t/memories/b.md',
      ].join('\n'),
      "Here're the files and directories up to 2 levels deep in /memories/a/one, excluding hidden items and node_modules:\n4B\t/memories/a/one\n4B\t/memories/a/one/two/\n4B\t/memories/a/one/two/three.md",
      'Error: The path /memories/c does not exist. Please provide a valid path.',
    ])
    const theirs = await BetaLocalFilesystemMemoryTool.init(folder)
    await answers(theirs, [create('/memories/a/one/two/x.md', 'x'), create('/memories/a.md', 'x')])
    const [sdk = ''] = await answers(theirs, [view('/memories')])
    const entries = sdk.split('\n').map((line) => line.split('\t').at(-1))
    const ours = (await answers(handlers, [view('/memories')]))[0]
      ?.split('\n')
      .map((line) => line.split('\t').at(-1))
    expect(ours?.slice(0, 5)).toEqual(entries)
  })

  it.each([
    '/memories/../x',
    '/memories/a/../../x',
    '/memories/%2e%2e/x',
    '/memories/..%2fx',
    String.raw`/memories/..\x`,
    '/memories/./x',
    '/memoriesx/y',
    'memories/x',
    '../memories/x',
    '',
  ])('refuses the path %s with every command', async (path) => {
    await ana.writeBlock('x', 'known')
    const commands = [
      view(path),
      create(path, 'y'),
      replace(path, 'known', 'y'),
      insert(path, 0, 'y'),
      remove(path),
      rename(path, '/memories/z'),
      rename('/memories/x', path),
    ]
    for (const answer of await answers(memoryHandlers(ana), commands))
      expect(answer).toMatch(
        /^Error: Path (?:.* would escape \/memories directory|must start with \/memories)/,
      )
    expect((await ana.blocks()).map(({ name, text }) => [name, text])).toEqual([['x', 'known']])
  })

  it('says what does not fit, and changes nothing', async () => {
    const handlers = memoryHandlers(ana, { limit: 10 })
    const long =
      /^Error: File \/memories\/a would hold \d+ characters, and at most 10 are taken\. Nothing was changed/
    const refused = [
      create('/memories/a', '0123456789'),
      create('/memories/a/b', 'x'),
      replace('/memories/a', '9', '9!'),
      insert('/memories/a', 0, ''),
      rename('/memories/a', '/memories/a/b'),
    ]
    const [made, ...texts] = await answers(handlers, refused)
    expect(made).toBe('File created successfully at: /memories/a')
    expect(texts).toEqual([
      'Error: The path /memories/a is not a directory.',
      expect.stringMatching(long),
      expect.stringMatching(long),
      'Error: Cannot rename /memories/a to a path inside itself',
    ])
    expect(await answers(handlers, [create('/memories/b', '0123456789!')])).toEqual([
      expect.stringContaining('File /memories/b would hold 11 characters'),
    ])
    expect(await ana.blocks()).toMatchObject([{ name: 'a', text: '0123456789' }])
  })

  it('keeps to its scope, and names what a change rests on', async () => {
    const luna = keepsake.scope({ user: 'ana', agent: 'luna' })
    await luna.writeBlock('hers', 'private')
    await ana.remember({ role: 'user', text: 'Prices are net.', id: 't1' })
    const handlers = memoryHandlers(ana, { evidence: () => ['t1'] })
    const [, , listing] = await answers(handlers, [
      create('/memories/prices', 'net'),
      view('/memories/hers'),
      view('/memories'),
    ])
    expect(listing).not.toContain('hers')
    const block = (await ana.blocks()).find(({ name }) => name === 'prices')
    expect(block?.evidence).toEqual([{ turn: 't1', quote: null }])
  })
})

describe('the SDK’s tool runner', () => {
  it('lets a model read, write and correct its memory, which the next context shows', async () => {
    const asked: { tools: unknown; messages: { content: unknown }[] }[] = []
    const script: Command[] = [
      view('/memories'),
      create('/memories/tasks.md', 'book the train'),
      replace('/memories/tasks.md', 'plane', 'train'),
    ]
    const anthropic = new Anthropic({
      apiKey: 'none',
      fetch: (_, init) => {
        asked.push(JSON.parse(init?.body as string))
        const input = script.shift()
        const content =
          input === undefined
            ? [{ type: 'text', text: 'Noted.' }]
            : [{ type: 'tool_use', id: `use-${asked.length}`, name: 'memory', input }]
        return Promise.resolve(
          Response.json({
            id: `msg-${asked.length}`,
            type: 'message',
            role: 'assistant',
            model: 'scripted',
            content,
            stop_reason: input === undefined ? 'end_turn' : 'tool_use',
            usage: { input_tokens: 1, output_tokens: 1 },
          }),
        )
      },
    })
    const last = await anthropic.beta.messages.toolRunner({
      model: 'scripted',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Remind me of the train.' }],
      tools: [betaMemoryTool(memoryHandlers(ana))],
    })
    expect(last.content).toMatchObject([{ text: 'Noted.' }])
    expect(asked[0]?.tools).toEqual([{ type: 'memory_20250818', name: 'memory' }])
    const results = asked.slice(1).map(({ messages }) => messages.at(-1)?.content)
    const path = '/memories/tasks.md'
    expect(results).toMatchObject([
      [{ content: expect.stringContaining('0B\t/memories') as string }],
      [{ content: `File created successfully at: ${path}` }],
      [
        {
          content: `Error: No replacement was performed, old_str \`plane\` did not appear verbatim in ${path}.`,
          is_error: true,
        },
      ],
    ])
    expect((await ana.recall('Hello?')).context.text).toContain('[block "tasks.md"] "book the train"')
  })
})

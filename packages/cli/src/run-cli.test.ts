import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { COMMANDS } from './commands.ts'
import { run } from './testing/run-command.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const folder = temporaryFolder()
const db = join(folder, 'maya.db')
const talk = join(folder, 'talk.jsonl')

const TURN = { id: 't1', session: 's1', role: 'user', at: '2026-03-03T19:05:00Z' }
const TURNS = [
  { ...TURN, text: 'I live in Bristol and I am allergic to penicillin.' },
  { ...TURN, id: 't2', role: 'assistant', text: 'I will keep that in mind.' },
  { ...TURN, id: 't3', session: 's2', text: 'My sister Ada lives in Leeds.', at: '2026-03-10T19:05:00Z' },
  { ...TURN, id: 't4', session: 's2', role: 'assistant', text: 'Say hello.', at: '2026-03-10T19:06:00Z' },
]

const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const on = (...argv: string[]): string[] => [...argv, '--db', db]

beforeAll(async () => {
  writeFileSync(talk, lines(TURNS))
  const imported = await run(on('import', talk, '--user', 'maya', '--json'))
  expect(imported.err).toBe('')
  expect(imported.code).toBe(0)
})

async function firstMemory(): Promise<{ id: string; text: string }> {
  const [memory] = (await run(on('list', '--json'))).json() as { id: string; text: string }[]
  if (memory === undefined) throw new Error('nothing was remembered')
  return memory
}

const COMMAND_NAMES = Object.values(COMMANDS).flatMap((commands) => Object.keys(commands))
/** Groups of commands, and the server that speaks on stdout. */
const WITHOUT_JSON = new Set(['keys', 'webhooks', 'train', 'bench', 'mcp'])
const BENCHMARKS = ['bench retrieval', 'bench forgetting', 'bench perf']
const SUBCOMMANDS = ['keys create', 'webhooks create', 'webhooks secret']

describe('help', () => {
  it('lists every command and the exit codes, and ends with 0', async () => {
    const { code, out } = await run(['--help'])
    expect(code).toBe(0)
    for (const name of COMMAND_NAMES) expect(out).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    expect(out).toContain('Exit codes:')
  })

  it.each(['chat', 'import', 'recall', 'jobs'])('%s lists how models are named', async (name) => {
    const { out } = await run([name, '--help'])
    const options =
      '--model --embedding --reranking --model-timeout --budget-calls --exchanges-per-extraction'
    for (const option of options.split(' ')) expect(out).toContain(option)
    expect(out).toContain('openai-compatible:URL#NAME')
  })

  it.each([...COMMAND_NAMES.filter((name) => !WITHOUT_JSON.has(name)), ...BENCHMARKS, ...SUBCOMMANDS])(
    '%s has examples, --json and no line over 80 columns but in its examples',
    async (name) => {
      const { code, out } = await run([...name.split(' '), '--help'])
      expect(code).toBe(0)
      expect(out).toMatch(/^Examples?:$/m)
      expect(out).toContain('--json')
      const [options = ''] = out.split(/^Examples?:$/m)
      expect(options.split('\n').filter((line) => line.length > 80)).toEqual([])
    },
  )
})

describe('wrong usage', () => {
  it.each([
    ['an unknown command', ['remembr']],
    ['an unknown option', ['list', '--everything']],
    ['a missing argument', ['recall']],
    ['a number out of range', ['recall', 'x', '--limit', '0']],
    ['a time that is none', ['recall', 'x', '--as-of', 'yesterday']],
    ['an unknown preset', ['list', '--preset', 'mem']],
    ['an unknown form', ['list', '--forms', 'facts']],
  ])('%s ends with 2, one line and no stack', async (_, argv) => {
    const { code, out, err } = await run(argv)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toMatch(/^keepsake: /)
    expect(err).not.toMatch(/^\s+at /m)
  })

  it('a question without a word ends with 2, and says what to do', async () => {
    const { code, out, err } = await run(on('recall', ' '))
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^keepsake: The question is empty\. Ask something/)
  })

  it('an edit that sets nothing ends with 2', async () => {
    const { code, err } = await run(on('edit', (await firstMemory()).id))
    expect(code).toBe(2)
    expect(err).toContain('--text')
  })
})

it.each([
  [['export', '--out', '/nonexistent/x'], 'Check that its folder exists'],
  [['undo', 'zzz'], '"keepsake history MEMORY" lists them'],
  [['confirm', 'zzz'], '"keepsake confirm" lists them'],
  [['about', 'nobody'], '"keepsake entities" lists them'],
])('says what to do next: %j', async ([name = '', ...words], hint) => {
  const { code, err } = await run(on(name, ...words))
  expect([code > 0, err.replaceAll(/\s+/g, ' ')]).toEqual([true, expect.stringContaining(hint)])
})

describe('a database that cannot be used', () => {
  it('is not made by a command that reads', async () => {
    const missing = join(folder, 'missing.db')
    for (const argv of [
      ['recall', 'x'],
      ['list'],
      ['stats'],
      ['scopes'],
      ['erase', '--yes'],
      ['export'],
      ['backup', join(folder, 'b.db')],
    ]) {
      const { code, err } = await run([...argv, '--db', missing])
      expect(code).toBe(3)
      expect(err).toContain('There is no database')
    }
    expect(existsSync(missing)).toBe(false)
  })

  it('is a folder: ends with 2', async () => {
    const asFolder = join(folder, 'folder.db')
    mkdirSync(asFolder)
    expect((await run(['list', '--db', asFolder])).code).toBe(2)
  })

  it('is no database: ends with 4 and says so in a line', async () => {
    const broken = join(folder, 'broken.db')
    writeFileSync(broken, 'this is not a database, and long enough to have a header of its own'.repeat(20))
    const { code, err } = await run(['list', '--db', broken])
    expect(code).toBe(4)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })

  it('shows the stack with --debug only', async () => {
    const { err } = await run(['list', '--db', join(folder, 'missing.db'), '--debug'])
    expect(err).toMatch(/^\s+at /m)
  })

  it('says the error as JSON on stderr with --json, and nothing on stdout', async () => {
    const { code, out, err } = await run(['list', '--db', join(folder, 'missing.db'), '--json'])
    expect(code).toBe(3)
    expect(out).toBe('')
    expect(JSON.parse(err)).toMatchObject({
      error: { exitCode: 3, message: expect.stringContaining('There is no database') as string },
    })
  })
})

describe('import', () => {
  it('can be repeated: known turns are not stored again', async () => {
    const [result] = (await run(on('import', talk, '--user', 'maya', '--json'))).json()
    expect(result).toMatchObject({ added: 0, repeated: 4 })
  })

  it.each([
    ['a person, and makes no database without one', lines(TURNS), [], '--user'],
    [
      'JSON, and names file and line otherwise',
      `${JSON.stringify(TURNS[0])}\nnot json\n`,
      ['--user', 'x'],
      'read.jsonl:2',
    ],
    [
      'fields that it knows',
      lines([{ role: 'user', text: 'hi', timestamp: '2026' }]),
      ['--user', 'x'],
      '"timestamp"',
    ],
  ])('needs %s', async (_, content, options, message) => {
    const [file, refused] = [join(folder, 'read.jsonl'), join(folder, 'refused.db')]
    writeFileSync(file, content)
    const { code, err } = await run(['import', file, ...options, '--db', refused])
    expect(code).toBe(options.length === 0 ? 2 : 1)
    expect(err).toContain(message)
    expect(existsSync(refused)).toBe(false)
  })

  it('reads stdin for -', async () => {
    const file = join(folder, 'stdin.db')
    const { code } = await run(['import', '-', '--db', file], {
      stdin: lines([{ ...TURNS[0], user: 'ana' }]),
    })
    expect(code).toBe(0)
    expect((await run(['scopes', '--db', file, '--json'])).json()).toMatchObject([{ user: 'ana' }])
  })

  it('finds no file: ends with 3 and makes no database', async () => {
    const file = join(folder, 'never.db')
    expect((await run(['import', join(folder, 'no.jsonl'), '--user', 'x', '--db', file])).code).toBe(3)
    expect(existsSync(file)).toBe(false)
  })
})

describe('reading', () => {
  it('recalls what was said, with evidence, as one JSON object', async () => {
    const run1 = await run(on('recall', 'Where does Ada live?', '--json'))
    expect(run1.code).toBe(0)
    const [recall] = run1.json() as {
      memories: { memory: { text: string }; evidence: { turn: string }[] }[]
    }[]
    expect(recall?.memories[0]?.memory.text).toContain('Leeds')
    expect(recall?.memories[0]?.evidence.map(({ turn }) => turn)).toContain('t3')
  })

  it('prints the context alone with --context', async () => {
    const { out } = await run(on('recall', 'Where does Ada live?', '--context'))
    expect(out).toContain('Leeds')
    expect(out).not.toContain('confidence')
  })

  it('needs no --user when there is one person, and asks when there are several', async () => {
    const two = join(folder, 'two.db')
    for (const user of ['maya', 'ana']) await run(['import', talk, '--user', user, '--db', two])
    expect((await run(['list', '--db', two])).err).toContain('ana, maya')
    expect((await run(['list', '--db', two])).code).toBe(2)
    expect((await run(['list', '--db', two, '--user', 'ana'])).code).toBe(0)
    expect((await run(['list', '--db', two, '--user', 'nobody'])).code).toBe(3)
  })

  it('takes database and person from the environment, and options over it', async () => {
    const env = { KEEPSAKE_DB: db, KEEPSAKE_USER: 'maya' }
    expect((await run(['list'], { env })).code).toBe(0)
    expect((await run(['list', '--user', 'nobody'], { env })).code).toBe(3)
  })

  it('explains a memory by the end of its id', async () => {
    const { id } = await firstMemory()
    const { code, json } = await run(on('why', id.slice(-8), '--json'))
    expect(code).toBe(0)
    expect(json()).toMatchObject([{ memory: { id } }])
    expect((await run(on('why', 'zzzzzzzz'))).code).toBe(3)
  })

  it('says why in a sentence, and with --verbose what the policy counted', async () => {
    const { id } = await firstMemory()
    expect((await run(on('why', id))).out.trim()).toMatch(/\n\nActive\. [^\n]+$/)
    expect((await run(on('why', id, '--verbose'))).out).toMatch(/Made by .*No recall/s)
  })

  it('counts what one user has', async () => {
    const { out } = await run(on('stats', '--user', 'maya'))
    expect(out).toMatch(/^turns +4$/m)
    expect(out).toMatch(/^memories +\d messages, \d facts$/m)
  })

  it.each(['persona', 'story', 'stats'])('%s --json prints one object', async (name) => {
    const { code, json } = await run(on(name, '--json'))
    expect(code).toBe(0)
    expect(json()).toHaveLength(1)
  })

  it('writes no control characters without a terminal, and none with NO_COLOR', async () => {
    for (const io of [{}, { columns: 60, env: { NO_COLOR: '1' } }]) {
      for (const argv of [on('recall', 'Where does Ada live?'), on('list'), on('persona'), on('stats')]) {
        // eslint-disable-next-line no-control-regex
        expect((await run(argv, io)).out).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F]/)
      }
    }
  })
})

describe('changing', () => {
  it('forgets a memory, and an undo brings it back', async () => {
    const { id } = await firstMemory()
    const ids = async (): Promise<string[]> =>
      ((await run(on('list', '--json'))).json() as { id: string }[]).map((one) => one.id)
    const [result] = (await run(on('forget', id, '--json'))).json() as { operation: { id: string } }[]
    expect(await ids()).not.toContain(id)
    expect((await run(on('undo', result?.operation.id ?? ''))).code).toBe(0)
    expect(await ids()).toContain(id)
  })

  it('shows what an edit changed, takes the last change back, and keeps the history', async () => {
    const { id, text } = await firstMemory()
    const { out } = await run(on('edit', id, '--text', 'The user lives in Bath.'))
    expect(out.split('\n').slice(0, 2)).toEqual(['Corrected: The user lives in Bath.', `  was: ${text}`])
    // Without a name, the last change is meant.
    expect((await run(on('undo'))).code).toBe(0)
    expect((await firstMemory()).text).toBe(text)
    const { json } = await run(on('history', id, '--json'))
    // The test above let the same memory go and brought it back.
    expect(
      json()
        .map((one) => (one as { kind: string }).kind)
        .slice(-2),
    ).toEqual(['modify', 'modify'])
  })

  it('undo takes back one change more each time, and says when nothing is left', async () => {
    const { id, text } = await firstMemory()
    await run(on('edit', id, '--text', 'The user lives in Ripon.'))
    await run(on('edit', id, '--text', 'The user lives in Ely.'))
    await run(on('undo'))
    expect((await firstMemory()).text).toBe('The user lives in Ripon.')
    await run(on('undo'))
    expect((await firstMemory()).text).toBe(text)
    expect((await run(on('forget', '--about', 'zebras'))).out).toContain('No memory names that')
  })

  it('an edit of a mistake keeps the date, and says nothing of before', async () => {
    const { id } = await firstMemory()
    const { code } = await run(on('edit', id, '--text', 'The user lives in Ripon.', '--mistake'))
    expect(code).toBe(0)
    expect(await firstMemory()).toMatchObject({ id, text: 'The user lives in Ripon.', past: [] })
    expect((await run(on('history', id))).out).toContain('by the command line')
    expect((await run(on('undo'))).code).toBe(0)
    const refused = await run(on('edit', id, '--mistake', '--value', 'x'))
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--mistake needs --text')])
  })

  it('forgetting nothing in particular ends with 2 and says what to give', async () => {
    expect(await run(on('forget'))).toMatchObject({ code: 2, err: expect.stringContaining('--about TOPIC') })
  })

  it('restoring what is live ends with 1 and says why', async () => {
    const { code, err } = await run(on('restore', (await firstMemory()).id))
    expect(code).toBe(1)
    expect(err).toContain('live')
  })

  it('a dry run of the policy changes nothing', async () => {
    const before = (await run(on('list', '--json'))).out
    const { code, json } = await run(on('run-forgetting', '--dry-run', '--keep', '0', '--json'))
    expect(code).toBe(0)
    expect(json()).toMatchObject([{ dryRun: true }])
    expect((await run(on('list', '--json'))).out).toBe(before)
  })
})

describe('taking it elsewhere', () => {
  it('an export reads back to the same export', async () => {
    const file = join(folder, 'export.jsonl')
    const other = join(folder, 'other.db')
    expect((await run(on('export', '--out', file))).code).toBe(0)
    expect((await run(['import', '--format', 'keepsake', file, '--db', other])).code).toBe(0)
    const parse = (text: string): unknown[] =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
    expect(parse((await run(['export', '--db', other])).out)).toEqual(parse(readFileSync(file, 'utf8')))
    expect((await run(on('export', '--out', file))).code).toBe(2)
  })

  it('a backup is a database', async () => {
    const copy = join(folder, 'copy.db')
    expect((await run(on('backup', copy))).code).toBe(0)
    expect((await run(['list', '--db', copy, '--json'])).out).toBe((await run(on('list', '--json'))).out)
    expect((await run(on('backup', copy))).code).not.toBe(0)
  })
})

describe('erase', () => {
  it('asks for --yes where nobody can be asked, and then leaves no byte', async () => {
    const file = join(folder, 'erase.db')
    await run(['import', talk, '--user', 'maya', '--db', file])
    const asked = await run(['erase', '--db', file])
    expect(asked.code).toBe(2)
    expect(asked.err).toContain('--yes')
    expect(readFileSync(file).includes('penicillin')).toBe(true)
    const unnamed = await run(['erase', '--db', file, '--yes'])
    expect([unnamed.code, unnamed.err]).toEqual([2, expect.stringContaining('--yes needs --user')])
    expect((await run(['list', '--db', file])).code).toBe(0)
    expect((await run(['erase', '--db', file, '--yes'], { env: { KEEPSAKE_USER: 'maya' } })).code).toBe(0)
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(file + suffix)) expect(readFileSync(file + suffix).includes('penicillin')).toBe(false)
    }
    expect((await run(['list', '--db', file])).code).toBe(3)
  })
})

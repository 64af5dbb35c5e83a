import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { scriptedEndpoint, type ScriptedEndpoint } from '../testing/scripted-endpoint.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

let folder: string
let talk: string
beforeEach(() => {
  folder = temporaryFolder()
  talk = join(folder, 'ana-en.jsonl')
  const at = '2026-05-01T10:00:00Z'
  const lines = [
    { session: 's1', id: 't1', role: 'user', text: 'I moved to Lyon in May.', at },
    { session: 's1', id: 't2', role: 'assistant', text: 'How do you like it there?', at },
    { session: 's1', id: 't3', role: 'user', text: 'My sister Mia plays the cello.', at },
  ]
  writeFileSync(talk, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const questions = [
    { question: 'Which instrument does Mia play?', answer: 'The cello', evidence: ['t3'], kind: 'single' },
    { question: 'What is the name of Ana’s dog?', evidence: [], kind: 'unknown' },
  ]
  writeFileSync(join(folder, 'ana-en.notes.json'), JSON.stringify({ user: 'Ana', questions }))
})

const bench = (...options: string[]) =>
  run(['bench', 'run', '--dataset', 'own-talk', '--path', talk, '--runs', join(folder, 'runs'), ...options])

interface Printed {
  readonly system: string
  readonly judge: string
  readonly command: string
  readonly figures: readonly {
    readonly metric: string
    readonly slice: string
    readonly value: number
    readonly judge: string | null
  }[]
}

const figureOf = ({ figures }: Printed, metric: string) =>
  figures.find((figure) => figure.metric === metric && figure.slice === 'all')

describe('keepsake bench run', () => {
  it('measures several systems and shows their main figures side by side', async () => {
    const { code, out, err } = await bench('--system', 'bm25,none')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/bm25\s+none\s+judge/)
    expect(out).toMatch(/evidence in the first five\s+100\.0 %\s+0\.0 %\s+computed/)
    expect(out).toMatch(/answers right\s+\d+\.0 %\s+50\.0 %\s+deterministic/)
    expect(out).toContain('keepsake bench report')
    expect(readdirSync(join(folder, 'runs'))).toHaveLength(2)
  })

  it('prints the figures of one system as one JSON object, with the command that made them', async () => {
    const { out } = await bench('--system', 'bm25', '--tasks', 'retrieval', '--json')
    const printed: Printed = JSON.parse(out)
    expect(printed.system).toBe('bm25')
    expect(printed.command).toContain('--system bm25 --tasks retrieval')
    expect(figureOf(printed, 'hit@1')).toMatchObject({ value: 1, judge: null })
    expect(figureOf(printed, 'correct')).toBeUndefined()
  })

  it('prints a list of several, and writes them to a file that is named', async () => {
    const file = join(folder, 'figures.json')
    const { out } = await bench('--system', 'bm25,none', '--tasks', 'retrieval', '--json', file)
    expect(out).toMatch(/bm25\s+none/)
    const written: Printed[] = JSON.parse(readFileSync(file, 'utf8'))
    expect(written.map(({ system }) => system)).toEqual(['bm25', 'none'])
  })

  it.each([
    [['--system', 'bm52'], /'--system <names>' argument 'bm52' is invalid\. It must be of keepsake, /],
    [['--tasks', 'retrieving'], /'--tasks <names>' .* It must be of retrieval, /],
    [['--context-tokens', 'many'], /'--context-tokens <n>' .* It must be a whole number from 1 to 1000000/],
    [['--system', 'mem0'], /mem0 needs a language model: name one with --model/],
    [['--tasks', 'forgetting'], /own-talk does not mark what is worth keeping/],
    [['--tasks', 'forgetting,retrieval'], /without other tasks/],
  ])('says what is wrong with %s and measures nothing', async (options, message) => {
    const { code, out, err } = await bench(...options)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toMatch(message)
  })

  it('says where a key goes that a service needs', async () => {
    const { code, err } = await bench('--system', 'zep')
    expect(code).toBe(1)
    expect(err).toContain('ZEP_API_KEY')
  })
})

describe('keepsake bench run with a model', () => {
  let endpoint: ScriptedEndpoint
  beforeEach(async () => {
    endpoint = await scriptedEndpoint(({ system }) => ({
      text: JSON.stringify(
        system.startsWith('You answer a question')
          ? { known: true, answer: 'A cello' }
          : { elements: [{ element: 'cello', state: 'given' }], contradiction: '', reason: 'it says so' },
      ),
    }))
  })
  afterEach(() => endpoint.close())

  it('puts what a model judged under its name, and pays for no answer twice', async () => {
    const models = ['--reader', endpoint.spec, '--judge', endpoint.spec]
    const { code, out, err } = await bench('--system', 'bm25', '--json', ...models)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const printed: Printed = JSON.parse(out)
    expect(printed.judge).toContain('scripted')
    expect(figureOf(printed, 'correct')?.judge).toBe(printed.judge)
    expect(figureOf(printed, 'hit@1')?.judge).toBeNull()
    // Two questions, each read and judged.
    expect(endpoint.asked).toHaveLength(4)
    rmSync(join(folder, 'runs', readdirSync(join(folder, 'runs')).find((name) => name !== 'answers') ?? ''), {
      recursive: true,
    })
    const again = await bench('--system', 'bm25', '--json', ...models)
    expect(JSON.parse(again.out).figures).toHaveLength(printed.figures.length)
    expect(endpoint.asked).toHaveLength(4)
  })

  it('ends when the judge cannot be reached, and goes on when it can', async () => {
    const script = endpoint.script
    endpoint.script = (asked) =>
      asked.system.startsWith('You answer a question')
        ? script(asked)
        : { status: 401, message: 'no such key' }
    const models = ['--reader', endpoint.spec, '--judge', endpoint.spec]
    const failed = await bench('--system', 'bm25', '--json', ...models)
    expect(failed.code).toBe(1)
    expect(failed.out).toBe('')
    endpoint.script = script
    const { code, out } = await bench('--system', 'bm25', '--json', ...models)
    expect(code).toBe(0)
    expect(figureOf(JSON.parse(out), 'correct')).toMatchObject({ value: 1, count: 2 })
  })
})

describe('the options of a benchmark', () => {
  it.each([
    ['forgetting', ['--path', 'x', '--keep', '2'], 'share'],
    ['perf', ['--sizes', ''], 'whole number from 1'],
    [
      'retrieval',
      ['--dataset', 'locomo'],
      'locomo is not shipped with the harness: name its file or folder with --path',
    ],
    ['server', ['--recall-share', '2'], 'It must be a number from 0 to 1'],
    ['server', ['--rate', '0'], 'above 0'],
    ['server', ['--users', '0'], 'whole number'],
  ])('are checked before anything is measured: %s %j', async (name, options, message) => {
    const { code, out, err } = await run(['bench', name, '--runs', join(folder, 'runs'), ...options])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
  })

  it('stand in its help with their choices and their defaults', async () => {
    const { out } = await run(['help', 'bench', 'retrieval'], { columns: 200 })
    expect(out).toMatch(
      /--dataset <name> +the data set \(of locomo, lufy, memorybank-en, memorybank-cn, everyday\)/,
    )
    expect(out).toMatch(/--path <path> .*\(default: for everyday the shipped conversations\)/)
    expect(out).toContain('$ keepsake bench retrieval --dataset locomo')
  })
})

describe('keepsake bench report', () => {
  it('sets runs side by side, in words, as JSON and in files, and refuses what is no finished run', async () => {
    await bench('--system', 'bm25,none')
    const runs = readdirSync(join(folder, 'runs')).map((name) => join(folder, 'runs', name))
    const report = (...options: string[]) => run(['bench', 'report', ...runs, ...options])
    const { out } = await report()
    expect(out).toContain('# Memory systems on own-talk')
    expect(out).toContain(', item by item**')
    const printed = JSON.parse((await report('--json')).out) as { runs: unknown[]; differences: unknown[] }
    expect(printed.runs).toMatchObject([{ log: { asked: 2 } }, { log: { asked: 2 } }])
    expect(printed.differences).not.toEqual([])
    const places = ['report.md', 'report.html'].map((name) => join(folder, 'new', name))
    const written = await report('--out', join(folder, 'new'), '--wrong-answers', '0')
    expect(written.out).toBe(places.map((file) => `Wrote ${file}\n`).join(''))
    expect(places.map((file) => readFileSync(file, 'utf8').includes('own-talk'))).toEqual([true, true])
    expect(await run(['bench', 'report', join(folder, 'none')])).toMatchObject({ code: 3, out: '' })
    rmSync(join(runs[0] ?? '', 'summary.json'))
    const unfinished = await report()
    expect(unfinished.code).toBe(1)
    expect(unfinished.err).toContain(
      'the run is not finished. 1 conversation is done. Continue it: keepsake bench',
    )
  })
})

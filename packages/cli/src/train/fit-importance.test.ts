import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Annotation } from '@keepsake/train'
import { openMemory } from 'keepsake'
import { findPreset } from '@keepsake/papers'
import { lufyForgetting as lufy, readFittedWeights } from '@keepsake/papers'
import { beforeAll, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()
const at = (name: string): string => join(folder, name)
const db = at('memory.db')
const SMALL = ['Fine, thanks.', 'It rains.', 'Maybe later.', 'I see.', 'Not today.', 'Good night.']
const TELLING = ['My sister Nadia moved to Porto in 2019.', 'I work as a nurse at Saint Mary in Ghent.']

beforeAll(async () => {
  const turns = ['s1', 's2'].flatMap((session, day) =>
    [...SMALL, ...TELLING].flatMap((text, minute) => {
      const time = (second: number): string =>
        new Date(Date.UTC(2026, 0, 1 + day, 10, minute, second)).toISOString()
      const said = { user: 'maya', session }
      return [
        { ...said, role: 'assistant', text: `Tell me, ${day} ${minute}.`, at: time(0) },
        { ...said, role: 'user', text: `${text} (${day})`, at: time(30) },
      ]
    }),
  )
  writeFileSync(at('talk.jsonl'), turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''))
  await run(['import', at('talk.jsonl'), '--db', db, '--preset', 'lufy'])
})

const annotate = (...argv: string[]) => run(['train', 'annotate', '--db', db, '--user', 'maya', ...argv])
const read = (file: string): Annotation[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Annotation)

it('writes every exchange with what was measured of it, forgotten ones too, to be marked in a file', async () => {
  const ran = await annotate('--out', at('waiting.jsonl'), '--no-ask', '--json')
  expect(ran.json()[0]).toMatchObject({ exchanges: 16, marked: 0 })
  const [first] = read(at('waiting.jsonl'))
  expect(first).toMatchObject({
    person: 'maya',
    agent: 'Tell me, 0 0.',
    user: 'Fine, thanks. (0)',
    important: null,
  })
  expect(first?.signals.arousal).toBeGreaterThan(1)
})

it('asks of each exchange, and keeps what was answered until the end', async () => {
  const ran = await annotate('--out', at('asked.jsonl')).then(() =>
    run(['train', 'annotate', '--db', db, '--user', 'maya', '--out', at('asked.jsonl')], {
      stdin: 'y\nwhat?\nn\n\nq\n',
    }),
  )
  expect(ran.err).toContain('maya: Fine, thanks. (0)')
  expect(ran.out).toContain('16 exchanges, 2 marked, 1 of them important')
  expect(
    read(at('asked.jsonl'))
      .map(({ important }) => important)
      .slice(0, 4),
  ).toEqual([1, 0, null, null])
})

it('fits weights on the marks, judges them on who was left out, draws them, and lufy forgets by them', async () => {
  await annotate('--out', at('marks.jsonl'), '--no-ask')
  const marked = read(at('marks.jsonl')).map((one) => ({
    ...one,
    important: TELLING.some((text) => one.user.startsWith(text)) ? 1 : 0,
  }))
  writeFileSync(at('marks.jsonl'), marked.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const files = ['--marks', at('marks.jsonl'), '--out', at('weights.json'), '--plot', at('fit.svg')]
  const ran = await run(['train', 'fit-importance', ...files, '--json'])
  expect(ran.json()[0]).toMatchObject({
    exchanges: 16,
    important: 0.25,
    heldOutBy: 'session',
    forgetting: null,
  })
  expect(readFileSync(at('fit.svg'), 'utf8')).toContain('<svg')
  const weights = readFittedWeights(readFileSync(at('weights.json'), 'utf8'))
  expect(weights.weights.importance).toBeGreaterThan(0)
  const preset = { ...findPreset('lufy'), policy: lufy({ weights }) }
  const memory = await openMemory({ path: db, preset })
  const ours = memory.scope({ user: 'maya' })
  const explained = await ours.explain((await ours.memories({ forms: ['utterance'] }))[0]?.id ?? '')
  expect(explained.policy.formula).toContain(`${weights.weights.importance} L`)
  await memory.close()
})

it('says in words what came of it', async () => {
  const ran = await run(['train', 'fit-importance', '--marks', at('marks.jsonl'), '--out', at('again.json')])
  expect(ran.out).toContain('weights fitted on 16 exchanges')
  expect(ran.out).toMatch(/agreement +\d\.\d{3} \[/)
})

it('wants marks of one kind, and marks that say something', async () => {
  expect((await run(['train', 'fit-importance'])).err).toContain('--marks FILE')
  const ran = await run(['train', 'fit-importance', '--marks', at('waiting.jsonl')])
  expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('None of 16 exchanges is marked')])
})

it('shows nothing of who refused to be learned from', async () => {
  await run(['train', 'consent', '--db', db, '--user', 'maya', '--answer', 'refuse'])
  const ran = await annotate('--out', at('refused.jsonl'), '--no-ask')
  expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('refused the use of their data')])
})

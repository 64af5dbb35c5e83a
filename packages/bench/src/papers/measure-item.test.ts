import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JsonSchema, scriptedModel } from 'keepsake/model'
import { describe, expect, it } from 'vitest'
import { OptionError } from '../benchmark/options.ts'
import { ALONE } from '../benchmark/testing/run-alone.ts'
import type { BenchContext } from '../benchmark/benchmark.ts'
import { fixtureFile } from '../datasets/testing/edit-fixture.ts'
import { readRows } from './items/halumem.ts'
import { measureItem, type PaperOptions, type PaperReport } from './measure-item.ts'
import { findItem, findPaper, PAPERS } from './papers.ts'
import { SETTINGS, settingsOf, type SettingName } from './registry/settings.ts'
import { paperSettings } from './describe-differences.ts'
import { writeLocomo } from './testing/write-locomo.ts'
import { writeLufy } from './testing/write-lufy.ts'
import { smallestAnswer } from '../recordings/smallest-answer.ts'

/** The items that this file measured. */
const measured = new Set<string>()

function measure(
  [paper, table]: readonly [string, string],
  options: PaperOptions,
  context: Partial<BenchContext> = {},
): Promise<PaperReport> {
  const found = findPaper(paper)
  const runs = mkdtempSync(join(tmpdir(), 'paper-runs-'))
  const report = measureItem(found, findItem(found, table), options, { ...ALONE, runs, ...context })
  return report.then(expectStated)
}

/** Other settings of a run. Reports state them as data, models or judges, or they change no figure. */
const STATED_ELSEWHERE: readonly string[] = [
  'harness',
  'operations',
  'cut',
  'preset',
  'variant',
  'without',
  'model',
  'embedding',
  'likeness',
  'bertscore',
  'limit',
  'answerTokens',
  'readerVersion',
  'judgeVersion',
]

/** Expects that the registry has the paper's value of every setting, and that the report states each difference. */
function expectStated(report: PaperReport): PaperReport {
  if (report.measured !== null) measured.add(`${report.paper.name}, ${report.item.id}`)
  const { conditions = {} } = report.item
  for (const run of report.measured?.runs ?? []) {
    const paper = paperSettings(conditions, run.system)
    if (run.benchmark === 'run')
      expect(
        Object.keys(run.config).filter((name) => !(name in SETTINGS) && !STATED_ELSEWHERE.includes(name)),
      ).toEqual([])
    for (const [name, value] of Object.entries(settingsOf(run))) {
      expect([report.item.id, run.system, Object.keys(paper)]).toEqual([
        report.item.id,
        run.system,
        expect.arrayContaining([name]),
      ])
      const isStated = report.differences.some((sentence) => sentence.includes(SETTINGS[name as SettingName]))
      expect([run.system, name, isStated || paper[name as SettingName] === value]).toEqual([
        run.system,
        name,
        true,
      ])
    }
  }
  return report
}

function figureOf({ compared }: PaperReport, row: string, column: string) {
  const found = compared.find((one) => one.row === row && one.column === column)
  if (found === undefined) throw new Error(`no ${row}, ${column}: ${JSON.stringify(compared)}`)
  return found
}

const lufy = writeLufy()
/** A smaller data set for measurements that run each talk with each policy. */
const oneSystem = writeLufy(['LUFY'])

describe('without a model', () => {
  it('counts LUFY-Dataset (Table 1) and says how much of it there was', async () => {
    const report = await measure(['lufy', 'table 1'], { path: lufy })
    // Four sessions of five rounds of two turns.
    expect(figureOf(report, 'LUFY-Dataset, counted', 'Avg. Turns')).toMatchObject({
      value: 40,
      paper: 253.8,
      judge: null,
    })
    expect(report.differences[0]).toBe(
      'Measured: 2 people of the file that was named; the paper measured 17.',
    )
    expect(report.measured?.dataHash).toMatch(/^[0-9a-f]{64}$/)
    expect(report.command).toBe(`keepsake bench paper lufy --table 1 --path ${lufy}`)
  })

  it('tells what LUFY keeps after each session (Table 3)', async () => {
    const report = await measure(['lufy', 'table 3'], { path: oneSystem, limit: 1 })
    // The file holds two people.
    expect(report.measured?.size).toBe(1)
    expect(figureOf(report, 'nothing forgotten', 'S4 kept')).toMatchObject({ value: 20, paper: 131.2 })
    // A tenth of twenty pairs.
    expect(figureOf(report, 'lufy', 'S4 kept')).toMatchObject({ value: 2, paper: 12.8, beside: 'LUFY' })
    expect(figureOf(report, 'ebbinghaus', 'S4 share')).toMatchObject({
      value: 10,
      paper: 9.99,
      unit: 'percent',
    })
  })

  it('tells how much of what is kept was marked (Table 12), and how far people agree', async () => {
    const report = await measure(['lufy', '12'], { path: oneSystem, limit: 1 })
    // Three annotators marked the same.
    expect(figureOf(report, 'people', 'Avg.')).toMatchObject({ value: 100, paper: 23 })
    const { value } = figureOf(report, 'lufy', 'S4')
    expect(value).toBeGreaterThanOrEqual(0)
    expect(value).toBeLessThanOrEqual(100)
    expect(report.differences.join(' ')).toContain('The systems work without a language model')
  })

  it('tells what each metric does to that (Table 14)', async () => {
    const report = await measure(['lufy', '14'], { path: oneSystem, limit: 1 })
    expect(new Set(report.compared.map(({ row }) => row))).toEqual(
      new Set(['lufy', 'lufy-A', 'lufy-P', 'lufy-L', 'lufy-R1', 'lufy-R2']),
    )
    expect(figureOf(report, 'lufy-A', 'Avg.')).toMatchObject({ paper: 14.2, beside: '–A', count: 1 })
  })

  it('tells how often a right memory is among the first (Table 15)', async () => {
    const report = await measure(['lufy', '15'], { path: lufy })
    const top = (k: number) => figureOf(report, `naive-rag, top ${k}`, 'Ratio').value ?? Number.NaN
    expect(top(10)).toBeGreaterThanOrEqual(top(1))
    expect(figureOf(report, 'naive-rag, (not in top 10)', 'Ratio').value).toBeCloseTo(100 - top(10), 9)
    expect(figureOf(report, 'naive-rag, top 1', 'Ratio').paper).toBe(52.5)
  })

  it('tells what lies above each cosine (Figures 10 and 11)', async () => {
    const bins = await measure(['lufy', 'figure 10'], { path: lufy })
    const found = bins.compared.filter(({ column }) => column === 'right' || column === 'wrong')
    const thresholds = await measure(['lufy', 'figure 11'], { path: lufy })
    const all = figureOf(thresholds, 'cosine at least 0.00', 'Precision')
    // Ten memories a question; those of a cosine below nought are in no bin.
    expect(found.reduce((sum, { value }) => sum + (value ?? 0), 0)).toBe(all.count)
    expect(figureOf(thresholds, 'cosine at least 0.00', 'Recall').value).toBeGreaterThan(50)
    expect(thresholds.compared.every(({ paper }) => paper === null)).toBe(true)
  })

  it('measures MOOM’s forgetting in kind on LoCoMo (Figures 3 and 6)', async () => {
    const path = writeLocomo()
    const capacities = await measure(['moom', 'figure 3'], { path })
    const half = figureOf(capacities, 'competition-inhibition', '50% of the talk')
    expect(half.value).toBeGreaterThanOrEqual(
      figureOf(capacities, 'competition-inhibition', '5% of the talk').value ?? Number.NaN,
    )
    const sweep = await measure(['moom', 'figure 6'], { path })
    expect(sweep.compared.map(({ row }) => row)).toEqual(
      expect.arrayContaining(['α 0.1, β 0.9', 'γ 1', 'k 9']),
    )
    expect(sweep.differences[0]).toBe('Measured: 1 talks of LoCoMo; the paper measured 28 talks of ZH-4O.')
  })

  it('counts ZH-4O (section 4) and HaluMem (Table 6)', async () => {
    const talks = await measure(['moom', 'section 4'], { path: fixtureFile('zh-4o') })
    expect(figureOf(talks, 'the files', 'Talks')).toMatchObject({ value: 2, paper: 28 })
    const users = await measure(['halumem', '6'], { path: fixtureFile('halumem.jsonl') })
    expect(figureOf(users, 'the file', 'Total Memories').paper).toBe(14_948)
    expect(figureOf(users, 'the file', 'Total Questions').value).toBeGreaterThan(0)
  })

  it('stands a set of Long’s size beside Long, and says where a set is one’s own (Tables 3 and 6)', async () => {
    const [first = ''] = readFileSync(fixtureFile('halumem.jsonl'), 'utf8').split('\n')
    const user = JSON.parse(first)
    user.language = 'en'
    user.sessions[0].dialogue[0].content = 'word '.repeat(500_000)
    user.sessions[0].memory_points = [
      { ...user.sessions[0].memory_points[0], is_update: 'True', original_memories: [] },
    ]
    const path = join(mkdtempSync(join(tmpdir(), 'halumem-long-')), 'long.jsonl')
    writeFileSync(path, JSON.stringify(user))
    const report = await measure(['halumem', '6'], { path })
    expect(figureOf(report, 'the file', 'Total Dialogue Turns').paper).toBe(53_516)
    expect(report.measured?.remarks.join(' ')).toContain('no part of HaluMem')
    // An update by its flag, though it names nothing that it replaces.
    const updates = user.sessions.flatMap((one: { memory_points?: { is_update: string }[] }) =>
      (one.memory_points ?? []).filter(({ is_update }) => is_update === 'True'),
    )
    expect(figureOf(report, 'the file', 'Update Memories').value).toBe(updates.length)
    expect((await readRows(path))('zep')).toBeNull()
    delete user.language
    writeFileSync(path, JSON.stringify(user))
    expect((await readRows(path))('mem0-server')).toBe('Long: Mem0')
    expect((await readRows(fixtureFile('halumem.jsonl')))('zep')).toBe('Medium: Zep')
  })

  it.each([
    ['moom', 'table 1', 'zh-4o', 'ROUGE-L'],
    ['moom', 'table 2', 'zh-4o', 'ROUGE-L'],
    ['moom', 'table 4', 'zh-4o', 'M3E'],
    ['moom', 'figure 7', 'zh-4o', 'M3E'],
    ['mmm', 'table 1', 'mem-dialogue.jsonl', 'Operation Type'],
    ['halumem', 'table 3', 'halumem.jsonl', 'R'],
    ['halumem', 'table 4', 'halumem.jsonl', 'Event'],
    ['halumem', 'figure 5', 'halumem.jsonl', 'Basic Fact Recall'],
  ])('measures %s, %s by rule, and says so', async (paper, table, fixture, column) => {
    const report = await measure([paper, table], { path: fixtureFile(fixture), limit: 1 })
    const judges = new Set(report.compared.flatMap(({ judge }) => judge ?? []))
    expect([...judges]).toEqual(['deterministic'])
    expect(report.compared.some((one) => one.column === column)).toBe(true)
    const told = report.differences.join(' ')
    expect(told).toContain('work without a language model, by rules')
    expect(told).toContain('Verdicts are by rule')
  })
})

describe('what cannot be measured', () => {
  it.each<[paper: string, table: string, options: PaperOptions, message: string]>([
    ['lufy', '3', { limit: 1 }, 'Table 3 of the lufy paper needs LUFY-Dataset (--path: its folder'],
    [
      'mmm',
      '2',
      { path: 'x' },
      '(--model), a language model that answers (--reader) and a language model that judges (--judge)',
    ],
    [
      'halumem',
      '5',
      { limit: 1 },
      'needs HaluMem (--path: its JSON Lines file, Medium or Long) and a language model for the systems (--model)',
    ],
    ['lufy', '3', { path: 'x', judge: 'openai:gpt-5' }, 'asks no such model: leave out --judge'],
    ['lufy', '3', { path: 'x', system: ['lufy'] }, 'leave out --system'],
  ])('%s, %s with %j says what is needed', async (paper, table, options, message) => {
    const asked = measure([paper, table], options)
    await expect(asked).rejects.toThrow(OptionError)
    await expect(asked).rejects.toThrow(message)
  })

  it('names the publication of the data that is missing', async () => {
    await expect(measure(['halumem', '6'], { limit: 1 })).rejects.toThrow(
      'HaluMem was published by Chen et al. 2026, with the HaluMem paper',
    )
  })

  it('shows every table’s figures, and what it needs or why it cannot be measured', async () => {
    for (const paper of PAPERS)
      for (const { id, reproduction, note } of paper.items) {
        const report = await measure([paper.name, id], {})
        expect(report).toMatchObject({ measured: null, compared: [] })
        if (reproduction === undefined) expect(note).not.toBe('')
        else expect(report.needs).toMatch(/ needs .+--path/)
      }
  })
})

describe('with a model', () => {
  const model = scriptedModel(({ prompt = '', schema }) => answerTo(prompt, schema))
  const withModels = { model: 'any', reader: 'any', judge: 'any' }
  const measureWith = (paper: string, table: string, options: PaperOptions) =>
    measure([paper, table], options, { openModel: () => Promise.resolve(model) })

  it.each([
    ['MMM’s Table 1', 'mmm', '1', 'mem-dialogue.jsonl', ['mmm-gold-list', 'Content'], 79.3],
    ['MOOM’s Table 1', 'moom', '1', 'zh-4o', ['moom', 'MemScore'], 3.317],
    ['MOOM’s Table 2', 'moom', '2', 'zh-4o', ['moom, plot alone', 'MemScore'], 2.603],
    ['MOOM’s Table 6', 'moom', '6', 'zh-4o', ['moom', 'Similarity'], 1.521],
    ['HaluMem’s Table 3', 'halumem', '3', 'halumem.jsonl', ['keepsake', 'QA C'], null],
    ['HaluMem’s Table 4', 'halumem', '4', 'halumem.jsonl', ['keepsake', 'Persona'], null],
    ['HaluMem’s Figure 5', 'halumem', 'figure 5', 'halumem.jsonl', ['keepsake', 'Basic Fact Recall'], null],
  ] as const)(
    'measures %s, judged in its name',
    async (_, paper, table, fixture, [row, column], published) => {
      const { takes = [], needs = [] } = findItem(findPaper(paper), table).reproduction ?? {}
      const roles = (['model', 'reader', 'judge'] as const).filter((role) =>
        [...takes, ...needs].includes(role),
      )
      const given = Object.fromEntries(roles.map((role) => [role, withModels[role]]))
      const report = await measureWith(paper, table, { path: fixtureFile(fixture), limit: 1, ...given })
      expect(figureOf(report, row, column)).toMatchObject({ paper: published, judge: model.id })
      expect(report.differences.join(' ')).toContain(`Verdicts are ${model.id}’s.`)
      expect(report.differences.join(' ')).toContain('The systems work with any.')
    },
  )

  it('HaluMem’s Table 3 goes by the paper’s protocol where a model judges', async () => {
    const path = fixtureFile('halumem.jsonl')
    const judged = await measureWith('halumem', '3', { path, ...withModels })
    expect(judged.measured?.runs[0]?.config).toMatchObject({ protocol: 'paper' })
    expect(judged.measured?.remarks.join(' ')).toContain('By the protocol of the HaluMem paper')
    const byRule = await measure(['halumem', '3'], { path })
    expect(byRule.measured?.remarks.join(' ')).not.toContain('protocol')
    expect(byRule.differences.join(' ')).toContain(
      'Tokens of context for an answer: 1,000 here, uncut in the paper.',
    )
  })

  it('MOOM’s Table 5 holds memories against LoCoMo’s observations and events', async () => {
    const options = { path: writeLocomo(), model: 'any', judge: 'any' }
    const report = await measureWith('moom', '5', options)
    expect(figureOf(report, 'moom', 'ROUGE-L')).toMatchObject({ paper: 0.4288, judge: null, count: 2 })
    expect(figureOf(report, 'moom', 'MemScore')).toMatchObject({ paper: 3.288, judge: model.id })
  })

  it('COMEDY’s Tables 1 to 4 are counted, written and judged on a file of Dolphin’s form', async () => {
    const path = fixtureFile('dolphin.jsonl')
    const size = await measure(['comedy', '1'], { path })
    expect(figureOf(size, 'Total AI Characters', 'Test Task 1')).toMatchObject({ paper: 31, judge: null })
    const written = await measureWith('comedy', '2', { path, model: 'any' })
    expect(figureOf(written, 'Task 1: comedy', 'BLEU-1')).toMatchObject({ paper: 43, judge: null })
    const scored = await measureWith('comedy', '3', { path, model: 'any', judge: 'any' })
    expect(figureOf(scored, 'comedy', 'Average')).toMatchObject({ paper: 1.28, value: 2, judge: model.id })
    // Each of the two user turns of the one test session.
    expect(figureOf(scored, 'comedy', 'Average').count).toBe(2)
    for (const told of ['COMEDY-13B, as all that retrieve', 'scored the session as a whole'])
      expect(scored.differences.join(' ')).toContain(told)
    const ranked = await measureWith('comedy', '4', { path, model: 'any', judge: 'any' })
    expect(figureOf(ranked, 'comedy', 'Top@1')).toMatchObject({ paper: 29, value: 100, judge: model.id })
  })

  it('LUFY’s Tables 12 to 14 ask the model for importance, and say what measured the rest', async () => {
    const kept = await measureWith('lufy', '12', { path: lufy, model: 'any', limit: 1 })
    expect(kept.measured?.size).toBe(1)
    expect(figureOf(kept, 'lufy', 'S1')).toMatchObject({ paper: 19.4 })
    expect(figureOf(kept, 'lufy-range', 'S1')).toMatchObject({ paper: null })
    expect(model.requests.some(({ prompt = '' }) => prompt.startsWith('importance'))).toBe(true)
    for (const told of ['The systems work with any.', 'In the paper: RoBERTa', 'In the paper: GPT-2-large'])
      expect(kept.differences.join(' ')).toContain(told)
    const without = await measureWith('lufy', '13', { path: lufy, limit: 1, ...withModels })
    expect(without.compared.map(({ row }) => row)).toEqual(
      expect.arrayContaining(['lufy', 'lufy-A', 'lufy-P', 'lufy-L', 'lufy-R1', 'lufy-R2']),
    )
    expect(figureOf(without, 'lufy-R1', 'Precision S1')).toMatchObject({ paper: 68.6, judge: model.id })
  })

  it.each(['11', '16', '17', '18'])(
    'LUFY’s Table %s compares three systems that differ in forgetting and ranking',
    async (id) => {
      const report = await measure(['lufy', id], { path: oneSystem, limit: 1 })
      const column = id === '11' ? 'Recall S4' : 'S4 Q1'
      const lufyAlone = { 11: 35.3, 16: 82.1, 17: 45.1, 18: 58.2 }[id]
      expect(figureOf(report, 'lufy', column).paper).toBe(lufyAlone)
      expect(report.measured?.runs.map(({ system, config: { retention } }) => [system, retention])).toEqual([
        ['lufy', { when: 'session-end', keep: 0.1 }],
        ['memory-bank', { when: 'session-end', keep: 0.1 }],
        ['naive-rag', { when: 'never' }],
      ])
    },
  )

  it('LUFY’s chatbots reply themselves where a model is named and no reader (Table 11)', async () => {
    const alone = await measureWith('lufy', '11', { path: oneSystem, limit: 1, model: 'any', judge: 'any' })
    expect(alone.measured?.runs.map(({ config: { ownAnswers } }) => ownAnswers)).toEqual([true, true, true])
    expect(alone.differences.join(' ')).not.toMatch(/Answers are|Memories retrieved/)
    expect(model.requests.some(({ prompt = '' }) => prompt.startsWith('key-summary-reply'))).toBe(true)
    const read = await measureWith('lufy', '13', { path: oneSystem, limit: 1, model: 'any', reader: 'any' })
    expect(read.differences.join(' ')).toContain(
      'Answers are written by: the reader here, the system in the paper.',
    )
  })

  it('MOOM’s section 5.3 times the systems beside it', async () => {
    const path = fixtureFile('zh-4o')
    const options: PaperOptions = { path, model: 'any', system: ['moom', 'memory-bank'] }
    const report = await measureWith('moom', 'section 5.3', options)
    expect(figureOf(report, 'moom', 'Time, MOOM = 1').value).toBe(1)
  })

  it('MMM’s Table 2 and MOOM’s Table 3 have a column a system and a row a model', async () => {
    const consistency = await measureWith('mmm', '2', {
      path: fixtureFile('mem-dialogue.jsonl'),
      ...withModels,
    })
    expect(consistency.compared.map(({ row, column }) => [row, column])).toEqual([
      [model.id, 'Baseline'],
      [model.id, 'Memory Update'],
    ])
    const probes = await measureWith('moom', '3', { path: fixtureFile('zh-4o'), model: 'any', reader: 'any' })
    expect(probes.compared.map(({ column }) => column)).toEqual(['MOOM', 'vanilla'])
    expect(probes.compared.every(({ judge }) => judge === null)).toBe(true)
  })

  it('HaluMem’s Table 5 is in minutes', async () => {
    const report = await measureWith('halumem', '5', { path: fixtureFile('halumem.jsonl'), model: 'any' })
    const total = figureOf(report, 'keepsake', 'Total')
    expect(total.unit).toBe('minutes')
    expect(total.value).toBeLessThan(1)
  })

  it('LUFY’s sessions are rated and their utterances sorted (Tables 8 and 10, Figure 8, appendix B, section 3.4)', async () => {
    const options = { path: lufy, judge: 'any' }
    const rated = await measureWith('lufy', '8', options)
    // Two people, sessions 2 to 4; the script rates everything 4.
    expect(figureOf(rated, 'LUFY', 'Avg.')).toMatchObject({
      value: 4,
      paper: 3.45,
      count: 6,
      judge: model.id,
    })
    const felt = await measureWith('lufy', '10', options)
    // The first of five utterances is positive, the others neutral.
    expect(figureOf(felt, 'Naive RAG', 'S1')).toMatchObject({ value: 0.2, paper: 0.58, count: 10 })
    const lived = await measureWith('lufy', 'figure 8', options)
    expect(figureOf(lived, 'episode-related utterances', 'Share')).toMatchObject({ value: 20, paper: 10.6 })
    // Two people: the shared first session once, three more under each of three systems.
    expect(figureOf(lived, 'sessions without any', 'Share')).toMatchObject({ value: 0, count: 20 })
    const now = await measureWith('lufy', 'appendix B', options)
    expect(figureOf(now, 'about what goes on now', 'Share')).toMatchObject({ value: 80, count: 100 })
    const marked = await measureWith('lufy', 'section 3.4', options)
    // The first utterance of each session is the one that is marked.
    expect(figureOf(marked, 'episode-related', 'Share')).toMatchObject({ value: 100, paper: 27.3, count: 20 })
  })
})

it('compares the runs of every table that can be measured with the paper', () => {
  const all = PAPERS.flatMap(({ name, items }) =>
    items.flatMap(({ id, reproduction }) => (reproduction === undefined ? [] : [`${name}, ${id}`])),
  )
  expect([...measured].toSorted()).toEqual(all.toSorted())
})

/** Answers as a model: with `ANSWERS` to judges and readers, and with the smallest valid answer to other prompts. */
function answerTo(prompt: string, schema: JsonSchema | null): string {
  const [id = ''] = prompt.split('/')
  return JSON.stringify(ANSWERS[id] ?? smallestAnswer(schema ?? {}))
}

const ANSWERS: Readonly<Record<string, unknown>> = {
  'judge-content': { reason: 'so', same: true },
  'judge-memscore': { reason: 'so', score: 4 },
  'judge-reply': { reason: 'so', score: 4 },
  'judge-integrity': { reason: 'so', held: 'whole' },
  'judge-accuracy': { points: [{ point: 'p', support: 'supported', inGold: true }], reason: 'so' },
  'judge-update': { reason: 'so', outcome: 'correct' },
  'judge-answer': { elements: [{ element: 'e', state: 'given' }], contradiction: '', reason: 'so' },
  'read-answer': { known: true, answer: 'So.' },
  'score-reply': {
    coherence: 2,
    consistency: 2,
    memorability: 2,
    engagingness: 2,
    humanness: 2,
    reason: 'so',
  },
  'rank-replies': { reason: 'so', ranks: [1, 1, 1, 1, 1, 1] },
  'halumem-read': { answer: 'So.' },
  'choose-option': { reason: 'so', option: 1 },
  'rate-session': { reason: 'so', score: 4 },
  'sort-utterances': {
    utterances: [1, 2, 3, 4, 5].map((n) => ({
      n,
      about: n === 1 ? 'episode' : 'other',
      now: n > 1,
      feeling: n === 1 ? 'positive' : 'neutral',
    })),
  },
}

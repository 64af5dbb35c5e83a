import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptedModel } from 'keepsake/parts'
import { describe, expect, it } from 'vitest'
import { OptionError } from '../benchmark/options.ts'
import { ALONE } from '../benchmark/testing/run-alone.ts'
import type { BenchContext } from '../benchmark/benchmark.ts'
import { fixtureFile } from '../datasets/testing/edit-fixture.ts'
import { measureItem, type PaperOptions, type PaperReport } from './measure-item.ts'
import { findItem, findPaper, PAPERS } from './papers.ts'
import { writeLocomo } from './testing/write-locomo.ts'
import { writeLufy } from './testing/write-lufy.ts'

function measure(
  [paper, table]: readonly [string, string],
  options: PaperOptions,
  context: Partial<BenchContext> = {},
): Promise<PaperReport> {
  const found = findPaper(paper)
  const runs = mkdtempSync(join(tmpdir(), 'paper-runs-'))
  return measureItem(found, findItem(found, table), options, { ...ALONE, runs, ...context })
}

/** A figure by its row and column. */
function figureOf({ compared }: PaperReport, row: string, column: string) {
  const found = compared.find((one) => one.row === row && one.column === column)
  if (found === undefined) throw new Error(`no ${row}, ${column}: ${JSON.stringify(compared)}`)
  return found
}

const lufy = writeLufy()

describe('without a model', () => {
  it('counts LUFY-Dataset (Table 1) and says how much of it there was', async () => {
    const report = await measure(['lufy', 'table 1'], { path: lufy })
    // Four sessions of five rounds of two turns.
    expect(figureOf(report, 'LUFY-Dataset, counted', 'Avg. Turns')).toMatchObject({
      value: 40,
      paper: 253.8,
      judge: null,
    })
    expect(report.differences[0]).toBe('Of the paper’s 17 people, 2 were measured.')
    expect(report.measured?.dataHash).toMatch(/^[0-9a-f]{64}$/)
    expect(report.command).toBe(`keepsake bench paper lufy --table 1 --path ${lufy}`)
  })

  it('tells what LUFY keeps after each session (Table 3)', async () => {
    const report = await measure(['lufy', 'table 3'], { path: lufy })
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
    const report = await measure(['lufy', '12'], { path: lufy })
    // Three annotators marked the same.
    expect(figureOf(report, 'people', 'Avg.')).toMatchObject({ value: 100, paper: 23 })
    const { value } = figureOf(report, 'lufy', 'S4')
    expect(value).toBeGreaterThanOrEqual(0)
    expect(value).toBeLessThanOrEqual(100)
    expect(report.differences.join(' ')).toContain('Importance (L) is the built-in stand-in')
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
    expect(sweep.differences[0]).toBe('Of the paper’s 10 talks, 1 were measured.')
  })

  it('counts ZH-4O (section 4) and HaluMem (Table 6)', async () => {
    const talks = await measure(['moom', 'section 4'], { path: fixtureFile('zh-4o') })
    expect(figureOf(talks, 'the files', 'Talks')).toMatchObject({ value: 2, paper: 28 })
    const users = await measure(['halumem', '6'], { path: fixtureFile('halumem.jsonl') })
    expect(figureOf(users, 'the file', 'Total Memories').paper).toBe(14_948)
    expect(figureOf(users, 'the file', 'Total Questions').value).toBeGreaterThan(0)
  })

  it.each([
    ['moom', 'table 1', 'zh-4o', 'ROUGE-L'],
    ['mmm', 'table 1', 'mem-dialogue.jsonl', 'Operation Type'],
    ['halumem', 'table 3', 'halumem.jsonl', 'R'],
    ['halumem', 'table 4', 'halumem.jsonl', 'Event'],
    ['halumem', 'figure 5', 'halumem.jsonl', 'Basic Fact Recall'],
  ])('measures %s, %s by rule, and says so', async (paper, table, fixture, column) => {
    const report = await measure([paper, table], { path: fixtureFile(fixture) })
    const judges = new Set(report.compared.flatMap(({ judge }) => judge ?? []))
    expect([...judges]).toEqual(['deterministic'])
    expect(report.compared.some((one) => one.column === column)).toBe(true)
    const told = report.differences.join(' ')
    expect(told).toContain('work without a language model, by rules')
    expect(told).toContain('Verdicts are by rule')
  })
})

describe('what cannot be measured', () => {
  it.each([
    ['lufy', '3', {}, 'Table 3 of the lufy paper needs LUFY-Dataset (--path: its folder'],
    [
      'mmm',
      '2',
      { path: 'x' },
      '(--model), a language model that answers (--reader) and a language model that judges (--judge)',
    ],
    [
      'halumem',
      '5',
      {},
      'needs HaluMem (--path: its JSON Lines file, Medium or Long) and a language model that the systems work with (--model)',
    ],
    ['lufy', '3', { path: 'x', judge: 'openai:gpt-5' }, 'asks no such model: leave out --judge'],
    ['lufy', '3', { path: 'x', system: ['lufy'] }, 'leave out --system'],
  ] as const)('%s, %s with %j says what is needed', async (paper, table, options, message) => {
    const asked = measure([paper, table], options)
    await expect(asked).rejects.toThrow(OptionError)
    await expect(asked).rejects.toThrow(message)
  })

  it('names the publication of the data that is missing', async () => {
    await expect(measure(['halumem', '6'], {})).rejects.toThrow(
      'HaluMem was published by Chen et al. 2026, with the HaluMem paper',
    )
  })

  it('comes back with the paper’s figures and the reason', async () => {
    for (const paper of PAPERS)
      for (const item of paper.items.filter(({ reproduction }) => reproduction === undefined)) {
        const report = await measure([paper.name, item.id], {})
        expect(report).toMatchObject({ measured: null, compared: [] })
        expect(report.item.note.length).toBeGreaterThan(0)
      }
  })
})

describe('with a model', () => {
  it('MMM’s Table 1 stands beside the plain model, contents judged in its name', async () => {
    const model = scriptedModel(({ prompt }) => answerTo(prompt ?? ''))
    const report = await measure(
      ['mmm', '1'],
      { path: fixtureFile('mem-dialogue.jsonl'), system: ['mmm'], model: 'any', judge: 'any' },
      { openModel: () => Promise.resolve(model) },
    )
    expect(figureOf(report, 'mmm', 'Operation Type')).toMatchObject({ paper: 70.2, judge: null })
    expect(figureOf(report, 'mmm', 'Content')).toMatchObject({ paper: 79.3, judge: model.id })
    expect(report.differences.join(' ')).toContain(`Verdicts are ${model.id}’s. In the paper: GPT-4o`)
  })
})

/** What a model might answer, by the prompt that asks. */
function answerTo(prompt: string): string {
  if (prompt.startsWith('judge-content')) return JSON.stringify({ reason: 'so', same: true })
  return JSON.stringify({ operations: [] })
}

import { describe, expect, it } from 'vitest'
import type { RunSummary } from '../results/run-summary.ts'
import { plainFigures } from '../results/plain-figures.ts'
import { renderMarkdown } from './render-markdown.ts'
import type { PairedDifference, ReportRun } from './report-run.ts'
import {
  sampleFigure,
  samplePolicies,
  sampleRun,
  sampleSummary,
  type SampleSystem,
} from './testing/sample-runs.ts'

const runOf = (of: SampleSystem, changes: Partial<RunSummary> = {}): ReportRun =>
  sampleRun(sampleSummary(of, changes))

/** Returns the cells of the row that begins with `first`, in the table whose caption begins with `caption`. */
function row(markdown: string, caption: string, first: string): string[] {
  const table = markdown.split(`**${caption}`)[1]?.split('\n\n')[1] ?? ''
  const line = table.split('\n').find((one) => one.startsWith(`| ${first} |`)) ?? ''
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

const alpha = { system: 'alpha', level: 0.5 }
const beta = { system: 'beta', level: 0.4, isBlind: true }
const difference: PairedDifference = {
  task: 'answering',
  metric: 'correct',
  a: 'beta',
  b: 'alpha',
  difference: -0.05,
  interval: { low: -0.08, high: -0.02 },
  p: 0.0004,
  pairs: 120,
}

describe('renderMarkdown', () => {
  it('sets extraction, updating and answering side by side, FMR beside recall with what it hides', () => {
    const markdown = renderMarkdown([runOf(alpha)])
    // Level 0.5: R 50, weighted 55, P 86, Acc 61, FMR 50, F1 45; updating 35 / 16.25 / 48.75; answering 45 / 13.75 / 41.25.
    const figures = ['50.0', '55.0', '86.0', '61.0', '50.0', '45.0']
    const rates = ['35.0', '16.3', '48.8', '45.0', '13.8', '41.3']
    expect(row(markdown, 'Extraction, updating and answering; judge: deterministic', 'alpha')).toEqual([
      'alpha',
      ...figures,
      ...rates,
    ])
    expect(markdown).toContain('FMR: a system that stores nothing resists every false memory')
  })

  it('gives every value its interval and what it is over', () => {
    const figures = [
      sampleFigure({
        task: 'answering',
        metric: 'correct',
        value: 0.5,
        interval: { low: 0.42, high: 0.58 },
        count: 80,
      }),
    ]
    const markdown = renderMarkdown([runOf(alpha, { figures })])
    expect(row(markdown, 'Answering, judge: deterministic', 'alpha')).toEqual([
      'alpha',
      '50.0 (42.0–58.0)',
      '80',
    ])
  })

  it('says why there is no value', () => {
    const markdown = renderMarkdown([runOf(alpha), runOf(beta)])
    expect(row(markdown, 'Extraction, judge', 'beta').slice(1, 3)).toEqual(['–<sup>a</sup>', '–<sup>a</sup>'])
    expect(markdown).toContain('<sup>a</sup> Unknown: the system does not list its memories')
  })

  it('puts FMR beside recall even where a slice has FMR alone', () => {
    const figures = [sampleFigure({ task: 'extraction', metric: 'fmr', value: 1, count: 9 })]
    const markdown = renderMarkdown([runOf(alpha, { figures })])
    expect(row(markdown, 'Extraction, judge', 'alpha')[1]).toContain('–')
    expect(row(markdown, 'Extraction, judge', 'system').slice(0, 3)).toEqual(['system', 'R ↑', 'FMR % ↑'])
  })

  it('never puts two judges in one table, nor what is computed beside what is judged', () => {
    const markdown = renderMarkdown([runOf(alpha), runOf({ ...beta, judge: 'gamma-judge' })])
    expect(row(markdown, 'Answering, judge: deterministic', 'alpha (A)')).not.toEqual([])
    expect(row(markdown, 'Answering, judge: deterministic', 'beta (B)')).toEqual([])
    expect(row(markdown, 'Answering, judge: gamma-judge', 'beta (B)')).not.toEqual([])
    expect(row(markdown, 'Answering, computed, no judge', 'system')).toContain('token F1 ↑')
    expect(row(markdown, 'Answering, judge: deterministic', 'system')).not.toContain('token F1 ↑')
  })

  it.each([
    ['data, sha256', { dataHash: 'ffff' }],
    ['reader', { reader: 'gamma-reader' }],
    ['context tokens', { config: { contextTokens: 4_000 } }],
  ])('warns of another %s and shows no difference between such runs', (setting, changes) => {
    const markdown = renderMarkdown([runOf(alpha), runOf(beta, changes)], [difference])
    expect(markdown).toContain('Not all of these runs can be compared')
    expect(row(markdown, 'What differs between the runs', 'system')).toContain(setting)
    expect(markdown).toContain('1 difference is not shown')
    expect(markdown).not.toContain('beta − alpha')
  })

  it('shows differences of comparable runs in percentage points, strong where zero is left out', () => {
    const markdown = renderMarkdown([runOf(alpha), runOf(beta)], [difference])
    expect(markdown).not.toContain('Not all of these runs')
    const [, ...cells] = row(markdown, 'beta − alpha, item by item', 'Answering')
    expect(cells).toEqual(['C', '**−5.0** (−8.0 to −2.0)', '&lt;0.001', '120'])
  })

  it('calls no difference clear over too few people, however far from zero', () => {
    const few = { ...difference, p: 0.5, clusters: 2 }
    const markdown = renderMarkdown([runOf(alpha), runOf(beta)], [few])
    expect(row(markdown, 'beta − alpha, item by item', 'Answering')[2]).toBe('−5.0 (−8.0 to −2.0)')
    expect(markdown).toContain('Over 2 people p cannot be below 0.500: too few to tell.')
  })

  it('names a run that lacks figures that others have, and says why', () => {
    const without = runOf(beta, { figures: [] })
    const markdown = renderMarkdown([runOf(alpha), without])
    expect(row(markdown, 'Retrieval, computed, no judge', 'beta')[1]).toBe('–<sup>a</sup>')
    expect(markdown).toContain('<sup>a</sup> The run has no such figure: the data has no case of it')
  })

  it('shows the area under curves of forgetting, and each capacity', () => {
    const markdown = renderMarkdown(samplePolicies(['one', 'two']).map(sampleRun))
    expect(row(markdown, 'What is kept, over all capacities', 'system')).toEqual([
      'system',
      'recall % ↑',
      'F1 % ↑',
      'n',
    ])
    // (60 / 160) ^ 0.35 = 0.709
    expect(row(markdown, 'What is kept, over all capacities', 'one')[1]).toBe('70.9 (63.8–78.0)')
    expect(row(markdown, 'What is kept, over all capacities, by capacity', '8 | one').slice(0, 2)).toEqual([
      '8',
      'one',
    ])
  })

  it('puts figures that are many in rows, in their own units', () => {
    const figures = [
      ...plainFigures('load', 'calls:200', { requests_per_second: 199.4, p95_ms: 12.3, errors: 0 }),
      ...plainFigures('faults', 'all', { kills: 100, broken: 0 }),
    ]
    const markdown = renderMarkdown([runOf(alpha, { benchmark: 'server', figures })])
    expect(row(markdown, 'Under load, calls: 200', 'p95')).toEqual(['p95', '12 ms'])
    const broken = 'trials that left something broken'
    expect(row(markdown, 'When things go wrong', broken)).toEqual([broken, '0'])
  })

  it('keeps hostile names and texts within their cells', () => {
    const name = 'x | y\n# z <script>alert(1)</script> </details> `code` [a](b)'
    const run = runOf({ ...alpha, system: name }, { command: '```\n</details><script>' })
    const markdown = renderMarkdown([run])
    const outside = markdown.replace(/````text[\s\S]*?````/, '')
    expect(outside).not.toMatch(/<script>|<\/details> /)
    expect(outside).not.toContain('[a](b)')
    expect(outside).not.toMatch(/^# z/m)
    expect(markdown).toContain('x \\| y # z &lt;script&gt;')
    // The fence of the code block is longer than the backticks in the command.
    expect(markdown).toMatch(/````text\n[\s\S]*```\n<\/details><script>[\s\S]*\n````/)
  })
})

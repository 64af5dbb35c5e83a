import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { compareFigures, differingConditions, slicesOf, tasksOf } from './compare-runs.ts'
import { readReports, type Report } from './report.ts'

const RAW = new URL('../../../../../../docs/benchmarks/raw/', import.meta.url)

const report = (more: object = {}): object => ({
  format: 2,
  system: 'keepsake',
  benchmark: 'run',
  dataset: 'locomo',
  config: {},
  figures: [],
  ...more,
})

function read(value: unknown): readonly Report[] {
  const result = readReports(JSON.stringify(value))
  return result.kind === 'reports' ? result.reports : []
}

it('reads every report that is published', () => {
  const told = readdirSync(RAW)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, readFileSync(new URL(name, RAW), 'utf8')] as const)
    .filter(([, text]) => /^\s*\[?\s*\{\s*"format": 2/.test(text))
    .map(([name, text]) => [name, readReports(text).kind])
  expect(told.length).toBeGreaterThan(20)
  expect(told.filter(([, kind]) => kind !== 'reports')).toEqual([])
})

it('says of another file what it is instead', () => {
  expect(readReports('{"format": 2').kind).toBe('no-json')
  expect(readReports('{"hello": 1}').kind).toBe('no-report')
  expect(readReports('[]').kind).toBe('no-report')
  expect(readReports(JSON.stringify(report({ format: 1 }))).kind).toBe('other-format')
  expect(readReports(JSON.stringify({ format: 2, systems: ['keepsake'] })).kind).toBe('manifest')
  expect(readReports(JSON.stringify([report(), { system: 'x' }])).kind).toBe('no-report')
})

const figure = (metric: string, value: number | null, more: object = {}): object => ({
  task: 'answering',
  metric,
  slice: 'all',
  value,
  interval: null,
  count: 10,
  unit: 'share',
  judge: 'deterministic',
  ...more,
})

it('holds figures of one metric side by side, those of another judge in a row of their own', () => {
  const [one, other] = [
    ...read(report({ figures: [figure('correct', 0.5), figure('correct', 0.4, { slice: 'category:x' })] })),
    ...read(report({ figures: [figure('correct', 0.7), figure('correct', 0.8, { judge: 'a-model' })] })),
  ]
  const runs = [one, other].flatMap((report, at) =>
    report === undefined ? [] : [{ label: `${at}`, report }],
  )
  expect(tasksOf(runs)).toEqual(['answering'])
  expect(slicesOf(runs, 'answering')).toEqual(['all', 'category:x'])
  const rows = compareFigures(runs, 'answering', 'all')
  expect(rows.map(({ judge, figures }) => [judge, figures.map((figure) => figure?.value ?? null)])).toEqual([
    ['deterministic', [0.5, 0.7]],
    ['a-model', [null, 0.8]],
  ])
})

it('names the conditions that differ', () => {
  const runs = [{}, { dataset: 'lufy', config: { contextTokens: 500 } }].flatMap((more, at) =>
    read(report(more)).map((report) => ({ label: `${at}`, report })),
  )
  expect(differingConditions(runs)).toEqual([
    { condition: 'dataset', values: ['locomo', 'lufy'] },
    { condition: 'contextTokens', values: ['–', '500'] },
  ])
})

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { probe } from '../log/testing/log-entries.ts'
import { ReportError, readRuns, type ReadRunsOptions } from './read-runs.ts'
import type { ReportRun } from './report-run.ts'
import { temporaryFolder, writeRun } from './testing/report-folder.ts'
import { sampleAnswer, sampleLog, samplePolicies, sampleSummary } from './testing/sample-runs.ts'

const RAW = join(import.meta.dirname, '../../../../docs/benchmarks/raw')

let parent = ''
beforeEach(() => {
  parent = temporaryFolder()
})

const alpha = { system: 'alpha', level: 0.5 }

function readOne(path: string, options: ReadRunsOptions = {}): ReportRun {
  const [run, ...others] = readRuns([path], options)
  if (run === undefined || others.length > 0) throw new Error('not one run')
  return run
}

function catchError(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('a run', () => {
  it('reads a summary and counts its log', () => {
    const folder = writeRun(parent, 'a', { summary: sampleSummary(alpha), log: sampleLog(alpha, 40) })
    const run = readOne(folder)
    expect(run).toMatchObject({ label: 'alpha', source: folder, summary: { system: 'alpha' } })
    expect(run.log).toMatchObject({ questionCount: 40, wrong: 20, done: 1, remarks: [] })
    expect(run.log?.failures).toMatchObject([{ where: 'memories', message: 'The server hung up.' }])
  })

  it('calls the matching of single words so in runs that called it BERTScore, and what is BERTScore by its name', () => {
    const figures = [{ ...sampleSummary(alpha).figures[0], task: 'labels', metric: 'bertscore' }]
    const metricOf = (name: string, config: object) => {
      const summary = { ...sampleSummary(alpha), figures, config } as never
      return readOne(writeRun(parent, name, { summary })).summary.figures[0]?.metric
    }
    expect(metricOf('old', {})).toBe('greedy_words')
    expect(metricOf('new', { bertscore: 'transformers/m' })).toBe('bertscore')
  })

  it('counts a wrong choice of a probe as a wrong answer', () => {
    const choices = ['a boat', 'a kite']
    const log = [1, 0].map((correct) => probe({ question: `p${correct}`, choices, correct }))
    const run = readOne(writeRun(parent, 'a', { summary: sampleSummary(alpha), log }))
    expect(run.log).toMatchObject({ questionCount: 2, wrong: 1 })
    expect(run.log?.wrongAnswers).toMatchObject([{ reference: 'a kite', answer: 'a boat' }])
  })

  it('keeps the same questions of every system, whatever their order in the log', () => {
    const log = Array.from({ length: 300 }, (_, index) => sampleAnswer({ question: `q${index}` }))
    const one = readOne(writeRun(parent, 'a', { summary: sampleSummary(alpha), log }), {
      wrongAnswers: 5,
    })
    const other = readOne(writeRun(parent, 'b', { summary: sampleSummary(alpha), log: log.toReversed() }), {
      wrongAnswers: 5,
    })
    const questions = one.log?.wrongAnswers.map(({ question }) => question)
    expect(questions).toHaveLength(5)
    expect(other.log?.wrongAnswers.map(({ question }) => question)).toEqual(questions)
    expect(one.log?.wrong).toBe(300)
  })

  it('leaves out a last line that was cut off, and says so', () => {
    const tail = JSON.stringify(sampleAnswer()).slice(0, 40)
    const run = readOne(writeRun(parent, 'a', { summary: sampleSummary(alpha), log: [sampleAnswer()], tail }))
    expect(run.log?.questionCount).toBe(1)
    expect(run.log?.remarks).toEqual(['The last line of the log is incomplete and was left out.'])
  })

  it('refuses a line that is damaged further up, by its number', () => {
    const folder = writeRun(parent, 'a', { summary: sampleSummary(alpha) })
    writeFileSync(join(folder, 'log.jsonl'), `{"entry":\n${JSON.stringify(sampleAnswer())}\n`)
    expect(() => readOne(folder)).toThrow(/log\.jsonl, line 1 is damaged/)
  })

  it('refuses a summary that is in another form, naming the field', () => {
    const folder = writeRun(parent, 'a', {})
    const summary = { ...sampleSummary(alpha), figures: [{ task: 'answering' }] }
    writeFileSync(join(folder, 'summary.json'), JSON.stringify(summary))
    expect(() => readOne(folder)).toThrow(/summary\.json: `figures\[0\]\.metric`/)
  })

  it('reads figures that JSON could not write as nothing', () => {
    const folder = writeRun(parent, 'a', {})
    const [figure] = sampleSummary(alpha).figures
    const figures = [{ ...figure, value: Number.NaN, interval: { low: Number.NaN, high: 1 } }]
    writeFileSync(join(folder, 'summary.json'), JSON.stringify({ ...sampleSummary(alpha), figures }))
    expect(readOne(folder).summary.figures).toMatchObject([{ value: null, interval: null }])
  })

  it('says of a run that is not over how far it got and what goes on with it', () => {
    const command = 'keepsake bench run --dataset locomo --path locomo10.json --system alpha'
    const folder = writeRun(parent, 'a', { log: sampleLog(alpha), command })
    const error = catchError(() => readOne(folder))
    expect(error).toBeInstanceOf(ReportError)
    expect(error).toMatchObject({ problem: 'unfinished' })
    expect(String(error)).toContain(
      `the run is not finished. 1 conversation is done. Continue it: ${command}`,
    )
  })

  it.each([
    ['no-such-run', 'missing', 'there is no such run'],
    ['.', 'missing', 'holds no run'],
  ])('refuses %s', (name, problem, message) => {
    const error = catchError(() => readOne(join(parent, name)))
    expect(error).toMatchObject({ problem })
    expect(String(error)).toContain(message)
  })
})

describe('readRuns', () => {
  it('takes each path once, reads every system of a run, and names them apart', () => {
    const one = writeRun(parent, 'one', { summary: sampleSummary(alpha) })
    const two = writeRun(parent, 'two', { summary: sampleSummary(alpha) })
    const several = join(parent, 'forgetting.json')
    writeFileSync(several, JSON.stringify(samplePolicies(['lufy', 'keepsake'])))
    const runs = readRuns([one, two, `${one}/`, several])
    expect(runs.map(({ label }) => label)).toEqual(['alpha (one)', 'alpha (two)', 'lufy', 'keepsake'])
    expect(runs.slice(2)).toMatchObject([
      { source: several, log: null },
      { source: several, log: null },
    ])
  })

  it('reads every raw result that is kept with the documentation', () => {
    // What another program than the harness measured has a form of its own.
    const isOther = (file: string): boolean => file.startsWith('probe-') || file === 'inspector.json'
    const results = readdirSync(RAW).filter((file) => file.endsWith('.json') && !isOther(file))
    expect(results.length).toBeGreaterThanOrEqual(26)
    const runs = readRuns(results.map((file) => join(RAW, file)))
    for (const { source, summary } of runs)
      expect([source, summary.figures.length > 0]).toEqual([source, true])
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { readReportInputs, readRun } from './read-run.ts'
import { ReportError } from './report-error.ts'
import { temporaryFolder, writeRun } from './testing/report-folder.ts'
import { sampleAnswer, sampleLog, sampleRetention, sampleSummary } from './testing/sample-runs.ts'

let parent = ''
beforeEach(() => {
  parent = temporaryFolder()
})

const alpha = { system: 'alpha', level: 0.5 }

describe('readRun', () => {
  it('reads a summary and counts its log', async () => {
    const folder = writeRun(parent, 'a', { summary: sampleSummary(alpha), log: sampleLog(alpha, 40) })
    const run = await readRun(folder)
    expect(run).toMatchObject({ label: 'alpha', source: folder, summary: { system: 'alpha' } })
    expect(run.log).toMatchObject({ asked: 40, wrong: 20, done: 1, remarks: [] })
    expect(run.log?.failures).toMatchObject([{ where: 'memories', message: 'The server hung up.' }])
    const lost = Object.values(run.log?.lost ?? {}).reduce((sum, count) => sum + count, 0)
    expect(lost).toBe(20)
  })

  it('reads a summary without its log', async () => {
    const folder = writeRun(parent, 'a', { summary: sampleSummary(alpha) })
    expect(await readRun(join(folder, 'summary.json'))).toMatchObject({ log: null, logFile: null })
  })

  it('counts a wrong choice of a probe as a wrong answer, and does not attribute it', async () => {
    const probe = {
      entry: 'probe',
      conversation: 'c1',
      person: 'Ines',
      question: 'p1',
      category: 'probe',
      text: 'Which?',
      choices: ['a boat', 'a kite'],
      correct: 1,
      chosen: 0,
      retrieved: [],
      context: '',
      failure: null,
    } as const
    const log = [probe, { ...probe, question: 'p2', chosen: 1 }]
    const run = await readRun(writeRun(parent, 'a', { summary: sampleSummary(alpha), log }))
    expect(run.log).toMatchObject({ asked: 2, wrong: 1, lost: {} })
    expect(run.log?.wrongAnswers).toMatchObject([{ reference: 'a kite', answer: 'a boat' }])
  })

  it('keeps the same questions of every system, whatever their order in the log', async () => {
    const log = Array.from({ length: 300 }, (_, index) => sampleAnswer({ question: `q${index}` }))
    const one = await readRun(writeRun(parent, 'a', { summary: sampleSummary(alpha), log }), {
      wrongAnswers: 5,
    })
    const other = await readRun(
      writeRun(parent, 'b', { summary: sampleSummary(alpha), log: log.toReversed() }),
      { wrongAnswers: 5 },
    )
    const questions = one.log?.wrongAnswers.map(({ question }) => question)
    expect(questions).toHaveLength(5)
    expect(other.log?.wrongAnswers.map(({ question }) => question)).toEqual(questions)
    expect(one.log?.wrong).toBe(300)
  })

  it('leaves out a last line that was cut off, and says so', async () => {
    const tail = JSON.stringify(sampleAnswer()).slice(0, 40)
    const run = await readRun(
      writeRun(parent, 'a', { summary: sampleSummary(alpha), log: [sampleAnswer()], tail }),
    )
    expect(run.log?.asked).toBe(1)
    expect(run.log?.remarks).toEqual(['Line 2 of the log, its last, is cut off and was left out.'])
  })

  it('refuses a line that is damaged further up, by its number', async () => {
    const folder = writeRun(parent, 'a', { summary: sampleSummary(alpha) })
    writeFileSync(join(folder, 'log.jsonl'), `{"entry":\n${JSON.stringify(sampleAnswer())}\n`)
    await expect(readRun(folder)).rejects.toThrow(/log\.jsonl: line 1: is not JSON/)
  })

  it('refuses a line that lacks a field, naming it', async () => {
    const { reason: _reason, ...answer } = sampleAnswer()
    const folder = writeRun(parent, 'a', { summary: sampleSummary(alpha) })
    writeFileSync(join(folder, 'log.jsonl'), `${JSON.stringify(answer)}\n`)
    await expect(readRun(folder)).rejects.toThrow(/log\.jsonl: line 1: `reason`: .*run the benchmark again/)
  })

  it('refuses a summary that is in another form, naming the field', async () => {
    const folder = writeRun(parent, 'a', {})
    const summary = { ...sampleSummary(alpha), figures: [{ task: 'answering' }] }
    writeFileSync(join(folder, 'summary.json'), JSON.stringify(summary))
    await expect(readRun(folder)).rejects.toThrow(/summary\.json: `figures\[0\]\.metric`/)
  })

  it('reads figures that JSON could not write as nothing', async () => {
    const folder = writeRun(parent, 'a', {})
    const [figure] = sampleSummary(alpha).figures
    const figures = [{ ...figure, value: Number.NaN, interval: { low: Number.NaN, high: 1 } }]
    writeFileSync(join(folder, 'summary.json'), JSON.stringify({ ...sampleSummary(alpha), figures }))
    expect((await readRun(folder)).summary.figures).toMatchObject([{ value: null, interval: null }])
  })

  it('says of a run that is not over how far it got and what goes on with it', async () => {
    const command = 'keepsake bench run --dataset locomo --path locomo10.json --system alpha'
    const folder = writeRun(parent, 'a', { log: sampleLog(alpha), command })
    const error = await readRun(folder).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ReportError)
    expect(error).toMatchObject({ problem: 'unfinished' })
    expect(String(error)).toContain(`the run is not over. 1 conversation is done. Go on with it: ${command}`)
  })

  it.each([
    ['no-such-run', 'missing', 'there is no such run'],
    ['.', 'missing', 'holds no run'],
  ])('refuses %s', async (name, problem, message) => {
    const error = await readRun(join(parent, name)).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ problem })
    expect(String(error)).toContain(message)
  })
})

describe('readReportInputs', () => {
  it('tells runs from forgetting reports, takes each path once, and names runs apart', async () => {
    const one = writeRun(parent, 'one', { summary: sampleSummary(alpha) })
    const two = writeRun(parent, 'two', { summary: sampleSummary(alpha) })
    const forgetting = join(parent, 'forgetting.json')
    const { source: _source, ...report } = sampleRetention(['lufy'])
    writeFileSync(forgetting, JSON.stringify(report))
    const { runs, retention } = await readReportInputs([one, two, `${one}/`, forgetting])
    expect(runs.map(({ label }) => label)).toEqual(['alpha (one)', 'alpha (two)'])
    expect(retention).toMatchObject([{ source: forgetting, dataset: 'lufy' }])
    expect(retention[0]?.capacityCurves[0]?.points[0]).toMatchObject({ capacity: 8, agreement: null })
  })
})

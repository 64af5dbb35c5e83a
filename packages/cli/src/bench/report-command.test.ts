import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import * as bench from '@keepsake/bench'
import { beforeEach, describe, expect, it } from 'vitest'
import { Collector } from '../testing/run-command.ts'
import { exitCodeOf } from '../exit-codes.ts'
import { reportCommand } from './report-command.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-bench-report-'))
})

/** Runs the command alone, as `keepsake bench` would. */
async function report(...argv: string[]): Promise<{ out: string; error: Error | null; code: number }> {
  const stdout = new Collector({ decodeStrings: true })
  const io = { stdin: new PassThrough(), stdout, stderr: new Collector(), env: {} }
  try {
    await reportCommand(bench)(io).exitOverride().parseAsync(argv, { from: 'user' })
    return { out: stdout.text, error: null, code: 0 }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { out: stdout.text, error, code: exitCodeOf(error) }
  }
}

function writeRun(system: string, right: number, isOver = true): string {
  const run = join(folder, system)
  mkdirSync(run)
  const of = { conversation: 'c1', person: 'Ines' }
  const answers = Array.from({ length: 10 }, (_, index) => ({
    entry: 'answer',
    ...of,
    person: `person ${index % 5}`,
    question: `q${index}`,
    category: 'fact',
    text: 'Where are the bees?',
    reference: 'On the roof.',
    keyPoints: [],
    answerable: true,
    answer: 'In the garden.',
    abstained: false,
    confidence: null,
    context: '',
    retrieved: ['Ines keeps bees.'],
    outcome: index < right ? 'correct' : 'omitted',
    reason: '',
    lost: index < right ? null : 'not-retrieved',
    overlap: {},
    contextTokens: 3,
    inputTokens: 0,
    outputTokens: 0,
    retrieveMs: 1,
    answerMs: 1,
    failure: null,
  }))
  const usage = { calls: 0, inputTokens: 0, outputTokens: 0, embeddingRequests: 0 }
  const done = { entry: 'done', ...of, usage, ingestMs: 1, memories: 1, milliseconds: 2 }
  writeFileSync(
    join(run, 'log.jsonl'),
    [...answers, done].map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
  writeFileSync(join(run, 'run.json'), JSON.stringify({ command: `keepsake bench run --system ${system}` }))
  if (isOver) writeFileSync(join(run, 'summary.json'), JSON.stringify(summaryOf(system, right / 10)))
  return run
}

function summaryOf(system: string, value: number): object {
  const figure = { slice: 'all', interval: null, count: 10, unit: 'share', judge: 'deterministic' }
  return {
    format: 2,
    benchmark: 'run',
    dataset: 'own-talk',
    dataHash: 'ab12',
    system,
    config: { contextTokens: 1_000 },
    reader: 'extractive',
    judge: 'deterministic',
    tasks: ['answering'],
    conversations: 1,
    failures: 0,
    leftOut: {},
    figures: [{ task: 'answering', metric: 'correct', value, ...figure }],
    remarks: [],
    machine: null,
    command: `keepsake bench run --system ${system}`,
    startedAt: '2026-03-02T10:00:00.000Z',
    finishedAt: '2026-03-02T10:20:00.000Z',
  }
}

describe('keepsake bench report', () => {
  it('prints runs side by side as Markdown, each against the first', async () => {
    const { out, error } = await report(writeRun('alpha', 4), writeRun('beta', 9))
    expect(error).toBeNull()
    expect(out).toContain('# Memory systems on own-talk')
    expect(out).toMatch(/\| alpha \| 40\.0 \| 10 \|\n\| beta \| 90\.0 \| 10 \|/)
    // beta is right where alpha is not in five of ten questions, one of each of five people: p is 2 / 2^5
    expect(out).toMatch(
      /\*\*beta − alpha, item by item\*\*[\s\S]*\| C \| \+50\.0 \([^|]*\) \| 0\.063 \| 10 \|/,
    )
  })

  it('writes both forms to a folder and says where', async () => {
    const out = join(folder, 'new', 'report')
    const run = await report(writeRun('alpha', 4), '--out', out)
    expect(run).toMatchObject({ error: null })
    expect(run.out).toBe(`Wrote ${join(out, 'report.md')}\nWrote ${join(out, 'report.html')}\n`)
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('<h1>alpha on own-talk</h1>')
    expect(readFileSync(join(out, 'report.md'), 'utf8')).toContain('# alpha on own-talk')
  })

  it('writes to files that are named, with as many wrong answers as wanted', async () => {
    const html = join(folder, 'r.html')
    await report(writeRun('alpha', 4), '--html', html, '--wrong-answers', '2')
    expect(readFileSync(html, 'utf8')).toContain('2 of 6 wrong answers; 4 are left out.')
    expect(existsSync(join(folder, 'r.md'))).toBe(false)
  })

  it('prints all figures as one JSON object', async () => {
    const { out } = await report(writeRun('alpha', 4), writeRun('beta', 9), '--json')
    expect(JSON.parse(out)).toMatchObject({
      runs: [{ label: 'alpha', log: { asked: 10, wrong: 6 } }, { label: 'beta' }],
      differences: expect.arrayContaining([
        expect.objectContaining({ metric: 'correct', a: 'beta', b: 'alpha', difference: 0.5, pairs: 10 }),
      ]) as unknown,
    })
  })

  it('refuses a run that is not there, and one that is not over with the command that goes on with it', async () => {
    const absent = await report(join(folder, 'nothing'))
    expect(absent.code).toBe(3)
    expect(absent.error?.message).toContain('there is no such run')
    const unfinished = await report(writeRun('gamma', 4, false))
    expect(unfinished.code).toBe(1)
    expect(unfinished.error?.message).toContain(
      'the run is not over. 1 conversation is done. Go on with it: keepsake bench run --system gamma',
    )
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runBenchmark } from '../benchmark/run-benchmark.ts'
import { ALONE, readLog } from '../benchmark/testing/run-alone.ts'
import { fixtureFile } from '../datasets/testing/edit-fixture.ts'
import { findFigure } from '../results/plain-figures.ts'
import { run } from './run.ts'
import { verdicts } from './verdicts.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bench-runs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Makes a finished run, and verdicts for its log that are all positive. */
async function finishedRun() {
  const asked = {
    dataset: 'halumem' as const,
    path: fixtureFile('halumem.jsonl'),
    system: ['whole-context' as const],
    tasks: ['extraction' as const, 'updating' as const, 'answering' as const],
  }
  const [finished] = await runBenchmark(run, asked, { ...ALONE, runs: folder })
  if (finished === undefined) throw new Error('nothing was measured')
  const log = readLog(finished.folder)
  const conversation = log.find((entry) => entry.entry === 'done')?.conversation ?? ''
  const sessions = new Set(log.flatMap((entry) => (entry.entry === 'integrity' ? [entry.session] : [])))
  const count = (kind: string, session: string): number =>
    log.filter((entry) => entry.entry === kind && 'session' in entry && entry.session === session).length
  const lines: object[] = [...sessions].map((session) => ({
    conversation,
    session,
    integrity: Array.from({ length: count('integrity', session) }).fill(2),
    accuracy: Array.from({ length: count('accuracy', session) }).fill(2),
    gold_match: Array.from({ length: count('accuracy', session) }).fill(1),
    updates: Array.from({ length: count('update', session) }).fill('C'),
  }))
  for (const entry of log)
    if (entry.entry === 'answer') lines.push({ conversation, question: entry.question, verdict: 'H' })
  return { finished, log, lines }
}

function judge(runFolder: string, lines: readonly object[]) {
  const file = join(folder, 'verdicts.jsonl')
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  const asked = { run: runFolder, verdicts: file, by: 'two readers' }
  return runBenchmark(verdicts, asked, { ...ALONE, runs: join(folder, 'judged') })
}

it('counts a run anew under the name of who judged', async () => {
  const { finished, lines } = await finishedRun()
  const [judged] = await judge(finished.folder, lines)
  const figures = judged?.summaries[0]?.figures ?? []
  expect(judged?.summaries[0]).toMatchObject({ system: 'whole-context', judge: 'two readers' })
  expect(findFigure(figures, 'extraction', 'all.recall')).toMatchObject({ value: 1, judge: 'two readers' })
  expect(findFigure(figures, 'extraction', 'accuracy')?.value).toBe(1)
  expect(findFigure(figures, 'extraction', 'fmr')?.value).toBe(0)
  expect(findFigure(figures, 'updating', 'correct')?.value).toBe(1)
  expect(findFigure(figures, 'answering', 'hallucinated')?.value).toBe(1)
  const original = finished.summaries[0]?.figures.find(({ metric }) => metric === 'hallucinated')
  expect(original?.value).not.toBe(1)
})

it('refuses verdicts of another run, and a run that is judged in part', async () => {
  const { finished, lines } = await finishedRun()
  const [first, ...rest] = lines
  await expect(judge(finished.folder, rest)).rejects.toThrow(/There is no verdict on the/)
  await expect(judge(finished.folder, [{ ...first, updates: ['C', 'C', 'C'] }, ...rest])).rejects.toThrow(
    /verdicts on 3\. They belong to another run/,
  )
  await expect(judge(finished.folder, [{ ...first, accuracy: [3] }, ...rest])).rejects.toThrow(/line 1/)
})

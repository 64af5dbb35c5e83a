import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runBenchmark } from '../benchmark/run-benchmark.ts'
import { ALONE, readLog } from '../benchmark/testing/run-alone.ts'
import { readFixture, writeScratch } from '../datasets/testing/edit-fixture.ts'
import type { Figure } from '../log/figure.ts'
import { run } from './run.ts'

const CHILD = join(import.meta.dirname, 'testing', 'run-child.ts')
const KILLS = 2
const COPIES = 4

let runs: string
beforeEach(() => {
  runs = mkdtempSync(join(tmpdir(), 'bench-runs-'))
})
afterEach(() => rmSync(runs, { recursive: true, force: true }))

/** Writes the fixture's questions many times, so that there is time to kill the run. */
function manyQuestions(): { readonly path: string; readonly size: number } {
  const items = readFixture('longmemeval.json')
  if (!Array.isArray(items)) throw new Error('the fixture should be a list')
  const many = Array.from({ length: COPIES }, () => items).flat()
  return { path: writeScratch('many.json', JSON.stringify(many)), size: many.length }
}

const measured = (figures: readonly Figure[]): Figure[] => figures.filter(({ task }) => task !== 'cost')

it(`gives the figures of an undisturbed run after ${KILLS} kills, measuring nothing twice`, async () => {
  const { path, size } = manyQuestions()
  for (let kill = 0; kill < KILLS; kill++) await killMidway(path, kill + 1)
  const again = (folder: string) =>
    runBenchmark(run, { dataset: 'longmemeval', path, system: ['keepsake'] }, { ...ALONE, runs: folder })
  const [broken] = await again(runs)
  const [whole] = await again(join(runs, 'undisturbed'))
  if (broken === undefined || whole === undefined) throw new Error('no run')
  const figuresOf = ({ summaries }: typeof whole) => summaries.flatMap(({ figures }) => measured(figures))
  expect(figuresOf(broken)).toEqual(figuresOf(whole))
  const done = readLog(broken.folder).filter((entry) => entry.entry === 'done')
  expect(done).toHaveLength(size)
  expect(new Set(done.map(({ conversation }) => conversation)).size).toBe(size)
})

/** Kills the run after it has reported this many further conversations, unless it ends before. */
function killMidway(path: string, after: number): Promise<void> {
  const child = spawn(process.execPath, [CHILD, path, runs], { stdio: ['ignore', 'pipe', 'inherit'] })
  let reported = 0
  child.stdout.on('data', (data: Buffer) => {
    reported += data.toString().split('\n').length - 1
    if (reported >= after) child.kill('SIGKILL')
  })
  return new Promise((resolve) => child.once('close', () => resolve()))
}

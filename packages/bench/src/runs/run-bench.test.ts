import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fixtureFile, readFixture, writeScratch } from '../datasets/edit-fixture.ts'
import { openDataset } from '../datasets/open-dataset.ts'
import { ModelError } from 'keepsake'
import { deterministicJudge } from '../judges/deterministic-judge.ts'
import { JudgeError } from '../judges/judge-error.ts'
import type { Judge } from '../judges/judge.ts'
import { extractiveReader } from '../readers/extractive-reader.ts'
import type { MemorySystem, SystemMemory } from '../systems/memory-system.ts'
import { openSystem } from '../systems/open-system.ts'
import type { Figure } from './figure.ts'
import type { LogEntry } from './log-entry.ts'
import { runBench, type RunOptions } from './run-bench.ts'
import { RunError } from './run-error.ts'

const CHILD = join(import.meta.dirname, 'testing', 'run-child.ts')
const KILLS = 4
const COPIES = 6

let runs: string
beforeEach(() => {
  runs = mkdtempSync(join(tmpdir(), 'bench-runs-'))
})
afterEach(() => rmSync(runs, { recursive: true, force: true }))

async function optionsFor(path: string, more: Partial<RunOptions> = {}): Promise<RunOptions> {
  return {
    dataset: await openDataset('longmemeval', path),
    system: openSystem('keepsake'),
    reader: extractiveReader,
    judge: deterministicJudge,
    runs,
    command: 'test',
    ...more,
  }
}

/** The fixture's questions several times over: a run that takes long enough to be killed. */
function manyQuestions(): string {
  const items = readFixture('longmemeval.json')
  if (!Array.isArray(items)) throw new Error('the fixture should be a list')
  return writeScratch('many.json', JSON.stringify(Array.from({ length: COPIES }, () => items).flat()))
}

const measured = (figures: readonly Figure[]): Figure[] => figures.filter(({ task }) => task !== 'cost')

it(`gives the figures of an undisturbed run after ${KILLS} kills, measuring nothing twice`, async () => {
  const path = manyQuestions()
  for (let kill = 0; kill < KILLS; kill++) await killMidway(path, kill + 1)
  const options = await optionsFor(path)
  const { summary, folder } = await runBench(options)
  const whole = await runBench({ ...options, runs: join(runs, 'undisturbed') })
  expect(measured(summary.figures)).toEqual(measured(whole.summary.figures))
  const done = logOf(folder).filter((entry) => entry.entry === 'done')
  expect(done).toHaveLength(options.dataset.size)
  expect(new Set(done.map(({ conversation }) => conversation)).size).toBe(options.dataset.size)
}, 120_000)

/** Kills the run once so many more conversations were told done, or lets it end. */
function killMidway(path: string, after: number): Promise<void> {
  const child = spawn(process.execPath, [CHILD, path, runs], { stdio: ['ignore', 'pipe', 'inherit'] })
  let told = 0
  child.stdout.on('data', (data: Buffer) => {
    told += data.toString().split('\n').length - 1
    if (told >= after) child.kill('SIGKILL')
  })
  return new Promise((resolve) => child.once('close', () => resolve()))
}

function logOf(folder: string): LogEntry[] {
  const lines = readFileSync(join(folder, 'log.jsonl'), 'utf8').trim().split('\n')
  return lines.map((line): LogEntry => JSON.parse(line))
}

it('scores what fails as failed, says so, and goes on', async () => {
  const system = breaking(openSystem('keepsake'), {
    retrieve: () => Promise.reject(new Error('the index is gone')),
  })
  const { summary, folder } = await runBench(await optionsFor(fixtureFile('longmemeval.json'), { system }))
  const answers = logOf(folder).filter((entry) => entry.entry === 'answer')
  expect(answers.map(({ failure }) => failure)).toEqual(answers.map(() => 'the index is gone'))
  expect(summary.failures).toBeGreaterThanOrEqual(answers.length)
  const correct = summary.figures.find(({ metric, slice }) => metric === 'correct' && slice === 'all')
  expect(correct).toMatchObject({ value: 0, count: 3, judge: 'deterministic' })
  const hit = summary.figures.find(({ metric, slice }) => metric === 'hit@5' && slice === 'all')
  expect(hit).toMatchObject({ value: 0, count: 2, judge: null })
})

it('stops when nothing can be ingested, and says why and what to do', async () => {
  const system = breaking(openSystem('keepsake'), {
    addDialogue: () => Promise.reject(new Error('connection refused')),
  })
  const run = runBench(await optionsFor(fixtureFile('longmemeval.json'), { system }))
  await expect(run).rejects.toThrow(RunError)
  await expect(run).rejects.toThrow(/connection refused\. Mend it and run the same command again/)
})

it('scores nothing when its judge cannot be reached, and goes on when it can', async () => {
  let isDown = true
  const judge: Judge = {
    ...deterministicJudge,
    answer: (input) =>
      isDown ? Promise.reject(new Error('the judge is down')) : deterministicJudge.answer(input),
  }
  const options = await optionsFor(fixtureFile('longmemeval.json'), { judge, concurrency: 1 })
  await expect(runBench(options)).rejects.toThrow('the judge is down')
  expect(readdirSync(runs)).toHaveLength(1)
  isDown = false
  const { summary } = await runBench(options)
  expect(summary.conversations).toBe(3)
})

it('leaves out what a judge cannot put in words, and says so', async () => {
  const cause = new ModelError('no verdict in it', { code: 'model-answer' })
  const judge: Judge = {
    ...deterministicJudge,
    answer: () => Promise.reject(new JudgeError('deterministic', 'answer', cause.message, cause)),
  }
  const { summary, folder } = await runBench(await optionsFor(fixtureFile('longmemeval.json'), { judge }))
  expect(logOf(folder).filter((entry) => entry.entry === 'answer')).toEqual([])
  expect(logOf(folder).filter((entry) => entry.entry === 'failure')).toHaveLength(3)
  expect(summary.failures).toBe(3)
  expect(summary.figures.some(({ metric }) => metric === 'correct')).toBe(false)
})

it('measures no more conversations than it is told to, and only the tasks asked for', async () => {
  const options = await optionsFor(fixtureFile('longmemeval.json'), { limit: 1, tasks: ['retrieval'] })
  const { summary } = await runBench(options)
  expect(summary.conversations).toBe(1)
  expect(new Set(summary.figures.map(({ task }) => task))).toEqual(new Set(['retrieval', 'cost']))
})

/** A system with some of its calls replaced by broken ones. */
function breaking(system: MemorySystem, broken: Partial<SystemMemory>): MemorySystem {
  return {
    ...system,
    open: async (options) => {
      const memory = await system.open(options)
      return {
        addDialogue: (dialogue) => memory.addDialogue(dialogue),
        dialogueMemories: (session) => memory.dialogueMemories(session),
        retrieve: (query, about) => memory.retrieve(query, about),
        memories: () => memory.memories(),
        update: (id, text) => memory.update(id, text),
        answer: memory.answer,
        usage: () => memory.usage(),
        close: () => memory.close(),
        ...broken,
      }
    },
  }
}

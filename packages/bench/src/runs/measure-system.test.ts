import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runMeasurement } from '../benchmark/run-benchmark.ts'
import { readLog } from '../benchmark/testing/run-alone.ts'
import { RunError } from '../benchmark/run-error.ts'
import { fixtureFile } from '../datasets/testing/edit-fixture.ts'
import { openDataset } from '../datasets/open-dataset.ts'
import { ModelError } from 'keepsake'
import { deterministicJudge } from '../judges/deterministic-judge.ts'
import { JudgeError } from '../judges/judge-error.ts'
import type { Judge } from '../judges/judge.ts'
import { extractiveReader } from '../readers/extractive-reader.ts'
import type { MemorySystem, SystemMemory } from '../systems/memory-system.ts'
import { openSystem } from '../systems/open-system.ts'
import { measureSystem, type MeasureSystemOptions } from './measure-system.ts'

let runs: string
beforeEach(() => {
  runs = mkdtempSync(join(tmpdir(), 'bench-runs-'))
})
afterEach(() => rmSync(runs, { recursive: true, force: true }))

/** A run of the fixture's three conversations, with Keepsake unless another system is given. */
async function runFixture(more: Partial<MeasureSystemOptions> = {}) {
  const measurement = measureSystem({
    dataset: await openDataset('longmemeval', fixtureFile('longmemeval.json')),
    system: openSystem('keepsake'),
    reader: extractiveReader,
    judge: deterministicJudge,
    ...more,
  })
  const run = await runMeasurement(measurement, { benchmark: 'run', command: 'test', context: { runs } })
  const [summary] = run.summaries
  if (summary === undefined) throw new Error('nothing was measured')
  return { summary, folder: run.folder }
}

it('scores what fails as failed, says so, and goes on', async () => {
  const system = breaking(openSystem('keepsake'), {
    retrieve: () => Promise.reject(new Error('the index is gone')),
  })
  const { summary, folder } = await runFixture({ system })
  const answers = readLog(folder).filter((entry) => entry.entry === 'answer')
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
  const run = runFixture({ system })
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
  const options = { judge, concurrency: 1 }
  await expect(runFixture(options)).rejects.toThrow('the judge is down')
  expect(readdirSync(runs)).toHaveLength(1)
  isDown = false
  const { summary } = await runFixture(options)
  expect(summary.conversations).toBe(3)
})

it('leaves out what a judge cannot put in words, and says so', async () => {
  const cause = new ModelError('no verdict in it', { code: 'model-answer' })
  const judge: Judge = {
    ...deterministicJudge,
    answer: () => Promise.reject(new JudgeError('deterministic', 'answer', cause.message, cause)),
  }
  const { summary, folder } = await runFixture({ judge })
  expect(readLog(folder).filter((entry) => entry.entry === 'answer')).toEqual([])
  expect(readLog(folder).filter((entry) => entry.entry === 'failure')).toHaveLength(3)
  expect(summary.failures).toBe(3)
  expect(summary.figures.some(({ metric }) => metric === 'correct')).toBe(false)
})

it('measures no more conversations than it is told to, and only the tasks asked for', async () => {
  const { summary } = await runFixture({ limit: 1, tasks: ['retrieval'] })
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
        answer: memory.answer,
        usage: () => memory.usage(),
        close: () => memory.close(),
        ...broken,
      }
    },
  }
}

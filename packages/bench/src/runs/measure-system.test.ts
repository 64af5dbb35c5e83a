import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { RunError } from '../benchmark/run-error.ts'
import { fixtureFile } from '../datasets/testing/edit-fixture.ts'
import { openDataset } from '../datasets/open-dataset.ts'
import { ModelError } from 'keepsake'
import { deterministicJudge } from '../judges/deterministic-judge.ts'
import { JudgeError } from '../judges/judge-error.ts'
import type { Judge } from '../judges/judge.ts'
import type { MemorySystem, SystemMemory } from '../systems/memory-system.ts'
import { openSystem } from '../systems/open-system.ts'
import type { MeasureSystemOptions } from './measure-system.ts'
import { measureRun, runsFolder } from './testing/measure-run.ts'

/** Runs the fixture's three conversations, with Keepsake by default. */
async function runFixture(more: Partial<MeasureSystemOptions> = {}, runs = runsFolder()) {
  const dataset = await openDataset('longmemeval', fixtureFile('longmemeval.json'))
  return measureRun({ dataset, system: openSystem('keepsake'), ...more }, runs)
}

it('scores what fails as failed, says so, and goes on', async () => {
  const system = breaking(openSystem('keepsake'), {
    retrieve: () => Promise.reject(new Error('the index is gone')),
  })
  const { summary, log, figureOf } = await runFixture({ system })
  const answers = log.filter((entry) => entry.entry === 'answer')
  expect(answers.map(({ failure }) => failure)).toEqual(answers.map(() => 'the index is gone'))
  expect(summary.failures).toBeGreaterThanOrEqual(answers.length)
  expect(figureOf('answering', 'correct')).toMatchObject({ value: 0, count: 3, judge: 'deterministic' })
  expect(figureOf('retrieval', 'hit@5')).toMatchObject({ value: 0, count: 2, judge: null })
})

it('stops when nothing can be ingested, and says why and what to do', async () => {
  const system = breaking(openSystem('keepsake'), {
    addDialogue: () => Promise.reject(new Error('connection refused')),
  })
  const run = runFixture({ system })
  await expect(run).rejects.toThrow(RunError)
  await expect(run).rejects.toThrow(/connection refused\. Fix the cause and run the same command again/)
})

it('scores nothing when its judge cannot be reached, and goes on when it can', async () => {
  let isDown = true
  const judge: Judge = {
    ...deterministicJudge,
    answer: (input) =>
      isDown ? Promise.reject(new Error('the judge is down')) : deterministicJudge.answer(input),
  }
  const options = { judge, concurrency: 1 }
  const runs = runsFolder()
  await expect(runFixture(options, runs)).rejects.toThrow('the judge is down')
  expect(readdirSync(runs)).toHaveLength(1)
  isDown = false
  const { summary } = await runFixture(options, runs)
  expect(summary.conversations).toBe(3)
})

it('leaves out what a judge cannot put in words, and says so', async () => {
  const cause = new ModelError('no verdict in it', { code: 'model-answer' })
  const judge: Judge = {
    ...deterministicJudge,
    answer: () => Promise.reject(new JudgeError('deterministic', 'answer', cause.message, cause)),
  }
  const { summary, log } = await runFixture({ judge })
  expect(log.filter((entry) => entry.entry === 'answer')).toEqual([])
  expect(log.filter((entry) => entry.entry === 'failure')).toHaveLength(3)
  expect(summary.failures).toBe(3)
  expect(summary.figures.some(({ metric }) => metric === 'correct')).toBe(false)
})

it('measures no more conversations than it is told to, and only the tasks asked for', async () => {
  const { summary } = await runFixture({ limit: 1, tasks: ['retrieval'] })
  expect(summary.conversations).toBe(1)
  expect(new Set(summary.figures.map(({ task }) => task))).toEqual(new Set(['retrieval', 'cost']))
})

/** Makes a system some of whose functions fail. */
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

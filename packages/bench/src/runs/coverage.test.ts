import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptedModel } from 'keepsake/model'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runBenchmark } from '../benchmark/run-benchmark.ts'
import { ALONE } from '../benchmark/testing/run-alone.ts'
import { openDataset } from '../datasets/open-dataset.ts'
import { fixtureFile } from '../datasets/testing/edit-fixture.ts'
import { deterministicJudge } from '../judges/deterministic-judge.ts'
import { extractiveReader } from '../readers/extractive-reader.ts'
import type { RetrieveOptions } from '../systems/memory-system.ts'
import { openSystem } from '../systems/open-system.ts'
import { measureSystem } from './measure-system.ts'
import { run } from './run.ts'
import { measureRun } from './testing/measure-run.ts'

let runs: string
beforeEach(() => {
  runs = mkdtempSync(join(tmpdir(), 'bench-runs-'))
})
afterEach(() => rmSync(runs, { recursive: true, force: true }))

const HALUMEM = fixtureFile('halumem.jsonl')

describe('what contexts hold', () => {
  it('is measured at every budget, by the judge and by the words alone, with the budget as the only limit', async () => {
    const asked: RetrieveOptions[] = []
    const whole = openSystem('whole-context')
    const system = {
      ...whole,
      open: async (options: Parameters<typeof whole.open>[0]) => {
        const memory = await whole.open(options)
        return {
          ...memory,
          retrieve: async (query: string, given: RetrieveOptions) => {
            asked.push(given)
            const found = await memory.retrieve(query, given)
            // Only the largest budget holds the talk.
            return given.tokens < 2_000 ? { ...found, context: 'Ilse Brandt likes tea.' } : found
          },
        }
      },
    }
    const dataset = await openDataset('halumem', HALUMEM)
    const { log, figureOf } = await measureRun({ dataset, system, tasks: ['coverage'] })
    const entries = log.filter((entry) => entry.entry === 'coverage')
    expect(entries.length).toBeGreaterThan(0)
    expect(new Set(asked.map(({ tokens }) => tokens))).toEqual(new Set([500, 1_000, 2_000]))
    expect(new Set(asked.map(({ limit }) => limit))).toEqual(new Set([100]))
    for (const { contexts, keyPoints } of entries)
      for (const { held, words } of contexts) {
        expect(held).toHaveLength(keyPoints.length)
        expect(words).toHaveLength(keyPoints.length)
      }
    const valueOf = (metric: string) => figureOf('coverage', metric)
    expect(valueOf('points@500')).toMatchObject({ task: 'coverage', judge: 'deterministic', value: 0 })
    expect(valueOf('words@2000')?.value).toBeGreaterThan(valueOf('words@500')?.value ?? 1)
    expect(valueOf('tokens@500')).toMatchObject({ unit: 'tokens', judge: null })
  })

  it('is measured only when asked for', async () => {
    const dataset = await openDataset('halumem', HALUMEM)
    const system = openSystem('whole-context')
    const measured = measureSystem({ dataset, system, reader: extractiveReader, judge: deterministicJudge })
    expect(measured.tasks).not.toContain('coverage')
  })
})

describe('recorded answers', () => {
  const asked = {
    dataset: 'halumem' as const,
    path: HALUMEM,
    system: ['mem0' as const],
    tasks: ['coverage' as const],
  }
  const answers = () => join(runs, 'answers', 'scripted_model.jsonl')

  it('repeat a run without its model, and nothing beside them', async () => {
    const memory = [{ id: '0', text: 'Ilse Brandt restores old clocks in Bremen', attributed_to: 'user' }]
    const model = scriptedModel(() => JSON.stringify({ memory }))
    const first = await runBenchmark(
      run,
      { ...asked, model: 'scripted' },
      { ...ALONE, runs, openModel: async () => model },
    )
    const again = await runBenchmark(
      run,
      { ...asked, model: `recorded:${answers()}` },
      { ...ALONE, runs: join(runs, 'again') },
    )
    const figures = (finished: typeof first) =>
      finished[0]?.summaries[0]?.figures.filter(({ task }) => task === 'coverage')
    expect(figures(first)?.length).toBeGreaterThan(0)
    expect(figures(again)).toEqual(figures(first))
    const other = {
      ...asked,
      dataset: 'longmemeval' as const,
      path: fixtureFile('longmemeval.json'),
      tasks: ['answering' as const],
    }
    const stale = runBenchmark(
      run,
      { ...other, model: `recorded:${answers()}` },
      { ...ALONE, runs: join(runs, 'other') },
    )
    await expect(stale).rejects.toThrow(/has no answer to this request/)
  })
})

describe('a weak model', () => {
  const asked = { dataset: 'halumem' as const, path: HALUMEM, tasks: ['extraction' as const], spoil: 2 }

  it('is as weak for every system, and the run says so', async () => {
    const memory = [{ id: '0', text: 'Ilse Brandt restores old clocks in Bremen', attributed_to: 'user' }]
    const given: string[] = []
    const model = scriptedModel(() => {
      given.push('asked')
      return JSON.stringify({ memory, memories: [], summary: '' })
    })
    const spoiled = { ...asked, system: ['keepsake' as const, 'mem0' as const], model: 'scripted' }
    const finished = await runBenchmark(run, spoiled, { ...ALONE, runs, openModel: async () => model })
    const models = finished.map(
      ({ folder }) =>
        (JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as { config: { model: string } }).config
          .model,
    )
    expect(models).toEqual([
      'scripted/model, one in 2 unusable (seed 1)',
      'scripted/model, one in 2 unusable (seed 1)',
    ])
    expect(given.length).toBeGreaterThan(2)
  })

  it('is one that was named', async () => {
    const unnamed = runBenchmark(run, { ...asked, system: ['keepsake' as const] }, { ...ALONE, runs })
    await expect(unnamed).rejects.toThrow(/--spoil needs --model/)
  })
})

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDataset } from '../datasets/open-dataset.ts'
import { entriesOf } from '../runs/figures/make-figures.ts'
import { measureRun } from '../runs/testing/measure-run.ts'
import type { Retrieved } from '../systems/memory-system.ts'
import { NOTHING_FOUND, scriptedSystem } from '../systems/testing/scripted-system.ts'

const turns = (session: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    speaker: 'Nadia',
    dia_id: `D${session}:${i + 1}`,
    text: `line ${i}`,
  }))

const sample = {
  sample_id: 'c',
  conversation: {
    session_1_date_time: '1:00 pm on 1 May, 2024',
    session_1: turns(1, 3),
    session_2_date_time: '1:00 pm on 2 May, 2024',
    session_2: turns(2, 3),
  },
  qa: [
    { question: 'first', category: 4, evidence: ['D1:1', 'D2:3'] },
    { question: 'broken', category: 2, evidence: ['D1:2'] },
    { question: 'never said', category: 5, evidence: ['D1:1'] },
  ],
}

it('scores what a system returns, keeps failures in, and logs every question', async () => {
  const runs = await mkdtemp(join(tmpdir(), 'keepsake-'))
  const file = join(runs, 'locomo.json')
  await writeFile(file, JSON.stringify([sample]))
  const answers: Readonly<Record<string, Pick<Retrieved, 'turns' | 'confidence'>>> = {
    first: {
      turns: ['t00001', 't00000', 't00000', 't00005'].map((id) => ({ id, score: 1 })),
      confidence: 0.9,
    },
    'never said': { turns: [], confidence: 0.2 },
  }
  const system = scriptedSystem({
    retrieve: (question) => {
      const found = answers[question]
      return found === undefined
        ? Promise.reject(new Error('no answer'))
        : Promise.resolve({ ...NOTHING_FOUND, ...found })
    },
  })
  const dataset = await openDataset('locomo', file)
  const { log, summary, figureOf: of } = await measureRun({ dataset, system, tasks: ['retrieval'] }, runs)
  const figureOf = (metric: string, slice?: string) => of('retrieval', metric, slice)
  const values = (metrics: readonly string[]) => metrics.map((metric) => figureOf(metric)?.value)
  // “first”: t00001 is wrong, then both right; “broken” fails and scores zero.
  expect(figureOf('hit@1')).toMatchObject({ value: 0, count: 2 })
  expect(values(['hit@2', 'hit@5', 'recall@2', 'recall@10', 'mrr'])).toEqual([0.5, 0.5, 0.25, 0.5, 0.25])
  expect(values(['session_hit@1', 'session_hit@5'])).toEqual([0.5, undefined])
  // confidences: 0.9 and 0 (failed) against 0.2
  expect(figureOf('auroc')?.value).toBe(0.5)
  expect(figureOf('hit@10', 'category:temporal')?.value).toBe(0)
  expect(summary.failures).toBe(1)
  const asked = entriesOf(log, 'retrieval')
  expect(asked.map(({ failure }) => failure)).toEqual([null, 'no answer', null])
})

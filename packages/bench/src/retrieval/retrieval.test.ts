import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { benchRetrieval } from './bench-retrieval.ts'
import type { QuestionOutcome } from './question-outcome.ts'
import type { RetrievalSystem, SystemRecall } from './system.ts'

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

function scripted(answers: Readonly<Record<string, SystemRecall>>): RetrievalSystem {
  return {
    name: 'scripted',
    config: {},
    ingest: async () => ({
      recall: async (question) => {
        const answer = answers[question.text]
        if (answer === undefined) throw new Error('no answer')
        return answer
      },
      close: async () => undefined,
    }),
  }
}

it('scores what a system returns, keeps failures in, and logs every question', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'keepsake-')), 'locomo.json')
  await writeFile(file, JSON.stringify([sample]))
  const log: QuestionOutcome[] = []
  const system = scripted({
    first: {
      turns: ['t00001', 't00000', 't00000', 't00005'].map((id) => ({ id, score: 1 })),
      confidence: 0.9,
    },
    'never said': { turns: [], confidence: 0.2 },
  })
  const result = await benchRetrieval({
    dataset: 'locomo',
    path: file,
    system,
    onOutcome: (o) => log.push(o),
  })
  // “first”: t00001 is wrong, then both right; “broken” fails and scores zero.
  expect(result.metrics).toMatchObject({ questions: 2, 'hit@1': 0, 'hit@2': 0.5, 'hit@5': 0.5, failures: 1 })
  expect(result.metrics['recall@2']).toBe(0.25)
  expect(result.metrics['recall@10']).toBe(0.5)
  expect(result.metrics['mrr']).toBe(0.25)
  expect(result.metrics['session_hit@1']).toBe(0.5)
  expect(result.metrics['session_hit@5']).toBeUndefined()
  // confidences: 0.9 and 0 (failed) against 0.2
  expect(result.metrics['auroc_cat5']).toBe(0.5)
  expect(log.map((outcome) => outcome.failure)).toEqual([null, 'no answer', null])
  expect(result.byCategory['temporal']?.['hit@10']).toBe(0)
})

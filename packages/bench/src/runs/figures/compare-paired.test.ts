import { expect, it } from 'vitest'
import { accuracy, answer, integrity, probe, retrieval } from '../../log/testing/log-entries.ts'
import type { LogEntry } from '../../log/log-entry.ts'
import { comparePaired } from './compare-paired.ts'

it('matches items by conversation and id, whatever their order, and leaves out what one run lacks', () => {
  const a: LogEntry[] = [
    answer({ conversation: 'c1', person: 'ana', question: 'q1', outcome: 'correct' }),
    answer({ conversation: 'c1', person: 'ana', question: 'q2', outcome: 'correct' }),
    answer({ conversation: 'c2', person: 'ben', question: 'q1', outcome: 'correct' }),
    answer({ conversation: 'c3', person: 'cleo', question: 'q1', outcome: 'correct' }),
  ]
  const b: LogEntry[] = [
    answer({ conversation: 'c2', person: 'ben', question: 'q1', outcome: 'correct' }),
    answer({ conversation: 'c1', person: 'ana', question: 'q2', outcome: 'omitted' }),
    answer({ conversation: 'c1', person: 'ana', question: 'q1', outcome: 'hallucinated' }),
  ]
  const correct = comparePaired(a, b).find(({ metric }) => metric === 'correct')
  // 3 of 3 against 1 of 3; ana’s difference is 2, ben’s 0: of the 4 sign patterns all are as large
  expect(correct).toMatchObject({ task: 'answering', pairs: 3, a: 1, p: 1 })
  expect(correct?.difference).toBeCloseTo(2 / 3, 12)
})

it('weighs gold memories by their importance in weighted recall', () => {
  const gold = (score: 0 | 2, person: string, importance: number): LogEntry =>
    integrity({ conversation: person, person, score, importance })
  const found = comparePaired(
    [gold(2, 'ana', 0.9), gold(0, 'ben', 0.3)],
    [gold(0, 'ana', 0.9), gold(2, 'ben', 0.3)],
  )
  const differenceOf = (name: string) => found.find(({ metric }) => metric === name)?.difference
  expect(differenceOf('recall')).toBe(0)
  // 0.9 / 1.2 − 0.3 / 1.2
  expect(differenceOf('weighted_recall')).toBeCloseTo(0.5, 12)
})

it('compares only what says something of a single item that both runs have', () => {
  const a = [integrity({}), accuracy({ isTarget: true }), retrieval({ scores: { mrr: 1 } }), probe({})]
  const b = [integrity({}), accuracy({ isTarget: true }), retrieval({ scores: { mrr: 0.5 } })]
  const names = comparePaired(a, b).map(({ task, metric }) => `${task} ${metric}`)
  expect(names).toContain('retrieval mrr')
  expect(names).toContain('extraction recall')
  expect(names).not.toContain('extraction f1')
  expect(names).not.toContain('extraction accuracy')
  expect(names).not.toContain('probes accuracy')
})

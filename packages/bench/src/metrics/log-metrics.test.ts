import { describe, expect, it } from 'vitest'
import { answer, operation, probe } from '../log/testing/log-entries.ts'
import { latencyOf } from '../runs/figures/cost-figures.ts'
import {
  ABSTENTION_METRICS,
  CHOICE_ACCURACY,
  OPERATION_CONTENT,
  OPERATION_INDEX,
  OPERATION_TYPE,
} from './log-metrics.ts'
import { measureSums, type SumMetric } from './sum-metric.ts'

function valuesOf<T extends { readonly person: string }>(
  metrics: readonly SumMetric<T>[],
  entries: readonly T[],
): Record<string, number | null> {
  return Object.fromEntries(
    metrics.map((metric) => [metric.name, measureSums(metric, entries, { seed: 1 }).value]),
  )
}

describe('abstention', () => {
  it('counts precision over what was said, recall over what was due', () => {
    // said 3 times, rightly twice; due 4 times, of which one failed
    const values = valuesOf(ABSTENTION_METRICS, [
      answer({ answerable: false, abstained: true }),
      answer({ answerable: false, abstained: true }),
      answer({ answerable: false }),
      answer({ answerable: false, abstained: true, failure: 'the reader was gone' }),
      answer({ abstained: true }),
      answer({}),
    ])
    expect(values['abstention_precision']).toBeCloseTo(2 / 3, 12)
    expect(values['abstention_recall']).toBe(0.5)
    expect(values['abstention_f1']).toBeCloseTo(4 / 7, 12)
  })

  it('has no precision, and an F1 of 0, for a reader that never abstains', () => {
    const values = valuesOf(ABSTENTION_METRICS, [answer({ answerable: false }), answer({})])
    expect(values).toEqual({ abstention_precision: null, abstention_recall: 0, abstention_f1: 0 })
  })
})

it('counts indices and contents over all turns and over those that have one', () => {
  const turn = (kind: 'add' | 'modify' | 'delete' | 'none') => ({ turn: 't', kind, target: null, text: null })
  const made = (kind: 'add' | 'modify' | 'delete') => ({ kind, before: 'b', after: 'a' })
  const entries = [
    operation({ gold: turn('add'), actual: [made('add')], contentCorrect: true }),
    // nothing was to be done, and a memory was changed: an index and a content too many
    operation({ gold: turn('none'), actual: [made('modify')], typeCorrect: false }),
    operation({ gold: turn('none'), actual: [] }),
    operation({
      gold: turn('modify'),
      actual: [made('modify')],
      indexCorrect: true,
      contentCorrect: false,
    }),
    operation({ gold: turn('delete'), actual: [], typeCorrect: false, indexCorrect: false }),
    // a modification of the right memory where it was to be deleted: its index is right, its type is not
    operation({
      gold: turn('delete'),
      actual: [made('modify')],
      typeCorrect: false,
      indexCorrect: false,
      ofAnyType: { index: true, content: false },
    }),
  ]
  const values = valuesOf([OPERATION_TYPE, ...OPERATION_INDEX, ...OPERATION_CONTENT], entries)
  expect(values).toEqual({
    type: 3 / 6,
    // add ✓, none ✗, none ✓, modify ✓, delete ✗, delete ✓
    index: 4 / 6,
    index_where_any: 1 / 3,
    // add ✓, none ✗, none ✓, modify ✗, delete ✓ as none was written, delete ✗
    content: 3 / 6,
    content_where_any: 0.5,
  })
})

it('takes a probe that failed for wrong', () => {
  const entries = [
    probe({}),
    probe({ chosen: 2 }),
    probe({ chosen: null, failure: 'the store was gone' }),
    probe({ correct: 3, chosen: 3 }),
  ]
  expect(valuesOf([CHOICE_ACCURACY], entries)).toEqual({ accuracy: 0.5 })
})

it('gives percentiles of calls', () => {
  const times = Array.from({ length: 100 }, (_, i) => 100 - i)
  // of 1…100, straight between neighbours: 1 + 0.5 · 99, 1 + 0.95 · 99, 1 + 0.99 · 99
  const { p50, p95, p99 } = latencyOf(times) ?? { p50: 0, p95: 0, p99: 0 }
  expect(p50).toBeCloseTo(50.5, 9)
  expect(p95).toBeCloseTo(95.05, 9)
  expect(p99).toBeCloseTo(99.01, 9)
  expect(latencyOf([7])).toEqual({ p50: 7, p95: 7, p99: 7 })
  expect(latencyOf([])).toBeNull()
})

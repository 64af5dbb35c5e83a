import { describe, expect, it } from 'vitest'
import { accuracy, answer, integrity, update } from '../log/testing/log-entries.ts'
import { measureSums, type Measured, type SumMetric } from './sum-metric.ts'
import { EXTRACTION_METRICS, PUBLISHED_TYPE_METRIC, TYPE_METRIC } from './extraction.ts'
import { ANSWERING_METRICS, UPDATING_METRICS } from './log-metrics.ts'

/** Returns the value and count of each metric. */
function tabulate<T extends { readonly person: string }>(
  metrics: readonly SumMetric<T>[],
  entries: readonly T[],
): Record<string, Pick<Measured, 'value' | 'count'>> {
  return Object.fromEntries(
    metrics.map((metric) => {
      const { value, count } = measureSums(metric, entries, { seed: 1 })
      return [metric.name, { value, count }]
    }),
  )
}

describe('extraction, by hand', () => {
  const gold = [
    integrity({ score: 2, importance: 1 }),
    integrity({ score: 1, importance: 0.5 }),
    integrity({ score: 0, importance: 0.25, source: 'system' }),
    integrity({ score: 2, importance: 0.25, source: 'secondary' }),
    // updates: one was looked for among the memories, for the other nothing was retrieved
    integrity({ score: 2, importance: 1, isUpdate: true }),
    integrity({ score: 0, importance: 1, isUpdate: true, isUnretrievedUpdate: true }),
    // interference: one resisted, one held in part, one held
    integrity({ score: 0, source: 'interference' }),
    integrity({ score: 1, source: 'interference' }),
    integrity({ score: 2, source: 'interference' }),
  ]
  const extracted = [
    accuracy({ score: 2, isTarget: true }),
    accuracy({ score: 1, isTarget: true }),
    accuracy({ score: 2, isTarget: false }),
    accuracy({ score: 0, isTarget: false }),
  ]

  it('follows equations 1 to 4', () => {
    const table = tabulate(EXTRACTION_METRICS, [...gold, ...extracted])
    // 2 of 4 whole
    expect(table['recall']).toEqual({ value: 0.5, count: 4 })
    // (1·1 + ½·0.5 + 0·0.25 + 1·0.25) / (1 + 0.5 + 0.25 + 0.25) = 1.5 / 2
    expect(table['weighted_recall']).toEqual({ value: 0.75, count: 4 })
    // (1 + ½ + 1 + 0) / 4
    expect(table['accuracy']).toEqual({ value: 0.625, count: 4 })
    // (1 + ½) / 2
    expect(table['target_precision']).toEqual({ value: 0.75, count: 2 })
    // 1 of 3
    expect(table['fmr']).toEqual({ value: expect.closeTo(1 / 3, 12), count: 3 })
    // 2 · 0.5 · 0.75 / 1.25
    expect(table['f1']).toEqual({ value: expect.closeTo(0.6, 12), count: 6 })
  })

  it('adds, as the published script does, the updates for which nothing was retrieved', () => {
    const table = tabulate(EXTRACTION_METRICS, [...gold, ...extracted])
    expect(table['published.recall']).toEqual({ value: expect.closeTo(2 / 5, 12), count: 5 })
    expect(table['published.weighted_recall']).toEqual({ value: expect.closeTo(1.5 / 3, 12), count: 5 })
    // 2 · 0.4 · 0.75 / 1.15
    expect(table['published.f1']?.value).toBeCloseTo(0.6 / 1.15, 12)
  })

  it('looks with the published script at what the session left, and counts false memories by type as it does', () => {
    const claims = [
      integrity({ source: 'interference', score: 2, scoreOfSession: 0 }),
      integrity({ source: 'interference', score: 2, scoreOfSession: 2 }),
    ]
    const table = tabulate(EXTRACTION_METRICS, claims)
    expect([table['fmr']?.value, table['published.fmr']?.value]).toEqual([0, 0.5])
    const updates = [
      update({ outcome: 'correct', retrieved: ['a'] }),
      update({ outcome: 'omitted', retrieved: [] }),
    ]
    const gold = [...claims, integrity({ score: 2, isUpdate: true, isUnretrievedUpdate: true }), ...updates]
    // of two claims the one that is held, the update that the session left, the one that was made; nothing retrieved counts above
    expect(tabulate([PUBLISHED_TYPE_METRIC], gold)['published.typewise']).toEqual({ value: 0.75, count: 4 })
    expect(tabulate([TYPE_METRIC], gold)['typewise']).toEqual({ value: 0.5, count: 2 })
  })

  it('gives a system that stores nothing its resistance beside a recall of 0', () => {
    const table = tabulate(EXTRACTION_METRICS, [
      integrity({ score: 0 }),
      integrity({ score: 0, source: 'interference' }),
    ])
    expect(table['fmr']?.value).toBe(1)
    expect(table['recall']?.value).toBe(0)
    expect(table['f1']?.value).toBe(0)
    expect(table['accuracy']).toEqual({ value: null, count: 0 })
  })

  it('counts extraction and updates together by type, without interference', () => {
    // new: 2 of 4 whole; the gold updates’ own line decides on them: 1 of 2
    const updates = [update({ outcome: 'correct' }), update({ outcome: 'omitted', retrieved: [] })]
    expect(tabulate([TYPE_METRIC], [...gold, ...updates])['typewise']).toEqual({ value: 0.5, count: 6 })
  })
})

it('counts updates over all, and as the published script over those with anything retrieved', () => {
  const updates = [
    update({ outcome: 'correct' }),
    update({ outcome: 'hallucinated' }),
    update({ outcome: 'other' }),
    update({ outcome: 'omitted', retrieved: [] }),
    update({ outcome: 'omitted' }),
  ]
  const table = tabulate(UPDATING_METRICS, updates)
  expect(table['correct']).toEqual({ value: 0.2, count: 5 })
  expect(table['hallucinated']?.value).toBe(0.2)
  expect(table['omitted']?.value).toBe(0.4)
  expect(table['other']?.value).toBe(0.2)
  expect(table['published.correct']).toEqual({ value: 0.25, count: 4 })
  expect(table['published.omitted']).toEqual({ value: 0.25, count: 4 })
})

it('takes a question that a step failed on for unanswered, whatever its verdict', () => {
  const table = tabulate(ANSWERING_METRICS, [
    answer({ outcome: 'correct' }),
    answer({ outcome: 'correct', failure: 'the reader was gone' }),
    answer({ outcome: 'hallucinated' }),
    answer({ outcome: 'omitted' }),
  ])
  expect(table['correct']).toEqual({ value: 0.25, count: 4 })
  expect(table['hallucinated']?.value).toBe(0.25)
  expect(table['omitted']?.value).toBe(0.5)
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  accuracy,
  answer,
  done,
  ingestion,
  integrity,
  label,
  operation,
  probe,
  retrieval,
  update,
} from '../../log/testing/log-entries.ts'
import type { Figure } from '../../log/figure.ts'
import type { LogEntry } from '../../log/log-entry.ts'
import { summariseLog } from './summarise-log.ts'

const OPTIONS = { judge: 'deterministic', reader: 'extractive' } as const

function find(figures: readonly Figure[], task: Figure['task'], metric: string, slice = 'all'): Figure {
  const found = figures.filter(
    (figure) => figure.task === task && figure.metric === metric && figure.slice === slice,
  )
  expect(found).toHaveLength(1)
  const [one] = found
  if (one === undefined) throw new Error(`No figure ${task} ${metric} ${slice}.`)
  return one
}

describe('summariseLog', () => {
  it('has no figure of a task that the log holds nothing of', () => {
    expect(summariseLog([], OPTIONS)).toEqual([])
    const tasks = new Set(summariseLog([probe({})], OPTIONS).map(({ task }) => task))
    expect(tasks).toEqual(new Set(['probes']))
  })

  it('gives the mean over questions, whoever asked them, with the bounds of resampled people', () => {
    const asked = fc.record({
      person: fc.constantFrom('ana', 'ben', 'cleo'),
      category: fc.constantFrom('single-hop', 'temporal'),
      hit: fc.integer({ min: 0, max: 1 }),
    })
    const mean = (hits: readonly { hit: number }[]): number =>
      hits.reduce((sum, { hit }) => sum + hit, 0) / hits.length
    fc.assert(
      fc.property(fc.array(asked, { minLength: 1, maxLength: 30 }), (questions) => {
        const entries = questions.map(({ person, category, hit }) =>
          retrieval({ person, category, scores: { 'hit@5': hit } }),
        )
        const figures = summariseLog(entries, OPTIONS)
        const { value, interval, count } = find(figures, 'retrieval', 'hit@5')
        expect(value).toBeCloseTo(mean(questions), 12)
        expect(count).toBe(questions.length)
        const byPerson = [...Map.groupBy(questions, ({ person }) => person).values()].map(mean)
        if (interval !== null) {
          expect(interval.low).toBeGreaterThanOrEqual(Math.min(...byPerson) - 1e-12)
          expect(interval.high).toBeLessThanOrEqual(Math.max(...byPerson) + 1e-12)
        }
        for (const [category, own] of Map.groupBy(questions, (question) => question.category))
          expect(find(figures, 'retrieval', 'hit@5', `category:${category}`).value).toBeCloseTo(mean(own), 12)
      }),
      { numRuns: 20 },
    )
  })

  it('asks for all of the evidence, and leaves out questions that have none', () => {
    const figures = summariseLog(
      [
        retrieval({ units: ['a', 'x', 'b'], evidence: ['a', 'b'], scores: { 'hit@5': 1 } }),
        retrieval({ units: ['a', 'x', 'x', 'x', 'y', 'b'], evidence: ['a', 'b'], scores: { 'hit@5': 1 } }),
        retrieval({ failure: 'gone', units: [], scores: { 'hit@5': 0 } }),
        retrieval({ evidence: [], scores: null, category: 'adversarial' }),
      ],
      OPTIONS,
    )
    expect(find(figures, 'retrieval', 'all@5')).toMatchObject({ value: expect.closeTo(1 / 3, 12), count: 3 })
    expect(find(figures, 'retrieval', 'all@10').value).toBeCloseTo(2 / 3, 12)
    expect(figures.some(({ slice }) => slice === 'category:adversarial')).toBe(false)
  })

  it('puts judged figures under the judge’s name and computed ones under none', () => {
    const figures = summariseLog(
      [
        integrity({}),
        accuracy({ isTarget: true }),
        update({}),
        answer({ overlap: { rouge1: 0.5 }, outcome: 'omitted' }),
        probe({}),
        operation({}),
        label({ overlap: { rouge2: 0.2 }, memScore: 4 }),
        retrieval({ scores: { 'hit@5': 1 } }),
        ingestion({}),
        done({}),
      ],
      OPTIONS,
    )
    const judged = new Set(['extraction', 'updating', 'attribution'])
    const judgedMetrics = new Set([
      'answering correct',
      'answering hallucinated',
      'answering omitted',
      'operations content',
      'operations content_where_any',
      'labels mem_score',
    ])
    for (const { task, metric, judge } of figures) {
      const isJudged = judged.has(task) || judgedMetrics.has(`${task} ${metric}`)
      expect(judge, `${task} ${metric}`).toBe(isJudged ? 'deterministic' : null)
    }
    expect(find(figures, 'labels', 'mem_score')).toMatchObject({ value: 4, unit: 'score' })
  })

  it('keeps failures in: an omission that overlaps with nothing and is lost who knows where', () => {
    const failed = answer({ failure: 'gone', outcome: 'omitted', overlap: {}, answer: '' })
    const figures = summariseLog(
      [answer({ overlap: { token_f1: 1 } }), failed, answer({ outcome: 'hallucinated', lost: 'misread' })],
      OPTIONS,
    )
    expect(find(figures, 'answering', 'omitted').value).toBeCloseTo(1 / 3, 12)
    // 1 and, for the failed one, 0; the third’s line says nothing
    expect(find(figures, 'answering', 'token_f1')).toMatchObject({ value: 0.5, count: 2 })
    expect(find(figures, 'attribution', 'misread')).toMatchObject({ value: 0.5, count: 2 })
    expect(find(figures, 'attribution', 'unknown').value).toBe(0.5)
    expect(find(figures, 'attribution', 'forgotten').value).toBe(0)
  })

  it('counts a label without memory or verdict as 0 in the means', () => {
    const figures = summariseLog(
      [
        label({ overlap: { rougeL: 0.6 }, memScore: 5 }),
        label({ memory: null, overlap: {}, memScore: null }),
      ],
      OPTIONS,
    )
    expect(find(figures, 'labels', 'rougeL').value).toBeCloseTo(0.3, 12)
    expect(find(figures, 'labels', 'mem_score').value).toBe(2.5)
  })

  it('leaves the published denominators out where updates were not measured', () => {
    const figures = summariseLog([integrity({ isUpdate: true }), integrity({ score: 2 })], OPTIONS)
    expect(find(figures, 'extraction', 'recall')).toMatchObject({ value: 1, count: 1 })
    expect(figures.some(({ metric }) => metric.startsWith('published.'))).toBe(false)
  })

  it('slices by category, type and kind of operation', () => {
    const figures = summariseLog(
      [
        integrity({ score: 2, type: 'event' }),
        integrity({ score: 0, type: 'persona' }),
        answer({ category: 'temporal', outcome: 'omitted' }),
        answer({ category: 'multi-hop' }),
        operation({ gold: { turn: 't', kind: 'delete', target: 'x', text: null }, typeCorrect: false }),
        operation({}),
      ],
      OPTIONS,
    )
    expect(find(figures, 'extraction', 'recall').value).toBe(0.5)
    expect(find(figures, 'extraction', 'recall', 'type:event').value).toBe(1)
    expect(find(figures, 'extraction', 'typewise', 'type:persona').value).toBe(0)
    expect(find(figures, 'answering', 'correct', 'category:temporal').value).toBe(0)
    expect(find(figures, 'operations', 'type', 'kind:delete').value).toBe(0)
  })

  it('adds up what it cost', () => {
    const usage = { calls: 3, inputTokens: 100, outputTokens: 20, embeddingRequests: 5 }
    const entries: LogEntry[] = [
      ingestion({ turns: 4, milliseconds: 20 }),
      ingestion({ turns: 1, milliseconds: 30 }),
      answer({ retrieveMs: 2 }),
      answer({ retrieveMs: 4 }),
      retrieval({ milliseconds: 9 }),
      done({ usage, memories: 7 }),
      done({ usage: { ...usage, calls: 1, inputTokens: 0 }, memories: null }),
    ]
    const figures = summariseLog(entries, OPTIONS)
    expect(find(figures, 'cost', 'calls')).toMatchObject({ value: 2, count: 2, unit: 'count' })
    // (120 + 20) / 2
    expect(find(figures, 'cost', 'tokens')).toMatchObject({ value: 70, unit: 'tokens' })
    expect(find(figures, 'cost', 'memories')).toMatchObject({ value: 7, count: 1 })
    // 50 ms for 5 turns
    expect(find(figures, 'cost', 'ingest_ms_per_turn').value).toBe(10)
    expect(find(figures, 'cost', 'retrieve_ms_p50')).toMatchObject({ value: 4, count: 3 })
    expect(find(figures, 'cost', 'retrieve_ms_p50', 'task:answering')).toMatchObject({ value: 3, count: 2 })
    expect(find(figures, 'cost', 'adding_ms').value).toBe(50)
    expect(find(figures, 'cost', 'retrieving_ms').value).toBe(6)
    expect(find(figures, 'cost', 'total_ms').value).toBe(56)
    expect(find(figures, 'cost', 'reader_input_tokens').value).toBe(120)
    const own = summariseLog(entries, { judge: null, reader: null })
    expect(own.some(({ metric }) => metric.startsWith('reader_'))).toBe(false)
  })

  it('is the same for the same seed, and gives values of conversations in any order', () => {
    const entries = ['ana', 'ben', 'cleo', 'dov'].flatMap((person, i) =>
      Array.from({ length: 5 }, (_, n) =>
        answer({ person, outcome: n > i ? 'correct' : 'omitted', overlap: { rouge1: n / 5 } }),
      ),
    )
    const figures = summariseLog(entries, { ...OPTIONS, seed: 4 })
    expect(summariseLog(entries, { ...OPTIONS, seed: 4 })).toEqual(figures)
    const value = find(figures, 'answering', 'correct')
    expect(value.interval?.low).toBeLessThan(value.value ?? 0)
    expect(value.interval?.high).toBeGreaterThan(value.value ?? 1)
    expect(find(summariseLog(entries.toReversed(), OPTIONS), 'answering', 'correct').value).toBe(value.value)
  })
})

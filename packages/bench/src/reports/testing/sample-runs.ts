import { answer, done, ingestion } from '../../log/testing/log-entries.ts'
import type { Figure } from '../../log/figure.ts'
import { LOST_STEPS, type EntryOf, type LogEntry } from '../../log/log-entry.ts'
import type { RunSummary } from '../../results/run-summary.ts'
import type { ReportRun } from '../report-run.ts'

const JUDGE = 'deterministic'

export function sampleFigure(figure: Pick<Figure, 'task' | 'metric' | 'value'> & Partial<Figure>): Figure {
  const { value, interval } = figure
  const around = value === null ? null : { low: 0.9 * value, high: Math.min(1, 1.1 * value) }
  return {
    slice: 'all',
    count: 120,
    unit: 'share',
    judge: JUDGE,
    ...figure,
    interval: interval === undefined ? around : interval,
  }
}

export interface SampleSystem {
  readonly system: string
  /** Quality of its figures, from 0 to 1. */
  readonly level: number
  /** Whether it lists its memories. If not, it has no figures of extraction. */
  readonly isBlind?: boolean
  readonly judge?: string
}

/** Makes an invented run of an invented system, with all tasks, cost and attribution. */
export function sampleSummary(of: SampleSystem, changes: Partial<RunSummary> = {}): RunSummary {
  const judge = of.judge ?? JUDGE
  return {
    format: 2,
    benchmark: 'run',
    dataset: 'halumem',
    dataHash: '6f1d'.repeat(16),
    system: of.system,
    config: { preset: of.system, contextTokens: 1_000, limit: null, harness: '1', seed: 1 },
    reader: 'extractive',
    judge,
    tasks: ['retrieval', 'extraction', 'updating', 'answering', 'probes', 'operations', 'labels'],
    conversations: 5,
    failures: 1,
    leftOut: { 'without evidence': 3 },
    figures: [
      ...judgedFigures(of).map((figure) => ({ ...figure, judge })),
      ...computedFigures(of),
      ...costFigures(of),
      ...lostFigures(of).map((figure) => ({ ...figure, judge })),
    ],
    remarks: [],
    machine: null,
    command: `keepsake bench run --dataset halumem --path data --system ${of.system}`,
    startedAt: '2026-03-02T10:00:00.000Z',
    finishedAt: '2026-03-02T10:20:00.000Z',
    ...changes,
  }
}

function judgedFigures({ level, isBlind = false }: SampleSystem): Figure[] {
  const said = (value: number): number | null => (isBlind ? null : value)
  const extraction = (slice: string, part: number): Figure[] => [
    sampleFigure({ task: 'extraction', metric: 'recall', slice, value: said(level * part) }),
    sampleFigure({ task: 'extraction', metric: 'weighted_recall', slice, value: said(level * part * 1.1) }),
    sampleFigure({ task: 'extraction', metric: 'target_precision', slice, value: said(0.86), count: 90 }),
    sampleFigure({ task: 'extraction', metric: 'accuracy', slice, value: said(0.61), count: 140 }),
    sampleFigure({ task: 'extraction', metric: 'fmr', slice, value: said(1 - level * part), count: 30 }),
    sampleFigure({ task: 'extraction', metric: 'f1', slice, value: said(0.9 * level * part) }),
  ]
  const rates = (task: 'updating' | 'answering', slice: string, part: number): Figure[] => [
    sampleFigure({ task, metric: 'correct', slice, value: level * part }),
    sampleFigure({ task, metric: 'hallucinated', slice, value: 0.25 * (1 - level * part) }),
    sampleFigure({ task, metric: 'omitted', slice, value: 0.75 * (1 - level * part) }),
  ]
  return [
    ...extraction('all', 1),
    ...extraction('type:persona', 0.9),
    ...extraction('type:event', 0.8),
    ...rates('updating', 'all', 0.7),
    sampleFigure({ task: 'updating', metric: 'published.correct', value: level * 0.8, count: 100 }),
    ...rates('answering', 'all', 0.9),
    ...rates('answering', 'category:Basic Fact Recall', 1),
    ...rates('answering', 'category:Memory Conflict', 0.6),
    sampleFigure({ task: 'operations', metric: 'content', value: 0.7 * level }),
    sampleFigure({
      task: 'labels',
      metric: 'mem_score',
      value: 4 * level,
      unit: 'score',
      interval: { low: 3 * level, high: 5 * level },
    }),
  ]
}

function computedFigures({ level }: SampleSystem): Figure[] {
  const computed = { judge: null } as const
  return [
    sampleFigure({ ...computed, task: 'answering', metric: 'token_f1', value: 0.8 * level, unit: 'score' }),
    sampleFigure({ ...computed, task: 'answering', metric: 'rouge1', value: 0.7 * level, unit: 'score' }),
    sampleFigure({ ...computed, task: 'retrieval', metric: 'hit@5', value: level }),
    sampleFigure({ ...computed, task: 'retrieval', metric: 'mrr', value: 0.8 * level, unit: 'score' }),
    sampleFigure({
      ...computed,
      task: 'retrieval',
      metric: 'hit@5',
      slice: 'category:时间',
      value: 0.5 * level,
    }),
    sampleFigure({ ...computed, task: 'probes', metric: 'accuracy', value: 0.9 * level }),
    sampleFigure({ ...computed, task: 'operations', metric: 'type', value: 0.9 * level }),
    sampleFigure({ ...computed, task: 'operations', metric: 'index', value: 0.8 * level }),
    sampleFigure({ ...computed, task: 'labels', metric: 'rouge2', value: 0.3 * level, unit: 'score' }),
  ]
}

function costFigures({ level }: SampleSystem): Figure[] {
  const cost = { task: 'cost', judge: null, interval: null, count: 5 } as const
  return [
    sampleFigure({ ...cost, metric: 'calls', value: Math.round(4_000 * level ** 3), unit: 'count' }),
    sampleFigure({ ...cost, metric: 'tokens', value: Math.round(9e6 * level ** 4), unit: 'tokens' }),
    sampleFigure({ ...cost, metric: 'ingest_ms_per_turn', value: 900 * level, unit: 'milliseconds' }),
    sampleFigure({ ...cost, metric: 'retrieve_ms_p95', value: 12_000 * level, unit: 'milliseconds' }),
  ]
}

function lostFigures({ level }: SampleSystem): Figure[] {
  const wrong = Math.round(120 * (1 - level))
  const shares = { forgotten: 0.5, 'not-retrieved': 0.25, unknown: 0.25 }
  return Object.entries(shares).map(([metric, value]) =>
    sampleFigure({ task: 'attribution', metric, value, count: wrong }),
  )
}

export function sampleAnswer(changes: Partial<EntryOf<'answer'>> = {}): EntryOf<'answer'> {
  return answer({
    conversation: 'c1',
    person: 'Ines',
    category: 'Basic Fact Recall',
    text: 'Where does Ines keep her bees?',
    reference: 'On the roof of the library.',
    answer: 'In her garden.',
    confidence: 0.4,
    context: 'Ines keeps bees.',
    retrieved: ['Ines keeps bees.', 'Ines has a garden.'],
    outcome: 'hallucinated',
    reason: 'The place is another.',
    lost: 'not-retrieved',
    overlap: { rouge1: 0.2 },
    ...changes,
  })
}

/** Makes a log of answers. `level` is the share of correct ones. The others are lost at different steps. */
export function sampleLog({ level }: SampleSystem, answers = 40): LogEntry[] {
  const of = { conversation: 'c1', person: 'Ines' }
  return [
    ingestion({ ...of, turns: 12 }),
    ...Array.from({ length: answers }, (_, index) =>
      index < level * answers
        ? sampleAnswer({ question: `q${index}`, outcome: 'correct', lost: null })
        : sampleAnswer({
            question: `q${index}`,
            ...(index % 2 === 0 ? {} : CHINESE),
            lost: LOST_STEPS[(index * 7) % 6] ?? null,
          }),
    ),
    { entry: 'failure', ...of, where: 'memories', message: 'The server hung up.' },
    done({ ...of, memories: 9 }),
  ]
}

const CHINESE: Partial<EntryOf<'answer'>> = {
  text: '小雨把钢琴放在哪里?',
  reference: '放在书房的窗边。',
  answer: '放在客厅。',
  reason: '地点不对。',
  retrieved: ['小雨有一架钢琴。', '小雨喜欢在客厅喝茶。'],
}

/** Names of different kinds: short, long, with the same beginning, Chinese, with HTML. */
export const SAMPLE_NAMES = [
  'alpha',
  'beta',
  'gamma-with-a-very-long-name-and-a-version-1.24.0-rc.1',
  'gamma-with-a-very-long-name-and-a-version-1.24.0-rc.2',
  '记忆系统(第二版,带有遗忘)',
  '<b>delta</b> & "co"',
  'no-memory',
  'turn-bm25',
  'whole-context',
  'epsilon',
  'zeta',
  'eta',
] as const

/** Makes a run for reports, without a log. */
export function sampleRun(summary: RunSummary): ReportRun {
  return { label: summary.system, source: `runs/${summary.system}`, summary, log: null }
}

/** Makes runs of policies of forgetting, each with figures for five capacities. */
export function samplePolicies(policies: readonly string[]): RunSummary[] {
  const capacities = [8, 16, 32, 64, 128]
  return policies.map((system, order) => {
    const of = (slice: string, capacity: number): Figure[] => {
      const value = (capacity / 160) ** (0.35 + 0.08 * order)
      const shared = { task: 'capacity', slice, judge: null, count: 8 } as const
      return [
        sampleFigure({ ...shared, metric: 'recall', value }),
        sampleFigure({ ...shared, metric: 'f1', value: 0.7 * value }),
      ]
    }
    return sampleSummary(
      { system, level: 0 },
      {
        benchmark: 'forgetting',
        dataset: 'lufy',
        tasks: ['capacity'],
        reader: null,
        judge: null,
        figures: [
          ...of('all', 60),
          ...capacities.flatMap((capacity) => of(`capacity:${capacity}`, capacity)),
        ],
      },
    )
  })
}

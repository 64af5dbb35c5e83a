import { quantile } from 'simple-statistics'
import type { Figure, TaskName } from '../../log/figure.ts'
import type { AnswerEntry, DoneEntry, IngestionEntry, LogEntry } from '../../log/log-entry.ts'
import { meanMetric, ratioMetric, type SumMetric } from '../../metrics/sum-metric.ts'
import { entriesOf, figure, sumFigures, wholeOf, type FigureContext } from './make-figures.ts'

const TOKENS: readonly SumMetric<DoneEntry>[] = [
  meanMetric('tokens', ({ usage }) => usage.inputTokens + usage.outputTokens),
  meanMetric('input_tokens', ({ usage }) => usage.inputTokens),
  meanMetric('output_tokens', ({ usage }) => usage.outputTokens),
]
const COUNTS: readonly SumMetric<DoneEntry>[] = [
  meanMetric('calls', ({ usage }) => usage.calls),
  meanMetric('embedding_requests', ({ usage }) => usage.embeddingRequests),
  meanMetric('memories', ({ memories }) => memories),
]
const INGESTION: readonly SumMetric<IngestionEntry>[] = [
  ratioMetric('ingest_ms_per_turn', ({ milliseconds, turns }) => [milliseconds, turns]),
]
const CONTEXT: readonly SumMetric<AnswerEntry>[] = [
  meanMetric('context_tokens', ({ contextTokens, failure }) => (failure === null ? contextTokens : null)),
]
const READING: readonly SumMetric<AnswerEntry>[] = [
  meanMetric('reader_input_tokens', ({ inputTokens }) => inputTokens),
  meanMetric('reader_output_tokens', ({ outputTokens }) => outputTokens),
]

/**
 * Computes the cost of a run.
 *
 * - Calls, tokens and memories are means over conversations.
 * - `ingest_ms_per_turn` divides all milliseconds by all turns.
 * - Tokens of contexts and of the reader are means over questions.
 * - Latencies are percentiles over calls. They have no interval, because all are measured on one machine.
 * - `adding_ms`, `retrieving_ms` and `total_ms` are the sums of Table 5 of the HaluMem paper. It counts retrieval for questions only.
 */
export function costFigures(log: readonly LogEntry[], { reader, seed }: FigureContext): Figure[] {
  const done = wholeOf(entriesOf(log, 'done'))
  const ingestions = entriesOf(log, 'ingestion')
  const answers = entriesOf(log, 'answer')
  const kind = { task: 'cost', judge: null } as const
  const questionTokens = reader === null ? CONTEXT : [...CONTEXT, ...READING]
  return [
    ...sumFigures({ ...kind, unit: 'tokens' }, TOKENS, done, seed),
    ...sumFigures({ ...kind, unit: 'count' }, COUNTS, done, seed),
    ...sumFigures({ ...kind, unit: 'milliseconds' }, INGESTION, wholeOf(ingestions), seed),
    ...sumFigures({ ...kind, unit: 'tokens' }, questionTokens, wholeOf(answers), seed),
    ...retrievalLatencies(log),
    ...latencyFigures(
      'answer_ms',
      'all',
      answers.map(({ answerMs }) => answerMs),
    ),
    ...totalTimeFigures(ingestions, answers),
  ]
}

/** Computes latencies of all retrievals and of each task. Tasks request different numbers of memories. */
function retrievalLatencies(log: readonly LogEntry[]): Figure[] {
  const times: readonly (readonly [TaskName, readonly number[]])[] = [
    ['retrieval', entriesOf(log, 'retrieval').map(({ milliseconds }) => milliseconds)],
    ['everyday', entriesOf(log, 'everyday').map(({ milliseconds }) => milliseconds)],
    ['updating', entriesOf(log, 'update').map(({ milliseconds }) => milliseconds)],
    ['answering', entriesOf(log, 'answer').map(({ retrieveMs }) => retrieveMs)],
  ]
  const all = times.flatMap(([, milliseconds]) => milliseconds)
  const byTask = times.flatMap(([task, milliseconds]) =>
    latencyFigures('retrieve_ms', `task:${task}`, milliseconds),
  )
  return [...latencyFigures('retrieve_ms', 'all', all), ...byTask]
}

function latencyFigures(name: string, slice: string, milliseconds: readonly number[]): Figure[] {
  const latency = latencyOf(milliseconds)
  if (latency === null) return []
  return (['p50', 'p95', 'p99'] as const).map((quantile) =>
    timeFigure(`${name}_${quantile}`, slice, latency[quantile], milliseconds.length),
  )
}

function totalTimeFigures(ingestions: readonly IngestionEntry[], answers: readonly AnswerEntry[]): Figure[] {
  if (ingestions.length === 0) return []
  const adding = ingestions.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  const retrieving = answers.reduce((sum, { retrieveMs }) => sum + retrieveMs, 0)
  return [
    timeFigure('adding_ms', 'all', adding, ingestions.length),
    timeFigure('retrieving_ms', 'all', retrieving, answers.length),
    timeFigure('total_ms', 'all', adding + retrieving, ingestions.length + answers.length),
  ]
}

function timeFigure(metric: string, slice: string, value: number, count: number): Figure {
  const kind = { task: 'cost', unit: 'milliseconds', judge: null } as const
  return figure(kind, { metric, slice, value, count })
}

/** Computes percentiles of call durations. `null`: there are none. */
export function latencyOf(milliseconds: readonly number[]) {
  if (milliseconds.length === 0) return null
  const [p50 = 0, p95 = 0, p99 = 0] = quantile([...milliseconds], [0.5, 0.95, 0.99])
  return { p50, p95, p99 }
}

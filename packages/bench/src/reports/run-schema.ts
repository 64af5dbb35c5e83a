import { z } from 'zod'
import type { Interval } from '../metrics/bootstrap-interval.ts'
import type { RunSummary } from '../runs/figure.ts'
import { LOST_STEPS, TASKS } from '../runs/log-entry.ts'
import type { RetentionReport } from './report-run.ts'

const task = z.enum(TASKS)
const number = z.number()
const text = z.string()
const anything = z.record(z.string(), z.unknown())

const figure = z.object({
  task: z.enum([...TASKS, 'cost', 'attribution']),
  metric: text.min(1),
  slice: text.min(1),
  value: number.nullable(),
  interval: z.object({ low: number.nullable(), high: number.nullable() }).nullable().transform(bothEnds),
  count: number.int().min(0),
  unit: z.enum(['share', 'score', 'count', 'milliseconds', 'tokens', 'bytes']),
  judge: text.nullable(),
})

/** `summary.json` of a run. */
export const summarySchema: z.ZodType<RunSummary> = z.object({
  benchmark: z.literal('run'),
  dataset: text,
  dataHash: text,
  system: text,
  config: anything,
  reader: text.nullable(),
  judge: text.nullable(),
  tasks: z.array(task),
  conversations: number,
  failures: number,
  leftOut: z.record(text, number),
  figures: z.array(figure),
  command: text,
  startedAt: text,
  finishedAt: text,
})

const point = z.looseObject({ capacity: number }).transform(({ capacity, share: _share, ...all }) => ({
  ...figuresAmong(all),
  capacity,
}))
const estimate = z
  .looseObject({ low: number.nullable(), high: number.nullable() })
  .nullable()
  .transform(bothEnds)

/** A report of `keepsake bench forgetting --json`; what no plot shows is not looked at. */
export const retentionSchema: z.ZodType<Omit<RetentionReport, 'source'>> = z.object({
  dataset: text,
  dataHash: text,
  capacityCurves: z.array(
    z.object({
      policy: text,
      points: z.array(point),
      area: z.looseObject({}).transform(figuresAmong),
      areaIntervals: z.record(text, estimate).default({}),
    }),
  ),
})

/** Beside the figures of a point stand their intervals. */
function figuresAmong(all: Readonly<Record<string, unknown>>): Record<string, number | null> {
  const isFigure = (entry: [string, unknown]): entry is [string, number | null] =>
    typeof entry[1] === 'number' || entry[1] === null
  return Object.fromEntries(Object.entries(all).filter(isFigure))
}

/** JSON has no NaN: an interval that could not be made has ends of null. */
function bothEnds(ends: { low: number | null; high: number | null } | null): Interval | null {
  return ends === null || ends.low === null || ends.high === null ? null : { low: ends.low, high: ends.high }
}

const of = { conversation: text, person: text }
/** Kinds of lines that a report only passes by. */
const PASSED_BY = ['ingestion', 'retrieval', 'integrity', 'accuracy', 'update', 'operation', 'label'] as const

/** A line of `log.jsonl`, as far as a report needs it. */
export const logLineSchema = z.discriminatedUnion('entry', [
  z.object({
    entry: z.literal('answer'),
    ...of,
    question: text,
    category: text,
    text,
    reference: text,
    answer: text,
    outcome: z.enum(['correct', 'hallucinated', 'omitted']),
    reason: text,
    lost: z.enum(LOST_STEPS).nullable(),
    retrieved: z.array(text),
    context: text,
    failure: text.nullable(),
  }),
  z.object({
    entry: z.literal('probe'),
    ...of,
    question: text,
    category: text,
    text,
    choices: z.array(text),
    correct: number,
    chosen: number.nullable(),
    retrieved: z.array(text),
    context: text,
    failure: text.nullable(),
  }),
  z.object({ entry: z.literal('failure'), ...of, where: text, message: text }),
  z.object({ entry: z.literal('done'), ...of }),
  z.object({ entry: z.enum(PASSED_BY) }),
])

export type LogLine = z.infer<typeof logLineSchema>
export type AnswerLine = Extract<LogLine, { readonly entry: 'answer' }>
export type ProbeLine = Extract<LogLine, { readonly entry: 'probe' }>

/** Where in the value, and what is wrong there: `figures[3].value: …`. The first problem only. */
export function tellProblem(error: z.ZodError): string {
  const [issue] = error.issues
  if (issue === undefined) return 'is not in the expected form'
  const place = issue.path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '')
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : ''
  return `${place === '' ? 'the value' : `\`${place}\``}: ${issue.message}${more}`
}

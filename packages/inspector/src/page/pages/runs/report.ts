import { fieldOf, isText, numberOf, textOf, textsOf } from './fields.ts'

/** The form that is read here; another one's figures may be counted otherwise. */
const FORMAT = 2

export const UNITS = ['share', 'score', 'count', 'milliseconds', 'tokens', 'bytes'] as const
export type Unit = (typeof UNITS)[number]

/** One figure of a system. */
export interface Figure {
  readonly task: string
  readonly metric: string
  /** `all`, or a part: `category:temporal`. */
  readonly slice: string
  /** `null`: it cannot be told. */
  readonly value: number | null
  /** 95 %. */
  readonly interval: { readonly low: number; readonly high: number } | null
  readonly count: number
  readonly unit: Unit
  /** Whose verdicts it rests on; `null`: nobody's. */
  readonly judge: string | null
}

/** A system as a benchmark measured it. */
export interface Report {
  readonly system: string
  readonly benchmark: string
  readonly dataset: string
  readonly dataHash: string
  readonly reader: string | null
  readonly judge: string | null
  readonly config: Readonly<Record<string, unknown>>
  readonly command: string
  readonly startedAt: string
  readonly conversations: number | null
  readonly failures: number
  readonly leftOut: Readonly<Record<string, number>>
  readonly remarks: readonly string[]
  readonly figures: readonly Figure[]
}

/** What a file is, or why it is no report. */
export type ReadReports =
  | { readonly kind: 'reports'; readonly reports: readonly Report[] }
  /** `manifest`: what a run began with, which says nothing of how it ended. */
  | { readonly kind: 'no-json' | 'no-report' | 'other-format' | 'manifest' }

/**
 * Reads what `keepsake bench … --json` or a run's `summary.json` holds: a system, or a list of them.
 *
 * @example
 * readReports(await file.text()) // { kind: 'reports', reports: [{ system: 'keepsake', … }] }
 */
export function readReports(text: string): ReadReports {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'no-json' }
    throw error
  }
  const records: readonly unknown[] = Array.isArray(value) ? value : [value]
  const [first] = records
  if (Array.isArray(fieldOf(first, 'systems')) && !Array.isArray(fieldOf(first, 'figures')))
    return { kind: 'manifest' }
  const format = fieldOf(first, 'format')
  if (typeof format === 'number' && format !== FORMAT) return { kind: 'other-format' }
  const reports = records.map(reportOf).filter((one) => one !== null)
  return reports.length === 0 || reports.length < records.length
    ? { kind: 'no-report' }
    : { kind: 'reports', reports }
}

function reportOf(record: unknown): Report | null {
  const [system, benchmark, dataset] = ['system', 'benchmark', 'dataset'].map((name) => textOf(record, name))
  const figures = fieldOf(record, 'figures')
  if (!isText(system) || !isText(benchmark) || !isText(dataset) || !Array.isArray(figures)) return null
  const read = figures.map(figureOf).filter((one) => one !== null)
  if (read.length < figures.length) return null
  return {
    system,
    benchmark,
    dataset,
    dataHash: textOf(record, 'dataHash') ?? '',
    reader: textOf(record, 'reader'),
    judge: textOf(record, 'judge'),
    config: recordOf(fieldOf(record, 'config')),
    command: textOf(record, 'command') ?? '',
    startedAt: textOf(record, 'startedAt') ?? '',
    conversations: numberOf(record, 'conversations'),
    failures: numberOf(record, 'failures') ?? 0,
    leftOut: countsOf(fieldOf(record, 'leftOut')),
    remarks: textsOf(record, 'remarks'),
    figures: read,
  }
}

function figureOf(record: unknown): Figure | null {
  const [task, metric, slice] = ['task', 'metric', 'slice'].map((name) => textOf(record, name))
  const unit = UNITS.find((one) => one === fieldOf(record, 'unit'))
  if (!isText(task) || !isText(metric) || !isText(slice) || unit === undefined) return null
  const between = fieldOf(record, 'interval')
  const [low, high] = [numberOf(between, 'low'), numberOf(between, 'high')]
  return {
    task,
    metric,
    slice,
    unit,
    value: numberOf(record, 'value'),
    interval: low === null || high === null ? null : { low, high },
    count: numberOf(record, 'count') ?? 0,
    judge: textOf(record, 'judge'),
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

function countsOf(value: unknown): Readonly<Record<string, number>> {
  const counts = Object.entries(recordOf(value)).flatMap(([name, count]) =>
    typeof count === 'number' ? [[name, count] as const] : [],
  )
  return Object.fromEntries(counts)
}

// Says how reports name and order metrics. The words are in data/metrics.json.
import { readFileSync } from 'node:fs'
import type { FigureTask, Unit } from '../log/figure.ts'
import { plainWords } from './task-words.ts'

/** How a report names and shows a metric. */
export interface MetricWords {
  /** The head of its column. */
  readonly label: string
  /** Whether high or low values are better. `null`: neither. */
  readonly better: 'high' | 'low' | null
  /** A sentence about what the metric counts, without a full stop. */
  readonly about: string
  /** Whether the metric is in the task's second, folded table. */
  readonly isFurther: boolean
  /** The metric's name among the few main figures of a run. `null`: it is not one of them. */
  readonly headline: string | null
  /** The unit, if all figures of the metric have the same. */
  readonly unit: Unit | null
}

/** The words of a task's metrics, in the order of tables. Missing fields have the values of {@link DEFAULTS}. */
type TaskWords = Readonly<Record<string, Pick<MetricWords, 'label'> & Partial<MetricWords>>>

const DEFAULTS = { about: '', better: null, isFurther: false, headline: null, unit: null } as const

/** The words by task. A text instead of words names another task with the same metrics. */
const STORED = JSON.parse(
  readFileSync(new URL('../../data/metrics.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, TaskWords | string>>

function wordsOf(task: string): TaskWords {
  const words = STORED[task] ?? {}
  return typeof words === 'string' ? wordsOf(words) : words
}

/** Returns the words for a metric. The label of an unknown metric is its name, and it is a further one. */
export function metricWords(task: FigureTask, metric: string): MetricWords {
  const unknown = { label: metric.replaceAll('_', ' '), isFurther: true }
  return { ...DEFAULTS, ...(plainWords(task, metric) ?? wordsOf(task)[metric] ?? unknown) }
}

/** Sorts metrics in the order of tables and removes duplicates. Metrics without words come last, in the order of the input. */
export function inOrder(task: FigureTask, metrics: Iterable<string>): string[] {
  const knownMetrics = Object.keys(wordsOf(task))
  const placeOf = (metric: string): number =>
    knownMetrics.includes(metric) ? knownMetrics.indexOf(metric) : knownMetrics.length
  return [...new Set(metrics)].toSorted((a, b) => placeOf(a) - placeOf(b))
}

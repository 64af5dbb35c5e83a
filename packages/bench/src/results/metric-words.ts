// How reports name and arrange metrics, from data/metrics.json.
import { readFileSync } from 'node:fs'
import type { FigureTask, Unit } from '../log/figure.ts'
import { plainWords } from './task-words.ts'

/** How a report names and shows a metric. */
export interface MetricWords {
  /** The head of its column. */
  readonly label: string
  /** Whether high or low values are better. `null`: neither. */
  readonly better: 'high' | 'low' | null
  /** A sentence about what it counts, without a full stop. */
  readonly about: string
  /** Whether it stands in the task's second, folded table. */
  readonly isFurther: boolean
  /** Its name among the few main figures of a run. `null`: it is not one of them. */
  readonly headline: string | null
  /** Its unit, if all its figures have the same. */
  readonly unit: Unit | null
}

/** The words of a task's metrics, in the order of tables. Missing fields have the values of {@link DEFAULTS}. */
type TaskWords = Readonly<Record<string, Pick<MetricWords, 'label'> & Partial<MetricWords>>>

const DEFAULTS = { about: '', better: null, isFurther: false, headline: null, unit: null } as const

/** By task. A task whose value is a string has the metrics of the task that it names. */
const STORED = JSON.parse(
  readFileSync(new URL('../../data/metrics.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, TaskWords | string>>

function wordsOf(task: string): TaskWords {
  const words = STORED[task] ?? {}
  return typeof words === 'string' ? wordsOf(words) : words
}

/** The words for a metric. An unknown metric has its own name as label, and is a further one. */
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

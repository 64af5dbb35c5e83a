// What reports call each metric, which way is good and where it stands, from data/metrics.json.
import { readFileSync } from 'node:fs'
import type { FigureTask, Unit } from '../log/figure.ts'
import { plainWords } from './task-words.ts'

/** How a report speaks of a metric. */
export interface MetricWords {
  /** Heads a column. */
  readonly label: string
  /** Which way is good; `null`: neither. */
  readonly better: 'high' | 'low' | null
  /** What it counts, in a sentence without its full stop. */
  readonly about: string
  /** `drawn`: in the task's first table and its plots; `tabled`: in the table alone; `further`: in a second one. */
  readonly rank: 'drawn' | 'tabled' | 'further'
  /** What it is called among the few figures that a run is known by; `null`: it is none of them. */
  readonly headline: string | null
  /** Its unit, where it is always the same. */
  readonly unit: Unit | null
}

/** The words of a task's metrics, in the order of tables. What is left out is as in {@link DEFAULTS}. */
type TaskWords = Readonly<Record<string, Pick<MetricWords, 'label'> & Partial<MetricWords>>>

const DEFAULTS = { about: '', better: null, rank: 'drawn', headline: null, unit: null } as const

/** By task; a task with the metrics of another names it. */
const STORED = JSON.parse(
  readFileSync(new URL('../../data/metrics.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, TaskWords | string>>

function wordsOf(task: string): TaskWords {
  const words = STORED[task] ?? {}
  return typeof words === 'string' ? wordsOf(words) : words
}

/** The words for a metric; an unknown one is called by its own name and stands among the further ones. */
export function metricWords(task: FigureTask, metric: string): MetricWords {
  const unknown = { label: metric.replaceAll('_', ' '), rank: 'further' } as const
  return { ...DEFAULTS, ...(plainWords(task, metric) ?? wordsOf(task)[metric] ?? unknown) }
}

/** Metrics in the order in which tables show them: those that have words first, the others as they came. */
export function inOrder(task: FigureTask, metrics: Iterable<string>): string[] {
  const ordered = Object.keys(wordsOf(task))
  const placeOf = (metric: string): number =>
    ordered.includes(metric) ? ordered.indexOf(metric) : ordered.length
  return [...new Set(metrics)].toSorted((one, other) => placeOf(one) - placeOf(other))
}

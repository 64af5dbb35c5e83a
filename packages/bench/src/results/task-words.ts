// Says how reports name tasks, and metrics that are plain numbers. The words are in data/tasks.json.
import { readFileSync } from 'node:fs'
import type { FigureTask, Unit } from '../log/figure.ts'

interface TaskWords {
  /** The heading of the task's section. */
  readonly title: string
  /** Whether tables have a row per figure and a column per system, because the task has many figures of few systems. */
  readonly isSideBySide?: true
  /** The main metrics of a task whose metrics are plain numbers. Absent: they are not. */
  readonly plain?: readonly string[]
}

const STORED = JSON.parse(readFileSync(new URL('../../data/tasks.json', import.meta.url), 'utf8')) as {
  readonly tasks: Readonly<Record<FigureTask, TaskWords>>
  /** Labels of metrics whose names are not clear by themselves. */
  readonly labels: Readonly<Record<string, string>>
  /** Units by a pattern of metrics' names. The first matching pattern counts. */
  readonly units: Readonly<Record<string, Unit>>
}
const UNITS = Object.entries(STORED.units).map(([name, unit]) => ({ name: new RegExp(name), unit }))

export const taskTitle = (task: FigureTask): string => STORED.tasks[task].title

export const isSideBySide = (task: FigureTask): boolean => STORED.tasks[task].isSideBySide === true

/** Returns the words for a metric that is a plain number. `null`: the task has no such metrics. */
export function plainWords(task: FigureTask, metric: string) {
  const { plain } = STORED.tasks[task]
  if (plain === undefined) return null
  const label = STORED.labels[metric] ?? metric.replace(/_ms$/, '').replaceAll('_', ' ')
  return { label, headline: plain.includes(metric) ? label : null, unit: unitOf(metric) } as const
}

/** Returns the unit of a plain metric, by its name. */
export function unitOf(metric: string): Unit {
  return UNITS.find(({ name }) => name.test(metric))?.unit ?? 'count'
}

// How reports name tasks, and metrics that are plain numbers, from data/tasks.json.
import { readFileSync } from 'node:fs'
import type { FigureTask, Unit } from '../log/figure.ts'

interface TaskWords {
  /** The heading of its section. */
  readonly title: string
  /** Whether its tables have a row per figure and a column per system, because it has many figures of few systems. */
  readonly isSideBySide?: true
  /** Present if its metrics are plain numbers, which their names explain. Lists the main ones. */
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

/** The words for a metric that is a plain number. `null`: the task has no such metrics. */
export function plainWords(task: FigureTask, metric: string) {
  const { plain } = STORED.tasks[task]
  if (plain === undefined) return null
  const label = STORED.labels[metric] ?? metric.replace(/_ms$/, '').replaceAll('_', ' ')
  return { label, headline: plain.includes(metric) ? label : null, unit: unitOf(metric) } as const
}

/** The unit of a plain metric, by its name. */
export function unitOf(metric: string): Unit {
  return UNITS.find(({ name }) => name.test(metric))?.unit ?? 'count'
}

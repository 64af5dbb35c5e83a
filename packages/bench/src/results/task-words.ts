// What reports call each task, and the metrics that are plain numbers, from data/tasks.json.
import { readFileSync } from 'node:fs'
import type { FigureTask, Unit } from '../log/figure.ts'

interface TaskWords {
  /** What it is called, as a heading. */
  readonly title: string
  /** Whether its figures are many and of few systems: a figure is a row of its tables then, and a system a column. */
  readonly isSideBySide?: true
  /** Set where its metrics are plain numbers and say by their names what they are: those that a run is known by. */
  readonly plain?: readonly string[]
}

const STORED = JSON.parse(readFileSync(new URL('../../data/tasks.json', import.meta.url), 'utf8')) as {
  readonly tasks: Readonly<Record<FigureTask, TaskWords>>
  /** Where a metric's name says too little by itself. */
  readonly labels: Readonly<Record<string, string>>
  /** By a pattern of metrics' names; the first that matches counts. */
  readonly units: Readonly<Record<string, Unit>>
}
const UNITS = Object.entries(STORED.units).map(([name, unit]) => ({ name: new RegExp(name), unit }))

export const taskTitle = (task: FigureTask): string => STORED.tasks[task].title

export const isSideBySide = (task: FigureTask): boolean => STORED.tasks[task].isSideBySide === true

/** What a plain metric is called, in what it is counted, and whether a run is known by it; `null`: its task has others. */
export function plainWords(task: FigureTask, metric: string) {
  const { plain } = STORED.tasks[task]
  if (plain === undefined) return null
  const label = STORED.labels[metric] ?? metric.replace(/_ms$/, '').replaceAll('_', ' ')
  const isHeadline = plain.includes(metric)
  return {
    label,
    headline: isHeadline ? label : null,
    rank: isHeadline ? 'drawn' : 'tabled',
    unit: unitOf(metric),
  } as const
}

/** The unit that a plain metric's name says. */
export function unitOf(metric: string): Unit {
  return UNITS.find(({ name }) => name.test(metric))?.unit ?? 'count'
}

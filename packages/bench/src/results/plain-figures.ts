import { ALL, type Figure, type FigureTask } from '../log/figure.ts'
import { unitOf } from './task-words.ts'

/** Makes figures from plain numbers by metric. The metric's name decides the unit. Values of `null` are left out; infinite ones become `null`. */
export function plainFigures(
  task: FigureTask,
  slice: string,
  values: Readonly<Record<string, number | null>>,
  count = 1,
): Figure[] {
  return Object.entries(values).flatMap(([metric, value]): Figure[] => {
    if (value === null) return []
    const finite = Number.isFinite(value) ? value : null
    return [{ task, metric, slice, value: finite, interval: null, count, unit: unitOf(metric), judge: null }]
  })
}

/** Finds a figure. Default slice: all items. */
export function findFigure(
  figures: readonly Figure[],
  task: FigureTask,
  metric: string,
  slice: string = ALL,
): Figure | undefined {
  return figures.find((figure) => figure.task === task && figure.metric === metric && figure.slice === slice)
}

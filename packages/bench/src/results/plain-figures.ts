import { ALL, type Figure, type FigureTask } from '../log/figure.ts'
import { unitOf } from './task-words.ts'

/**
 * Figures from plain numbers by their metrics' names, which say the unit; what is `null` is left out.
 *
 * @param slice `all`, or the part they are of: `facts:1000`
 * @param count what they are over. Default 1
 */
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

/** The figure of a system by its names; of everything unless a slice is named. */
export function findFigure(
  figures: readonly Figure[],
  task: FigureTask,
  metric: string,
  slice: string = ALL,
): Figure | undefined {
  return figures.find((one) => one.task === task && one.metric === metric && one.slice === slice)
}

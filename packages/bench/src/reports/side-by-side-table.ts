import type { FigureTask } from '../log/figure.ts'
import { inOrder, metricWords } from '../results/metric-words.ts'
import { findFigure } from '../results/plain-figures.ts'
import { formatWithUnit, NOTHING } from './format-figure.ts'
import type { Cell, ReportTable } from './report-document.ts'
import type { NamedRun } from './task-sections.ts'

/** A slice of a task: a figure a row, in its own unit, and a system a column. */
export function sideBySideTable(
  caption: string,
  runs: readonly NamedRun[],
  task: FigureTask,
  slice: string,
): ReportTable {
  const told = runs.filter(({ run }) =>
    run.summary.figures.some((figure) => figure.task === task && figure.slice === slice),
  )
  const metrics = told.flatMap(({ run }) =>
    run.summary.figures.flatMap((one) => (one.task === task && one.slice === slice ? [one.metric] : [])),
  )
  const cellOf = ({ run }: NamedRun, metric: string): Cell => {
    const figure = findFigure(run.summary.figures, task, metric, slice)
    return figure === undefined || figure.value === null
      ? { text: NOTHING }
      : { text: formatWithUnit(figure.value, figure.unit) }
  }
  return {
    kind: 'table',
    caption,
    columns: [
      { label: 'figure', align: 'left' },
      ...told.map(({ name }) => ({ label: name, align: 'right' }) as const),
    ],
    rows: inOrder(task, metrics).map((metric) => ({
      cells: [{ text: metricWords(task, metric).label }, ...told.map((run) => cellOf(run, metric))],
    })),
    notes: [],
  }
}

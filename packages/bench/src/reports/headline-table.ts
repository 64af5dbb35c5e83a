import { ALL, FIGURE_TASKS, type Figure } from '../log/figure.ts'
import { inOrder, metricWords } from '../results/metric-words.ts'
import { taskTitle } from '../results/task-words.ts'
import { findFigure } from '../results/plain-figures.ts'
import type { RunSummary } from '../results/run-summary.ts'
import { formatWithUnit, NOTHING } from './format-figure.ts'

/** Texts in columns, the first row their heads; for a terminal. */
export type HeadlineTable = readonly (readonly string[])[]

/** The main figures of runs side by side, each with its judge; the rest is in their report. */
export function headlineTable(summaries: readonly RunSummary[]): HeadlineTable {
  const figures = summaries.flatMap((summary) => summary.figures)
  const rows = FIGURE_TASKS.flatMap((task) => {
    const own = figures.filter((figure) => figure.task === task && figure.value !== null)
    const metrics = inOrder(
      task,
      own.map(({ metric }) => metric),
    )
    return metrics.flatMap((metric) => {
      const { headline } = metricWords(task, metric)
      if (headline === null) return []
      const title = `${taskTitle(task)}: ${headline}`
      return slicesOf(own, metric).map((slice) => rowOf(title, summaries, { task, metric, slice }))
    })
  })
  const judged = figures.some(({ judge }) => judge !== null)
  const head = ['', ...summaries.map(({ system }) => system), 'judge']
  return [head, ...rows].map((row) => (judged ? row : row.slice(0, -1)))
}

/** The whole, and by language where there are several; or the parts of a metric without a whole. */
function slicesOf(figures: readonly Figure[], metric: string): string[] {
  const slices = [...new Set(figures.flatMap((one) => (one.metric === metric ? [one.slice] : [])))]
  if (!slices.includes(ALL)) return slices
  const languages = slices.filter((slice) => slice.startsWith('language:'))
  return languages.length < 2 ? [ALL] : [ALL, ...languages]
}

function rowOf(
  title: string,
  summaries: readonly RunSummary[],
  { task, metric, slice }: Pick<Figure, 'task' | 'metric' | 'slice'>,
): string[] {
  const figures = summaries.map((summary) => findFigure(summary.figures, task, metric, slice))
  const cells = figures.map((figure) =>
    figure === undefined || figure.value === null ? NOTHING : formatWithUnit(figure.value, figure.unit),
  )
  const part = slice === ALL ? '' : `, ${slice.replace(':', ' ')}`
  return [`${title}${part}`, ...cells, figures.find((figure) => figure !== undefined)?.judge ?? 'computed']
}

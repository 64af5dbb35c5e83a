import { ALL, FIGURE_TASKS, type Figure } from '../log/figure.ts'
import { inOrder, metricWords } from '../results/metric-words.ts'
import { taskTitle } from '../results/task-words.ts'
import { findFigure } from '../results/plain-figures.ts'
import type { RunSummary } from '../results/run-summary.ts'
import { formatWithUnit, NOTHING } from './format-figure.ts'

/** The rows of a table for a terminal. The first row has the heads. */
export type HeadlineTable = readonly (readonly string[])[]

/** Makes a table of the main figures of runs, each with its judge. A report has the other figures. */
export function headlineTable(summaries: readonly RunSummary[]): HeadlineTable {
  const figures = summaries.flatMap((summary) => summary.figures)
  const rows = FIGURE_TASKS.flatMap((task) => {
    const taskFigures = figures.filter((figure) => figure.task === task && figure.value !== null)
    const metricNames = taskFigures.map(({ metric }) => metric)
    return inOrder(task, metricNames).flatMap((metric) => {
      const { headline } = metricWords(task, metric)
      if (headline === null) return []
      const title = `${taskTitle(task)}: ${headline}`
      return headlineSlices(taskFigures, metric).map((slice) =>
        rowOf(title, summaries, { task, metric, slice }),
      )
    })
  })
  const hasJudge = figures.some(({ judge }) => judge !== null)
  const head = ['', ...summaries.map(({ system }) => system), 'judge']
  return [head, ...rows].map((row) => (hasJudge ? row : row.slice(0, -1)))
}

/** Lists the slice of all items, and those of languages if there are several. For a metric without a slice of all items, lists its slices. */
function headlineSlices(figures: readonly Figure[], metric: string): string[] {
  const slices = [...new Set(figures.filter((figure) => figure.metric === metric).map(({ slice }) => slice))]
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

import { ALL, FIGURE_TASKS, TASKS, type Figure, type FigureTask } from '../log/figure.ts'
import { inOrder, metricWords } from '../results/metric-words.ts'
import { findFigure } from '../results/plain-figures.ts'
import { isSideBySide, taskTitle } from '../results/task-words.ts'
import { figureTable, type FigureColumn, type FigureRow } from './figure-table.ts'
import { NOTHING, formatWithUnit } from './format-figure.ts'
import type { Block, Cell, ReportTable, Section } from './report-document.ts'
import type { NamedRun } from './report-run.ts'

/** Makes a section for each measured task. Each judge has separate tables. */
export function taskSections(runs: readonly NamedRun[]): Section[] {
  return FIGURE_TASKS.flatMap((task) => {
    const blocks = judgesOf(runs, [task]).flatMap((judge) =>
      isSideBySide(task) ? sideBySideBlocks(runs, task) : judgedBlocks(runs, task, judge),
    )
    return blocks.length === 0 ? [] : [{ id: task, title: taskTitle(task), blocks }]
  })
}

/** Makes a table with the three tasks of HaluMem in one row per run, as the paper prints them. */
export function overviewSection(runs: readonly NamedRun[]): Section[] {
  const tasks = ['extraction', 'updating', 'answering'] as const
  const blocks = judgesOf(runs, tasks).flatMap((judge): Block[] => {
    if (judge === null) return []
    const columns = tasks.flatMap((task) => overviewColumns(runs, task, judge))
    if (!columns.some(({ task }) => task !== 'answering')) return []
    return [
      figureTable({
        caption: `Extraction, updating and answering; judge: ${judge}`,
        rows: rowsOf(runs, ALL, tasks, judge),
        columns,
        judge,
        isBrief: true,
        notes: ['The tables of each step show intervals and the number of items.'],
      }),
    ]
  })
  return blocks.length === 0 ? [] : [{ id: 'overview', title: 'Memory operations at a glance', blocks }]
}

const OVERVIEW_METRICS = {
  extraction: ['recall', 'weighted_recall', 'target_precision', 'accuracy', 'fmr', 'f1'],
  updating: ['correct', 'hallucinated', 'omitted'],
  answering: ['correct', 'hallucinated', 'omitted'],
} as const

/** Lists the columns of a task in the overview: the metrics that some run has. */
function overviewColumns(
  runs: readonly NamedRun[],
  task: keyof typeof OVERVIEW_METRICS,
  judge: string,
): FigureColumn[] {
  const figures = figuresOf(runs).filter(
    (figure) => figure.task === task && figure.judge === judge && figure.slice === ALL,
  )
  return OVERVIEW_METRICS[task]
    .filter((metric) => figures.some((figure) => figure.metric === metric))
    .map((metric) => ({ task, metric, group: taskTitle(task) }))
}

/** The figures of a task by one judge, or without a judge. */
interface TaskFigures {
  readonly runs: readonly NamedRun[]
  readonly task: FigureTask
  readonly judge: string | null
  /** The figures of all runs for this task and judge. */
  readonly figures: readonly Figure[]
  /** The title of the table, such as `Answering, judge: deterministic`. */
  readonly title: string
  /** The heading above the columns, if the task can have several judges. */
  readonly group: { readonly group?: string }
}

/** Makes the tables of a task by one judge: those over all items, and a table for each way of slicing. */
function judgedBlocks(runs: readonly NamedRun[], task: FigureTask, judge: string | null): Block[] {
  const figures = figuresOf(runs).filter((figure) => figure.task === task && figure.judge === judge)
  const canBeJudged = judge !== null || TASKS.some((one) => one === task)
  const by = judge === null ? 'computed, no judge' : `judge: ${judge}`
  const taskFigures: TaskFigures = {
    runs,
    task,
    judge,
    figures,
    title: canBeJudged ? `${taskTitle(task)}, ${by}` : taskTitle(task),
    group: canBeJudged ? { group: judge === null ? 'Computed, no judge' : `Judge: ${judge}` } : {},
  }
  const columns = columnsOf(taskFigures, (slice) => slice === ALL)
  return [...(columns.length === 0 ? [] : overallBlocks(taskFigures, columns)), ...sliceTables(taskFigures)]
}

/** Makes the tables over all items: one of the main figures, and a folded one of the others. */
function overallBlocks(taskFigures: TaskFigures, columns: readonly FigureColumn[]): Block[] {
  const { runs, task, judge, title } = taskFigures
  const rows = rowsOf(runs, ALL, [task], judge)
  const { first, further } = splitColumns(columns)
  const makeTable = (caption: string, tableColumns: readonly FigureColumn[], isFolded: boolean): Block =>
    figureTable({
      caption,
      rows,
      columns: tableColumns,
      judge,
      isFolded,
      notes: describeMetrics(tableColumns),
    })
  const mainTable = makeTable(title, first, false)
  return further.length === 0
    ? [mainTable]
    : [mainTable, makeTable(`${title}: further figures`, further, true)]
}

/** Makes a table for each way of slicing, such as by category or by type. */
function sliceTables(taskFigures: TaskFigures): Block[] {
  const { runs, task, judge, figures, title } = taskFigures
  const slices = [...new Set(figures.map(({ slice }) => slice))].filter((slice) => slice !== ALL)
  const slicesByKind = Map.groupBy(slices, (slice) => slice.split(':', 1)[0] ?? slice)
  return [...slicesByKind].map(([kind, kindSlices]) =>
    figureTable({
      caption: `${title}, by ${kind.replaceAll(/[_-]/g, ' ')}`,
      rows: kindSlices.flatMap((slice) => {
        const group = slice.slice(kind.length + 1) || slice
        return rowsOf(runs, slice, [task], judge).map((row) => ({ ...row, group }))
      }),
      columns: splitColumns(columnsOf(taskFigures, (slice) => kindSlices.includes(slice))).first,
      judge,
    }),
  )
}

/** Makes a table for each slice, with one figure per row. It suits tasks that have many figures of few systems. */
function sideBySideBlocks(runs: readonly NamedRun[], task: FigureTask): Block[] {
  const figures = figuresOf(runs).filter((figure) => figure.task === task)
  return [...new Set(figures.map(({ slice }) => slice))].map((slice) => {
    const [kind = '', ...name] = slice.split(':')
    const title = slice === ALL ? taskTitle(task) : `${taskTitle(task)}, ${kind}: ${name.join(':')}`
    return sideBySideTable(title, runs, task, slice)
  })
}

/** Makes a column for each metric that some run has over the chosen slices. */
function columnsOf(
  { task, figures, group }: TaskFigures,
  isSlice: (slice: string) => boolean,
): FigureColumn[] {
  const metrics = figures.filter(({ slice }) => isSlice(slice)).map(({ metric }) => metric)
  return inOrder(task, metrics).map((metric) => ({ task, metric, ...group }))
}

/** Splits columns into main and further ones. If there are only further ones, they are all in the first table. */
function splitColumns(columns: readonly FigureColumn[]): {
  readonly first: readonly FigureColumn[]
  readonly further: readonly FigureColumn[]
} {
  const isFurther = ({ task, metric }: FigureColumn): boolean => metricWords(task, metric).isFurther
  const first = columns.filter((column) => !isFurther(column))
  if (first.length === 0) return { first: columns, further: [] }
  return { first, further: columns.filter(isFurther) }
}

/**
 * Makes the rows of the runs with this judge. A run that measured the task but has no figure gets a row too, whose cells show the reason.
 */
function rowsOf(
  runs: readonly NamedRun[],
  slice: string,
  tasks: readonly FigureTask[],
  judge: string | null,
): FigureRow[] {
  const isRunTask = (task: FigureTask): boolean =>
    tasks.includes(task) && TASKS.some((runTask) => runTask === task)
  const hasRow = ({ run: { summary } }: NamedRun): boolean => {
    const hasJudge = judge === null || summary.judge === judge
    const wasMeasured = slice === ALL && hasJudge && summary.tasks.some(isRunTask)
    const hasFigure = summary.figures.some(
      (figure) => tasks.includes(figure.task) && figure.judge === judge && figure.slice === slice,
    )
    return wasMeasured || hasFigure
  }
  return runs.filter(hasRow).map(({ run, name }) => ({ run, label: name, slice }))
}

function figuresOf(runs: readonly NamedRun[]): Figure[] {
  return runs.flatMap(({ run }) => run.summary.figures)
}

/** Lists the judges of tasks in order of appearance, then `null` for figures without a judge. */
function judgesOf(runs: readonly NamedRun[], tasks: readonly FigureTask[]): (string | null)[] {
  const figures = figuresOf(runs).filter(({ task }) => tasks.includes(task))
  const judges = new Set(figures.map(({ judge }) => judge))
  return [...judges].toSorted((a, b) => Number(a === null) - Number(b === null))
}

/** Writes a note that explains the metrics of a table. */
function describeMetrics(columns: readonly FigureColumn[]): string[] {
  const notes = columns.flatMap(({ task, metric }) => {
    const { label, about } = metricWords(task, metric)
    return about === '' ? [] : [`${label}: ${about}.`]
  })
  return notes.length === 0 ? [] : [notes.join(' ')]
}

/** Makes a table of one slice. Each row is a figure in its own unit, each column a system. */
function sideBySideTable(
  caption: string,
  runs: readonly NamedRun[],
  task: FigureTask,
  slice: string,
): ReportTable {
  const measured = runs.filter(({ run }) =>
    run.summary.figures.some((figure) => figure.task === task && figure.slice === slice),
  )
  const figures = figuresOf(measured).filter((figure) => figure.task === task && figure.slice === slice)
  const metrics = figures.map(({ metric }) => metric)
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
      ...measured.map(({ name }) => ({ label: name, align: 'right' }) as const),
    ],
    rows: inOrder(task, metrics).map((metric) => ({
      cells: [{ text: metricWords(task, metric).label }, ...measured.map((run) => cellOf(run, metric))],
    })),
    notes: [],
  }
}

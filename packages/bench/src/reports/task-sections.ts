import { ALL, FIGURE_TASKS, TASKS, type Figure, type FigureTask } from '../log/figure.ts'
import { inOrder, metricWords, type MetricWords } from '../results/metric-words.ts'
import { findFigure } from '../results/plain-figures.ts'
import { isSideBySide, taskTitle } from '../results/task-words.ts'
import { figureTable, type FigureColumn, type FigureRow } from './figure-table.ts'
import { NOTHING, formatWithUnit } from './format-figure.ts'
import { taskPlots } from './plots/task-plots.ts'
import type { Block, Cell, ReportTable, Section } from './report-document.ts'
import type { NamedRun } from './report-run.ts'

/** A section for each measured task, with separate tables for each judge. */
export function taskSections(runs: readonly NamedRun[]): Section[] {
  return FIGURE_TASKS.flatMap((task) => {
    const blocks = judgesOf(runs, [task]).flatMap((judge) =>
      isSideBySide(task) ? sideBySideBlocks(runs, task) : judgedBlocks(runs, task, judge),
    )
    return blocks.length === 0 ? [] : [{ id: task, title: taskTitle(task), blocks }]
  })
}

/** HaluMem's three tasks in one row, as its paper prints them. */
export function overviewSection(runs: readonly NamedRun[]): Section[] {
  const shown = ['extraction', 'updating', 'answering'] as const
  const blocks = judgesOf(runs, shown).flatMap((judge): Block[] => {
    if (judge === null) return []
    const columns = shown.flatMap((task) => OVERVIEW_METRICS[task].flatMap(presentColumn(runs, task, judge)))
    if (!columns.some(({ task }) => task !== 'answering')) return []
    return [
      figureTable({
        caption: `Extraction, updating and answering; judge: ${judge}`,
        rows: rowsOf(runs, ALL, shown, judge),
        columns,
        judge,
        isBrief: true,
        notes: ['Intervals and what each figure is over stand in the tables of each step.'],
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

function presentColumn(runs: readonly NamedRun[], task: FigureTask, judge: string) {
  const metrics = new Set(
    figuresOf(runs).flatMap((one) =>
      one.task === task && one.judge === judge && one.slice === ALL ? [one.metric] : [],
    ),
  )
  return (metric: string): FigureColumn[] =>
    metrics.has(metric) ? [{ task, metric, group: taskTitle(task) }] : []
}

/** The figures of a task by one judge, or without a judge. */
interface TaskFigures {
  readonly runs: readonly NamedRun[]
  readonly task: FigureTask
  readonly judge: string | null
  /** Of all runs, those of this task and judge. */
  readonly figures: readonly Figure[]
  /** `Answering, judge: deterministic`. */
  readonly title: string
  /** The columns' heading, where judges are distinguished. */
  readonly group: { readonly group?: string }
}

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

/** Plots, the table of the main figures, and a folded table of the others. */
function overallBlocks(taskFigures: TaskFigures, columns: readonly FigureColumn[]): Block[] {
  const { runs, task, judge, title } = taskFigures
  const rows = rowsOf(runs, ALL, [task], judge)
  const { first, further } = splitColumns(columns)
  const table = (caption: string, own: readonly FigureColumn[], isFolded: boolean): Block =>
    figureTable({ caption, rows, columns: own, judge, isFolded, notes: aboutMetrics(own) })
  const plots = taskPlots(
    runs,
    rows,
    columns.filter((column) => rankOf(column) === 'drawn'),
    judge,
  )
  return [
    ...(plots.length === 0 ? [] : [{ kind: 'plots', plots } as const]),
    table(title, first, false),
    ...(further.length === 0 ? [] : [table(`${title}: further figures`, further, true)]),
  ]
}

/** A table for each way of slicing: by category, by type. */
function sliceTables(taskFigures: TaskFigures): Block[] {
  const { runs, task, judge, figures, title } = taskFigures
  const slices = [...new Set(figures.map(({ slice }) => slice))].filter((slice) => slice !== ALL)
  return [...Map.groupBy(slices, (slice) => slice.split(':', 1)[0] ?? slice)].map(([kind, own]) =>
    figureTable({
      caption: `${title}, by ${kind.replaceAll(/[_-]/g, ' ')}`,
      rows: own.flatMap((slice) => {
        const group = slice.slice(kind.length + 1) || slice
        return rowsOf(runs, slice, [task], judge).map((row) => ({ ...row, group }))
      }),
      columns: splitColumns(columnsOf(taskFigures, (slice) => own.includes(slice))).first,
      judge,
    }),
  )
}

/** A table for each slice, with a figure in each row, for tasks with many figures of few systems. */
function sideBySideBlocks(runs: readonly NamedRun[], task: FigureTask): Block[] {
  const figures = figuresOf(runs).filter((figure) => figure.task === task)
  return [...new Set(figures.map(({ slice }) => slice))].map((slice) => {
    const [kind = '', ...name] = slice.split(':')
    const title = slice === ALL ? taskTitle(task) : `${taskTitle(task)}, ${kind}: ${name.join(':')}`
    return sideBySideTable(title, runs, task, slice)
  })
}

/** A column for each metric that some run has over such a slice, under its judge. */
function columnsOf(
  { task, figures, group }: TaskFigures,
  isSlice: (slice: string) => boolean,
): FigureColumn[] {
  const metrics = figures.filter(({ slice }) => isSlice(slice)).map(({ metric }) => metric)
  return inOrder(task, metrics).map((metric) => ({ task, metric, ...group }))
}

/** Splits columns into those of the first table and further ones. All are in the first when none is marked. */
function splitColumns(columns: readonly FigureColumn[]): {
  readonly first: readonly FigureColumn[]
  readonly further: readonly FigureColumn[]
} {
  const first = columns.filter((column) => rankOf(column) !== 'further')
  if (first.length === 0) return { first: columns, further: [] }
  return { first, further: columns.filter((column) => rankOf(column) === 'further') }
}

function rankOf({ task, metric }: FigureColumn): MetricWords['rank'] {
  return metricWords(task, metric).rank
}

/** Rows of the runs with this judge. A run that should have measured the task but has no figure is listed with the reason. */
function rowsOf(
  runs: readonly NamedRun[],
  slice: string,
  tasks: readonly FigureTask[],
  judge: string | null,
): FigureRow[] {
  return runs
    .filter(({ run: { summary } }) => {
      const isJudged = judge === null || summary.judge === judge
      const isOfTask = (task: FigureTask): boolean =>
        tasks.includes(task) && TASKS.some((one) => one === task)
      const wasWanted = slice === ALL && isJudged && summary.tasks.some(isOfTask)
      return (
        wasWanted ||
        summary.figures.some(
          (figure) => tasks.includes(figure.task) && figure.judge === judge && figure.slice === slice,
        )
      )
    })
    .map(({ run, name }) => ({ run, label: name, slice }))
}

function figuresOf(runs: readonly NamedRun[]): Figure[] {
  return runs.flatMap(({ run }) => run.summary.figures)
}

/** Judges first, in order of appearance; computed figures last. */
function judgesOf(runs: readonly NamedRun[], tasks: readonly FigureTask[]): (string | null)[] {
  const judges = new Set(
    figuresOf(runs)
      .filter(({ task }) => tasks.includes(task))
      .map(({ judge }) => judge),
  )
  return [...judges].toSorted((a, b) => Number(a === null) - Number(b === null))
}

function aboutMetrics(columns: readonly FigureColumn[]): string[] {
  const notes = columns.flatMap(({ task, metric }) => {
    const { label, about } = metricWords(task, metric)
    return about === '' ? [] : [`${label}: ${about}.`]
  })
  return notes.length === 0 ? [] : [notes.join(' ')]
}

/** A table of one slice: each row is a figure in its own unit, each column a system. */
function sideBySideTable(
  caption: string,
  runs: readonly NamedRun[],
  task: FigureTask,
  slice: string,
): ReportTable {
  const measured = runs.filter(({ run }) =>
    run.summary.figures.some((figure) => figure.task === task && figure.slice === slice),
  )
  const metrics = measured.flatMap(({ run }) =>
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
      ...measured.map(({ name }) => ({ label: name, align: 'right' }) as const),
    ],
    rows: inOrder(task, metrics).map((metric) => ({
      cells: [{ text: metricWords(task, metric).label }, ...measured.map((run) => cellOf(run, metric))],
    })),
    notes: [],
  }
}
